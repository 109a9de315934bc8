//! Requests whose parameters cannot be read: the fault names the field, for whoever reads "no such method" gives up.

use rmcp::ErrorData;
use rmcp::model::{CustomRequest, ErrorCode};
use serde_json::{Value, json};

use crate::error::Code;

/// Where a request of ours takes a text, and none that is missing.
const TEXTS: &[(&str, &str)] = &[
    ("tools/call", "name"),
    ("resources/read", "uri"),
    ("tasks/get", "taskId"),
    ("tasks/cancel", "taskId"),
    ("tasks/update", "taskId"),
];
/// The other requests that are served.
const OTHERS: &[&str] = &[
    "initialize",
    "server/discover",
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "subscriptions/listen",
];

/// Why a request is not served.
pub(super) fn refuse(request: &CustomRequest) -> ErrorData {
    let method = request.method.as_str();
    let params = request.params.as_ref();
    let text = TEXTS.iter().find(|(ours, _)| *ours == method).map(|(_, field)| *field);
    if text.is_none() && !OTHERS.contains(&method) {
        return ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method.to_owned(), None);
    }
    let given = |field: &str| params.and_then(|params| params.get(field));
    let (field, takes) = match text {
        Some(field) if !given(field).is_some_and(Value::is_string) => (field, "a string"),
        Some(_) if given("arguments").is_some_and(|args| !args.is_object() && !args.is_null()) => {
            ("arguments", "an object with the tool's arguments as members")
        }
        _ => ("params", "what the protocol says of this request, and something in them is not that"),
    };
    let data = json!({ "code": Code::Invalid.as_str(), "field": field });
    ErrorData::invalid_params(format!("`{field}` takes {takes}."), Some(data))
}
