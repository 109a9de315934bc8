//! A browser's own description of itself, in words: `Firefox on Android`.

/// The first that is found counts: browsers name those they are like, too.
const BROWSERS: &[(&str, &str)] = &[
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

const SYSTEMS: &[(&str, &str)] = &[
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Mac OS X", "Mac"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// The device in words; what is not known stays as it was said, its beginning at least.
pub fn name(said: &str) -> String {
    let find = |list: &[(&str, &'static str)]| list.iter().find(|(mark, _)| said.contains(mark)).map(|(_, name)| *name);
    match (find(BROWSERS), find(SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        _ => said.chars().take(60).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn browsers_are_told_by_their_names() {
        for (said, told) in [
            ("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox on Android"),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0 Safari/537.36 Edg/149.0",
                "Edge on Linux",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Safari/604.1",
                "Safari on iPhone",
            ),
            ("curl/8.1", "curl/8.1"),
        ] {
            assert_eq!(name(said), told);
        }
    }
}
