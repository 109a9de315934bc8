//! Links into links, at random: the client's reading of a path against the system's own.

use std::cell::Cell;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;

use countersign::domain::facts::PathKind;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::facts_world::{World, dialog};

const NAMES: &[&str] = &["a", "b", "c", "d"];

/// A path of few names, so that they meet.
fn path() -> impl Strategy<Value = String> {
    let part = prop_oneof![4 => prop::sample::select(NAMES), 1 => Just("..")];
    (prop::bool::weighted(0.1), prop::collection::vec(part, 1..4))
        .prop_map(|(outside, parts)| format!("{}{}", if outside { "../outside/" } else { "" }, parts.join("/")))
}

#[test]
fn any_tangle_of_links_is_read_as_the_system_reads_it() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let links = prop::collection::vec((path(), path()), 0..12);
    let words = prop::collection::vec(path(), 40);
    let (existing, missing, unknown) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let mut runner = TestRunner::new_with_rng(
        Config { cases: 40, failure_persistence: None, ..Config::default() },
        prop::test_runner::TestRng::deterministic_rng(prop::test_runner::RngAlgorithm::ChaCha),
    );
    let world = World::new();
    runner
        .run(&(links, words), |(links, words)| {
            for name in NAMES {
                let path = world.repo.join(name);
                drop(fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path)));
            }
            fs::create_dir_all(world.repo.join("a/b")).unwrap();
            fs::write(world.repo.join("a/d"), "").unwrap();
            for (name, target) in links.iter().filter(|(name, _)| !name.starts_with("..")) {
                // Where there is something already, there is no link.
                drop(symlink(target, world.repo.join(name)));
            }
            let facts = runtime.block_on(world.read(&dialog(&format!("cat {}", words.join(" ")))));
            for word in &words {
                let found = facts.paths.get(word);
                match fs::canonicalize(world.repo.join(word)) {
                    Ok(real) => {
                        let found = found.unwrap_or_else(|| panic!("{word} is {}", real.display()));
                        prop_assert_eq!(&found.real, real.to_str().unwrap());
                        prop_assert_eq!(found.inside, real.starts_with(&world.repo));
                        prop_assert_eq!(found.kind, if real.is_dir() { PathKind::Dir } else { PathKind::File });
                        existing.set(existing.get() + 1);
                    }
                    Err(error) if error.kind() == ErrorKind::NotFound && found.is_some() => {
                        let found = found.unwrap();
                        prop_assert_eq!(found.kind, PathKind::Missing);
                        prop_assert!(fs::symlink_metadata(&found.real).is_err(), "{} leads on", found.real);
                        // Whatever of it is there is no link any more.
                        let real = std::path::Path::new(&found.real);
                        let there = real.ancestors().find(|path| path.exists()).unwrap();
                        prop_assert_eq!(&fs::canonicalize(there).unwrap(), there);
                        prop_assert_eq!(found.inside, real.starts_with(&world.repo));
                        missing.set(missing.get() + 1);
                    }
                    Err(_) => {
                        prop_assert!(found.is_none(), "{} is {:?}", word, found);
                        unknown.set(unknown.get() + 1);
                    }
                }
            }
            Ok(())
        })
        .unwrap();
    let counts = [existing.get(), missing.get(), unknown.get()];
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
}
