//! The dialect of Codex: one list of items in, named events out.

use serde_json::{Value, json};

use super::{Answer, Heard, texts};

/// A title is asked for with the shape that it must have; a turn leaves the shape open.
pub(super) fn hear(body: &Value) -> Heard {
    let items = body["input"].as_array().cloned().unwrap_or_default();
    let results = items.iter().filter(|item| item["type"].as_str().is_some_and(|kind| kind.ends_with("_call_output")));
    Heard { outputs: results.map(|item| texts(&item["output"])).collect(), aside: body["text"]["format"].is_object() }
}

pub(super) fn answer(answer: Answer) -> Vec<(Option<&'static str>, Value)> {
    let item = match answer {
        Answer::Words(words) => {
            let content = json!([{ "type": "output_text", "text": words }]);
            json!({ "type": "message", "id": "said", "role": "assistant", "content": content })
        }
        Answer::Call(at, call) => {
            let (kind, field, input) = match call.input {
                Ok(arguments) => ("function_call", "arguments", arguments.to_string()),
                Err(text) => ("custom_tool_call", "input", text),
            };
            let mut item = json!({
                "type": kind, "id": format!("item-{at}"), "call_id": format!("call-{at}"),
                "name": call.tool, field: input,
            });
            if let Some(namespace) = call.namespace {
                item["namespace"] = namespace.into();
            }
            item
        }
    };
    let event = |kind: &'static str, rest: Value| {
        let mut data = json!({ "type": kind });
        data.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        (Some(kind), data)
    };
    let usage = json!({ "input_tokens": 1, "output_tokens": 1, "total_tokens": 2 });
    vec![
        event("response.created", json!({ "response": { "id": "r" } })),
        event("response.output_item.done", json!({ "output_index": 0, "item": item })),
        event("response.completed", json!({ "response": { "id": "r", "usage": usage } })),
    ]
}
