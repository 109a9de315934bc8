//! Keys out of the bytes that a terminal sends.

use super::super::super::out;

/// One key, or one paste.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// A character.
    Char(char),
    /// A pasted text, when the terminal brackets it.
    Paste(String),
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Tab.
    Tab,
    /// Shift and Tab.
    BackTab,
    /// Backspace.
    Backspace,
    /// An arrow up.
    Up,
    /// An arrow down.
    Down,
    /// Control and a letter.
    Control(char),
    /// A key that nothing here knows.
    Other(String),
}

impl Key {
    /// Its name in the log.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Char(c) => c.to_string(),
            Self::Paste(text) => text.clone(),
            Self::Enter => "Enter".to_owned(),
            Self::Escape => "Escape".to_owned(),
            Self::Tab => "Tab".to_owned(),
            Self::BackTab => "BTab".to_owned(),
            Self::Backspace => "BSpace".to_owned(),
            Self::Up => "Up".to_owned(),
            Self::Down => "Down".to_owned(),
            Self::Control(c) => format!("C-{c}"),
            Self::Other(bytes) => bytes.clone(),
        }
    }
}

const PASTE_BEGINS: &[u8] = b"\x1b[200~";
const PASTE_ENDS: &[u8] = b"\x1b[201~";

/// Bytes that have come and are no whole key yet.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    held: Vec<u8>,
}

impl Decoder {
    /// Takes what came and returns the keys that are whole.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<Key> {
        self.held.extend_from_slice(bytes);
        let mut keys = Vec::new();
        while let Some((key, used)) = next(&self.held) {
            self.held.drain(..used);
            keys.push(key);
        }
        keys
    }

    /// Whether something waits for its rest.
    pub(super) fn waits(&self) -> bool {
        !self.held.is_empty()
    }

    /// Nothing more came: an escape that stands alone is the key of that name.
    pub(super) fn settle(&mut self) -> Vec<Key> {
        if self.held.starts_with(PASTE_BEGINS) {
            return Vec::new();
        }
        let mut held = std::mem::take(&mut self.held).into_iter();
        let first = held.next().map(|byte| if byte == 0x1b { Key::Escape } else { Key::Other(format!("{byte:02x}")) });
        let mut keys: Vec<Key> = first.into_iter().collect();
        keys.extend(self.feed(held.as_slice()));
        keys
    }
}

/// The first key and how many bytes it took; nothing while it is not whole.
fn next(bytes: &[u8]) -> Option<(Key, usize)> {
    let first = *bytes.first()?;
    let key = match first {
        0x1b => return escaped(bytes),
        b'\r' | b'\n' => Key::Enter,
        b'\t' => Key::Tab,
        0x08 | 0x7f => Key::Backspace,
        0x01..=0x1a => Key::Control(char::from(first + b'a' - 1)),
        0x00..=0x1f => Key::Other(format!("{first:02x}")),
        _ => return character(bytes),
    };
    Some((key, 1))
}

fn character(bytes: &[u8]) -> Option<(Key, usize)> {
    let length = match bytes[0] {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        _ => 1,
    };
    let text = std::str::from_utf8(bytes.get(..length)?);
    match text.ok().and_then(|text| text.chars().next()) {
        Some(c) => Some((Key::Char(c), length)),
        None => Some((Key::Other(format!("{:02x}", bytes[0])), 1)),
    }
}

fn escaped(bytes: &[u8]) -> Option<(Key, usize)> {
    if bytes.starts_with(PASTE_BEGINS) {
        let text = &bytes[PASTE_BEGINS.len()..];
        let end = text.windows(PASTE_ENDS.len()).position(|window| window == PASTE_ENDS)?;
        let pasted = String::from_utf8_lossy(&text[..end]).replace('\r', "\n");
        return Some((Key::Paste(pasted), PASTE_BEGINS.len() + end + PASTE_ENDS.len()));
    }
    match *bytes.get(1)? {
        b'[' | b'O' => {}
        // Two escapes are two keys; a letter behind one is Alt and that letter.
        0x1b => return Some((Key::Escape, 1)),
        _ => return Some((Key::Other(out::visible(&String::from_utf8_lossy(&bytes[..2]))), 2)),
    }
    let last = bytes[2..].iter().position(|byte| (0x40..=0x7e).contains(byte))? + 2;
    let key = match &bytes[1..=last] {
        b"[A" | b"OA" => Key::Up,
        b"[B" | b"OB" => Key::Down,
        b"[Z" => Key::BackTab,
        other => Key::Other(format!("Escape {}", String::from_utf8_lossy(other))),
    };
    Some((key, last + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_apart_however_they_arrive() {
        let mut decoder = Decoder::default();
        assert_eq!(
            decoder.feed(b"1\r\x1b[B\x1b[Z\x7f\x15"),
            [Key::Char('1'), Key::Enter, Key::Down, Key::BackTab, Key::Backspace, Key::Control('u'),]
        );
        assert_eq!(decoder.feed("é".as_bytes().get(..1).unwrap()), []);
        assert_eq!(decoder.feed("é".as_bytes().get(1..).unwrap()), [Key::Char('é')]);
        assert_eq!(decoder.feed(b"\x1b[20"), []);
        assert_eq!(decoder.feed(b"0~a\rb\x1b[201"), []);
        assert!(decoder.settle().is_empty() && decoder.waits());
        assert_eq!(decoder.feed(b"~y"), [Key::Paste("a\nb".to_owned()), Key::Char('y')]);
        assert_eq!(decoder.feed(b"\x1b"), []);
        assert_eq!(decoder.settle(), [Key::Escape]);
        assert!(!decoder.waits());
        assert_eq!(decoder.feed(b"\x1b\x1b[A"), [Key::Escape, Key::Up]);
    }
}
