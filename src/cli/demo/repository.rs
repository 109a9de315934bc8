//! The repository that the demo's agents work in, with a worktree for each.

use std::path::{Path, PathBuf};

use super::program::{ask, program};
use crate::cli::failure::Outcome;

const FILES: &[(&str, &str)] = &[
    ("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
    ("README.md", "# shop\n\nThe checkout of an imaginary shop. Part of a demo; nothing here is real.\n"),
    ("src/lib.rs", "//! The checkout.\n\npub mod limits;\n"),
    (
        "src/limits.rs",
        "//! How many orders may be under way at once.\n\npub const MOST: usize = 10;\n\npub fn has_room(open: usize) -> bool {\n    open < MOST\n}\n",
    ),
];

/// Makes the repository with its second worktree; returns both folders.
pub(super) async fn make(folder: &Path) -> Outcome<(PathBuf, PathBuf)> {
    let (main, second) = (folder.join("shop"), folder.join("shop-web"));
    std::fs::create_dir_all(main.join("src"))?;
    for (name, text) in FILES {
        std::fs::write(main.join(name), text)?;
    }
    git(&main, &["init", "--quiet", "--initial-branch=main"]).await?;
    git(&main, &["add", "."]).await?;
    git(&main, &["commit", "--quiet", "--message=The shop as it is"]).await?;
    let place = second.display().to_string();
    git(&main, &["worktree", "add", "--quiet", "-b", "web", &place]).await?;
    Ok((main, second))
}

/// Nobody's own settings, hooks or signatures take part.
async fn git(folder: &Path, words: &[&str]) -> Outcome<String> {
    let mut command = program("git");
    command.arg("-C").arg(folder).args(["-c", "user.name=demo", "-c", "user.email=demo@localhost"]).args(words);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    ask(&mut command).await
}
