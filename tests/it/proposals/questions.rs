//! Questions: every one answered, within what its options and its free text allow, or not at all.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::proposals::review_at;

fn form() -> Value {
    json!({ "kind": "question", "action": "choose", "title": "How to store it", "questions": [
        { "question": "Which store?", "options": ["postgres", "files"] },
        { "question": "Which regions?", "options": ["eu", "us", "ap"], "multi": true },
        { "question": "Anything else?", "free_text": true },
    ] })
}

fn answered(answers: &Value) -> Value {
    json!({ "outcome": "approved", "answers": answers })
}

#[tokio::test]
async fn the_agent_gets_the_answers_as_they_were_given() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let asked = coder.propose(&form()).await;
    let review = ben.get(&review_at(&asked)).await.body(200);
    assert_eq!((&review["risk"], &review["class"]), (&json!("low"), &json!("question")));
    assert_eq!(review["questions"][1]["options"], json!(["eu", "us", "ap"]));
    let answers = json!([
        { "question": 0, "choices": ["files"] },
        { "question": 1, "choices": ["ap", "eu"] },
        { "question": 2, "choices": [], "text": "Keep it small." },
    ]);
    ben.rule(&asked, &answered(&answers)).await.assert_status(200);
    let decided = coder.look(&asked).await;
    assert_eq!((&decided["status"], &decided["decision"]["answers"]), (&json!("approved"), &answers));
    // A question may be refused like everything else.
    let asked = coder.propose(&form()).await;
    ben.rule(&asked, &json!({ "outcome": "rejected", "note": "Ask later." })).await.assert_status(200);
    assert_eq!(coder.look(&asked).await["decision"]["answers"], json!(null));
}

#[tokio::test]
async fn answers_that_do_not_fit_are_named() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let asked = coder.propose(&form()).await;
    let good = [
        json!({ "question": 0, "choices": ["files"] }),
        json!({ "question": 1, "choices": ["eu"] }),
        json!({ "question": 2, "text": "no" }),
    ];
    let put = |at: usize, answer: Value| {
        let mut answers = good.to_vec();
        answers[at] = answer;
        json!(answers)
    };
    let table = [
        ("answers", json!([])),
        ("answers", json!(good[..2])),
        ("answers", json!([good[0], good[1], good[2], good[0]])),
        ("answers[3].question", json!([good[0], good[1], good[2], { "question": 3, "text": "?" }])),
        ("answers[0].choices", put(0, json!({ "question": 0, "choices": ["stone"] }))),
        ("answers[0].choices", put(0, json!({ "question": 0, "choices": ["files", "postgres"] }))),
        ("answers[1].choices", put(1, json!({ "question": 1, "choices": ["eu", "eu"] }))),
        ("answers[0]", put(0, json!({ "question": 0, "choices": [] }))),
        ("answers[0].text", put(0, json!({ "question": 0, "choices": ["files"], "text": "also" }))),
        ("answers[2]", put(2, json!({ "question": 2, "text": "  " }))),
        ("answers[2].text", put(2, json!({ "question": 2, "text": "t".repeat(4001) }))),
        ("answers[2].text", put(2, json!({ "question": 2, "text": "\u{0}" }))),
    ];
    for (field, answers) in table {
        let answer = ben.rule(&asked, &answered(&answers)).await;
        answer.assert_problem(422, "invalid");
        assert_eq!(answer.json["field"], field, "{answers}");
    }
    let missing = ben.decide(&asked, "approved").await;
    assert_eq!(missing.json["field"], "answers");
    let refused = json!({ "outcome": "rejected", "answers": good });
    assert_eq!(ben.rule(&asked, &refused).await.json["field"], "answers");
    ben.rule(&asked, &answered(&json!(good))).await.assert_status(200);
}
