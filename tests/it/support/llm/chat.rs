//! The dialect of opencode: messages in, pieces of one message out.

use serde_json::{Value, json};

use super::{Answer, Heard, texts};

/// Who asks aside, for a title, offers no tools.
pub(super) fn hear(body: &Value) -> Heard {
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let results = messages.iter().filter(|message| message["role"] == "tool");
    let outputs = results.map(|message| texts(&message["content"])).collect();
    Heard { outputs, aside: body["tools"].as_array().is_none_or(Vec::is_empty) }
}

pub(super) fn answer(answer: Answer) -> Vec<(Option<&'static str>, Value)> {
    let (delta, reason) = match answer {
        Answer::Words(words) => (json!({ "role": "assistant", "content": words }), "stop"),
        Answer::Call(at, call) => {
            let arguments = call.input.map_or_else(|text| text, |arguments| arguments.to_string());
            let function = json!({ "name": call.tool, "arguments": arguments });
            let made = json!([{ "index": 0, "id": format!("call-{at}"), "type": "function", "function": function }]);
            (json!({ "role": "assistant", "tool_calls": made }), "tool_calls")
        }
    };
    let piece = |delta: Value, reason: Value| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": reason });
        (
            None,
            json!({ "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "fake", "choices": [choice] }),
        )
    };
    vec![piece(delta, Value::Null), piece(json!({}), json!(reason))]
}
