//! rm and curl: never approved as commands, but a policy may approve their classes where they are proven.

use super::grammar::{After, Arguments, Flags, Node, Table, Type, Words, danger};

/// rm of named paths.
pub(super) static RM: Table = Table {
    name: "rm",
    manual: "GNU coreutils 9.1",
    runs: false,
    env: &[],
    node: Node::Arguments(&Arguments {
        flags: &Flags::gnu(&["-r", "-R", "--recursive", "-f", "--force", "-v", "--verbose", "-d", "--dir"], &[], &[]),
        words: Words { first: None, instead: &[], rest: Type::Written, least: 1, most: usize::MAX },
        after: After::Positionals,
        required: &[],
        deep: &[],
        dangers: &[
            danger(&["--no-preserve-root"], "allows the whole disk to be deleted"),
            danger(&["-i", "-I", "--interactive"], "asks questions and takes the pane"),
        ],
    }),
    samples: &["rm a.rs", "rm -r -f src"],
};

/// curl, to look at one address.
pub(super) static CURL: Table = Table {
    name: "curl",
    manual: "curl 7.88.1",
    runs: false,
    env: &[
        "http_proxy",
        "https_proxy",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "all_proxy",
        "NO_PROXY",
        "no_proxy",
        "CURL_*",
        "SSL_*",
        "SSLKEYLOGFILE",
        "NETRC",
    ],
    node: Node::Arguments(&Arguments {
        flags: &Flags::gnu(
            &["-s", "--silent", "-S", "--show-error", "-f", "--fail", "-I", "--head", "-i", "--include"],
            &[(&["-m", "--max-time"], Type::Number)],
            &[],
        ),
        words: Words::one(Type::Url),
        after: After::Never,
        required: &[],
        deep: &[],
        dangers: &[
            danger(
                &[
                    "-o",
                    "--output",
                    "-O",
                    "--remote-name",
                    "--output-dir",
                    "-J",
                    "-D",
                    "--dump-header",
                    "-c",
                    "--cookie-jar",
                    "--trace",
                ],
                "writes a file",
            ),
            danger(&["-K", "--config", "-q"], "reads more flags from a file, or skips them"),
            danger(
                &[
                    "-d",
                    "--data",
                    "--data-binary",
                    "--data-raw",
                    "-F",
                    "--form",
                    "-T",
                    "--upload-file",
                    "--json",
                    "-X",
                    "--request",
                ],
                "sends data or changes something",
            ),
            danger(
                &[
                    "-x",
                    "--proxy",
                    "--preproxy",
                    "--resolve",
                    "--connect-to",
                    "--interface",
                    "--dns-servers",
                    "--unix-socket",
                ],
                "goes to another host than the address says",
            ),
            danger(&["-L", "--location", "--next", "-:", "--url"], "goes to a second address"),
            danger(
                &["-k", "--insecure", "--cacert", "--cert", "-E", "--key"],
                "changes what is trusted, or reads a key",
            ),
            danger(&["-u", "--user", "-n", "--netrc", "-H", "--header", "-b", "--cookie"], "sends a credential"),
        ],
    }),
    samples: &["curl -s https://localhost/"],
};
