//! Every page in every state, with sample data: what the browser judges and what a designer looks at.

mod dialogs;
mod doors;
mod journal;
mod lanes;
mod lists;
mod played;
mod reviews;
mod samples;
mod stage;
mod verdicts;

use askama::Template;

/// A rendered page with the name of its state.
pub struct Plate {
    pub name: &'static str,
    pub html: String,
}

fn plate(name: &'static str, page: &impl Template) -> Plate {
    Plate { name, html: page.render().unwrap() }
}

/// All of them.
pub fn plates() -> Vec<Plate> {
    [
        dialogs::plates(),
        doors::plates(),
        journal::plates(),
        lanes::plates(),
        lists::plates(),
        reviews::plates(),
        verdicts::plates(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[test]
fn no_page_has_script_or_style_inside_or_agent_markup() {
    let plates = plates();
    assert!(plates.len() > 20);
    for plate in &plates {
        let html = &plate.html;
        assert!(!html.contains(" style="), "{} has an inline style", plate.name);
        assert!(!html.contains("<style"), "{} has an inline sheet", plate.name);
        assert!(!html.contains(" onclick="), "{} has an inline handler", plate.name);
        assert_eq!(html.matches("<script").count(), 2, "{} has other scripts", plate.name);
        assert!(!html.contains("<img"), "{}: markup of an agent came through", plate.name);
        let bad = html.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
        assert_eq!(bad, None, "{} has a control character", plate.name);
        let turned = html.chars().find(|c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'));
        assert_eq!(turned, None, "{} has an invisible character", plate.name);
    }
}

/// With `GALLERY` set, the pages and their files are left in that folder to be looked at.
#[test]
#[expect(clippy::disallowed_methods, reason = "a folder for a person who looks, not a setting of the program")]
fn the_gallery_can_be_looked_at() {
    let kept = std::env::var_os("GALLERY").map(std::path::PathBuf::from);
    let folder = kept.clone().unwrap_or_else(|| std::env::temp_dir().join(format!("gallery-{}", std::process::id())));
    let files = folder.join("static").join(&*countersign::http::pages::assets::VERSION);
    std::fs::create_dir_all(&files).unwrap();
    for asset in countersign::http::pages::assets::ALL {
        std::fs::write(files.join(asset.name), asset.bytes).unwrap();
    }
    for plate in plates() {
        std::fs::write(folder.join(format!("{}.html", plate.name)), plate.html).unwrap();
    }
    if kept.is_none() {
        std::fs::remove_dir_all(folder).unwrap();
    }
}

fn packed(bytes: &[u8]) -> usize {
    use std::io::Write as _;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap().len()
}

#[test]
fn a_review_and_its_files_weigh_little() {
    let assets = countersign::http::pages::assets::ALL;
    let script: usize =
        assets.iter().filter(|asset| asset.mime.starts_with("text/javascript")).map(|asset| packed(asset.bytes)).sum();
    assert!(script <= 15 * 1024, "{script} bytes of script");
    let all: usize = assets.iter().map(|asset| packed(asset.bytes)).sum();
    for plate in plates() {
        let whole = all + packed(plate.html.as_bytes());
        assert!(whole <= 50 * 1024, "{}: {whole} bytes", plate.name);
    }
}
