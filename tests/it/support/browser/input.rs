//! Fingers, mouse and keyboard: real input events at real places, so that what is covered cannot be pressed.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Page, Screen};

impl Page {
    /// Presses the element once, with a finger on a phone and the mouse on a desktop.
    pub async fn click(&self, selector: &str) {
        let at = self.place(selector).await;
        self.down(at).await;
        self.up(at).await;
    }

    /// Presses the element and waits for the page that this opens.
    pub async fn click_and_load(&self, selector: &str) {
        let before = self.loads();
        self.click(selector).await;
        self.wait_for_load_after(before).await;
    }

    /// Keeps the element pressed for a while.
    pub async fn press_and_hold(&self, selector: &str, how_long: Duration) {
        let at = self.place(selector).await;
        self.down(at).await;
        tokio::time::sleep(how_long).await;
        self.up(at).await;
    }

    /// Presses an element and keeps the finger down until the expression is true, wherever the element went meanwhile.
    pub async fn hold_until(&self, selector: &str, expression: &str) {
        let at = self.place(selector).await;
        self.down(at).await;
        self.wait_for(expression).await;
        self.up(at).await;
    }

    /// Puts the text into a field, as a keyboard or a paste would.
    pub async fn type_text(&self, selector: &str, text: &str) {
        self.click(selector).await;
        self.must("Input.insertText", json!({ "text": text })).await;
    }

    /// Presses and releases a key: Enter, Tab, Escape, Space, Backspace, an arrow, or a character.
    pub async fn press(&self, key: &str) {
        let (name, code, number, text) = match key {
            "Enter" => ("Enter", "Enter", 13, "\r"),
            "Tab" => ("Tab", "Tab", 9, ""),
            "Escape" => ("Escape", "Escape", 27, ""),
            "Backspace" => ("Backspace", "Backspace", 8, ""),
            "Space" => (" ", "Space", 32, " "),
            "ArrowUp" => ("ArrowUp", "ArrowUp", 38, ""),
            "ArrowDown" => ("ArrowDown", "ArrowDown", 40, ""),
            "ArrowLeft" => ("ArrowLeft", "ArrowLeft", 37, ""),
            "ArrowRight" => ("ArrowRight", "ArrowRight", 39, ""),
            character => (character, "", 0, character),
        };
        let mut event = json!({ "type": "keyDown", "key": name, "code": code, "windowsVirtualKeyCode": number });
        if !text.is_empty() {
            event["text"] = text.into();
        }
        self.must("Input.dispatchKeyEvent", event).await;
        let up = json!({ "type": "keyUp", "key": name, "code": code, "windowsVirtualKeyCode": number });
        self.must("Input.dispatchKeyEvent", up).await;
    }

    /// The middle of the element after it was brought into view; fails when it is not there or something covers it.
    async fn place(&self, selector: &str) -> (f64, f64) {
        let found = self
            .eval(&format!(
                "(() => {{
                    const element = document.querySelector({});
                    if (!element) return 'is not on the page';
                    element.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }});
                    const box = element.getBoundingClientRect();
                    if (!box.width || !box.height) return 'is not visible';
                    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
                    const top = document.elementFromPoint(x, y);
                    if (!top) return 'is off the screen';
                    if (element.disabled) return 'is disabled';
                    const label = top.closest('label');
                    const reaches = element.contains(top) || top.contains(element) || label?.control === element;
                    return reaches ? [x, y] : 'is covered by ' + top.outerHTML.slice(0, 200);
                }})()",
                Value::from(selector)
            ))
            .await;
        match (found[0].as_f64(), found[1].as_f64()) {
            (Some(x), Some(y)) => (x, y),
            _ => panic!("{selector} {}", found.as_str().unwrap_or_default()),
        }
    }

    async fn down(&self, (x, y): (f64, f64)) {
        if self.screen == Screen::Phone {
            let touch = json!({ "type": "touchStart", "touchPoints": [{ "x": x, "y": y }] });
            self.must("Input.dispatchTouchEvent", touch).await;
        } else {
            self.must("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x, "y": y })).await;
            self.must("Input.dispatchMouseEvent", button("mousePressed", x, y)).await;
        }
    }

    async fn up(&self, (x, y): (f64, f64)) {
        if self.screen == Screen::Phone {
            self.must("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] })).await;
        } else {
            self.must("Input.dispatchMouseEvent", button("mouseReleased", x, y)).await;
        }
    }
}

fn button(kind: &str, x: f64, y: f64) -> Value {
    json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 })
}
