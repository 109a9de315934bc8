//! Where the admin pages begin.

use axum::response::Response;

use crate::http::pages::see_other;

/// `GET /admin`.
pub async fn handle() -> Response {
    see_other("/admin/supervision")
}
