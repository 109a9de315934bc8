//! Sample reviews that are open: each kind, each gesture.

use countersign::domain::diff::{compare, is_long, parse};
use countersign::domain::risk::Risk;
use countersign::domain::text::{Kind, Warnings, show};
use countersign::http::pages::frame::Tab;
use countersign::http::pages::review::dialog::Press;
use countersign::http::pages::review::{Asked, Bar, Choice, Content, Fact, Gesture, Receipt, Review, Says, State};

use super::samples::{code, frame, left, says, when};
use super::{Plate, plate};

pub const BASE: &str = "# Hosts that agents may reach.\n[[allow]]\nhost = \"github.com\"\n\n[[allow]]\nhost = \"api.example.com\"\nreason = \"billing client\"\n\n[[allow]]\nhost = \"crates.io\"\n\n[limits]\nrequests = 100\nper = \"minute\"\n\n[log]\nto = \"journal\"\n";

const PATCH: &str = "diff --git a/src/billing/client.rs b/src/billing/client.rs
--- a/src/billing/client.rs
+++ b/src/billing/client.rs
@@ -41,7 +41,11 @@ impl Client {
     /// Sends one invoice.
     pub async fn send(&self, invoice: &Invoice) -> Result<Receipt> {
-        let answer = self.http.post(&self.url).json(invoice).send().await?;
-        Receipt::read(answer).await
+        for attempt in 1..=3 {
+            match self.try_send(invoice).await {
+                Err(error) if error.is_passing() && attempt < 3 => self.pause(attempt).await,
+                other => return other,
+            }
+        }
     }
 
     fn is_\u{430}dmin(&self) -> bool {
diff --git a/scripts/release.sh b/scripts/release.sh
old mode 100644
new mode 100755
--- a/scripts/release.sh
+++ b/scripts/release.sh
@@ -1,2 +1,3 @@
 #!/bin/sh
+set -eu
 cargo publish
diff --git a/Cargo.lock b/Cargo.lock
--- a/Cargo.lock
+++ b/Cargo.lock
@@ -210,2 +210,2 @@
 name = \"backoff\"
-version = \"0.4.0\"
+version = \"0.4.1\"
diff --git a/logo.png b/logo.png
Binary files a/logo.png and b/logo.png differ
";

fn fact(name: &'static str, value: &str, code: bool) -> Fact {
    Fact { name, value: show(value, Kind::Command), code }
}

pub fn receipts(done: usize) -> Vec<Receipt> {
    ["asked", "notified", "seen", "decided", "picked up"]
        .into_iter()
        .enumerate()
        .map(|(at, name)| Receipt {
            name,
            at: (at < done).then(|| when(130 - 20 * i64::try_from(at).unwrap())),
            now: at == done,
        })
        .collect()
}

pub fn bar(gesture: Gesture) -> Bar {
    Bar {
        gesture,
        reason: gesture == Gesture::Password,
        edit: false,
        votes: (0, 1),
        problem: None,
        note: String::new(),
        sheet: "",
        press: Press::default(),
    }
}

pub fn review(risk: Risk, sentence: &str, state: State) -> Review {
    Review {
        frame: frame("Review", Tab::None),
        id: "a".into(),
        digest: "7f3a91c0aabb".into(),
        lane: "api".into(),
        risk,
        sentence: sentence.into(),
        why: vec!["Changes are always decided by a person.".into()],
        left: None,
        warnings: Warnings::default(),
        command: None,
        worktree: "~/shop/api".into(),
        content: Content::None,
        questions: vec![],
        facts: vec![
            fact("Agent", "api-1", true),
            fact("Action", "edit", true),
            fact("Asked", "29 Nov, 23:38:57 CET", false),
            fact("Digest", "7f3a 91c0 aabb", true),
        ],
        says: Says {
            agent: "api-1".into(),
            title: says("Retry the billing client three times before giving up"),
            reasons: Some(says(
                "The nightly run failed twice on a \x1b[31m502\x1b[0m from the billing host.\nWith three tries and a pause it would have passed.",
            )),
        },
        receipts: receipts(3),
        state,
        long: false,
        dialog: None,
    }
}

pub fn command() -> Review {
    let shown = code("git fetch origin && git push --force origin ma\u{200b}in");
    Review {
        warnings: shown.warnings.clone(),
        command: Some(shown),
        left: Some(left(95)),
        why: vec![
            "The action deploy.push is on this server's list of high risk.".into(),
            "The same ask was rejected 3 min ago by jonas.".into(),
        ],
        ..review(Risk::High, "Run a command", State::Open(bar(Gesture::Password)))
    }
}

pub fn change() -> Review {
    let body = BASE.replace(
        "host = \"api.example.com\"\n",
        "host = \"*.example.com\"\nmethods = [\"GET\", \"POST\", \"DELETE\"]\n",
    );
    let diff = compare(code("egress.toml"), BASE, &body);
    Review {
        warnings: diff.warnings.clone(),
        content: Content::Diff(diff),
        ..review(
            Risk::High,
            "Change a file: 2 lines added, 1 removed",
            State::Open(Bar { edit: true, ..bar(Gesture::Password) }),
        )
    }
}

pub fn patch() -> Review {
    let diff = parse(PATCH).unwrap();
    Review {
        warnings: diff.warnings.clone(),
        content: Content::Diff(diff),
        left: Some(left(4_000)),
        ..review(
            Risk::Medium,
            "Change 4 files: 9 lines added, 3 removed",
            State::Open(Bar { edit: true, ..bar(Gesture::Hold) }),
        )
    }
}

fn long() -> Review {
    let body =
        (0..400).map(|n| format!("pub const STEP_{n}: &str = \"step number {n}\";\n")).collect::<Vec<_>>().concat();
    assert!(!is_long(&body));
    let shown = show(&body, Kind::Document);
    Review {
        content: Content::Text(shown, "400 lines".into()),
        long: true,
        ..review(Risk::Medium, "Change a file: 400 lines added", State::Open(bar(Gesture::Hold)))
    }
}

fn asked(index: usize, text: &str, choices: &[&str]) -> Asked {
    let choices =
        choices.iter().map(|label| Choice { value: (*label).into(), label: says(label), chosen: false }).collect();
    Asked { index, text: says(text), choices, multi: false, free_text: false, answer: None, typed: String::new() }
}

pub fn question() -> Review {
    Review {
        questions: vec![
            Asked {
                free_text: true,
                ..asked(
                    0,
                    "Which auth method should the admin pages use?",
                    &["Sessions with a cookie", "Signed tokens", "Basic auth behind the proxy"],
                )
            },
            Asked {
                multi: true,
                ..asked(
                    1,
                    "Which of these may I delete?",
                    &["old snapshots", "the legacy login page", "unused fixtures"],
                )
            },
        ],
        why: vec![],
        ..review(Risk::Low, "Answer 2 questions", State::Open(bar(Gesture::Tap)))
    }
}

pub fn plates() -> Vec<Plate> {
    let failed =
        Bar { problem: Some("Give a reason.".into()), sheet: "approve", note: "as".into(), ..bar(Gesture::Password) };
    let voted = Bar { votes: (1, 2), ..bar(Gesture::Tap) };
    let why = "Your right to decide here does not reach to high risk.";
    vec![
        plate("review-command", &command()),
        plate("review-change", &change()),
        plate("review-patch", &patch()),
        plate("review-long", &long()),
        plate("review-question", &question()),
        plate("review-tap", &review(Risk::Low, "Let something happen", State::Open(voted))),
        plate("review-sheet", &Review { state: State::Open(failed), ..command() }),
        plate("review-readonly", &Review { state: State::Readonly(why.into()), ..command() }),
    ]
}
