//! The files a page loads, inside the program, under an address that changes with their content.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};
use crate::http::extract::Path;

/// One file.
#[derive(Debug)]
pub struct Asset {
    /// Its name under the versioned folder.
    pub name: &'static str,
    /// Its media type.
    pub mime: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

macro_rules! assets {
    ($($name:literal $mime:literal),+ $(,)?) => {
        /// Every file there is.
        pub const ALL: &[Asset] = &[$(Asset {
            name: $name,
            mime: $mime,
            bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/static/", $name)),
        }),+];
    };
}

assets! {
    "app.css" "text/css; charset=utf-8",
    "core.js" "text/javascript; charset=utf-8",
    "page.js" "text/javascript; charset=utf-8",
    "admin.css" "text/css; charset=utf-8",
    "admin.js" "text/javascript; charset=utf-8",
    "icon.svg" "image/svg+xml",
    "touch.png" "image/png",
    "manifest.webmanifest" "application/manifest+json",
}

/// A short name for the content of all files together: they change together, so that a page never mixes versions.
pub static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    for asset in ALL {
        hash.update(asset.bytes);
    }
    hex::encode(&hash.finalize()[..6])
});

/// The address of a file for as long as its content stays.
pub fn url(name: &str) -> String {
    format!("/static/{}/{name}", *VERSION)
}

/// The same file for the admin pages, which reach this server through the local socket alone.
pub fn admin_url(name: &str) -> String {
    format!("/admin/static/{}/{name}", *VERSION)
}

/// `GET /static/{version}/{name}`: kept by the browser for as long as it likes. Another version's files are not here.
pub async fn file(Path((version, name)): Path<(String, String)>) -> Result<Response> {
    let asset = ALL.iter().find(|asset| asset.name == name).filter(|_| version == *VERSION);
    let asset = asset.ok_or_else(Error::not_found)?;
    let headers = [(header::CONTENT_TYPE, asset.mime), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Ok((headers, asset.bytes).into_response())
}
