//! The exact line that installs Postgres on this system.

/// One command to type, chosen by the distribution's own description of itself.
pub(super) fn line() -> String {
    if cfg!(target_os = "macos") {
        return for_family("macos").to_owned();
    }
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let words = families(&release);
    let family = words.iter().find(|word| for_family(word) != UNKNOWN);
    for_family(family.map_or("", String::as_str)).to_owned()
}

const UNKNOWN: &str = "your package manager (package postgresql, the server)";

/// `ID` first, then what it says it is like.
fn families(release: &str) -> Vec<String> {
    let field = |key: &str| {
        release.lines().find_map(|line| line.strip_prefix(key)).map(|value| value.trim_matches('"').to_owned())
    };
    let own = field("ID=").into_iter();
    let like = field("ID_LIKE=").unwrap_or_default();
    own.chain(like.split_whitespace().map(str::to_owned)).collect()
}

fn for_family(family: &str) -> &'static str {
    match family {
        "debian" | "ubuntu" => "sudo apt-get install -y postgresql",
        "fedora" | "rhel" | "centos" => "sudo dnf install -y postgresql-server",
        "arch" => "sudo pacman -S --noconfirm postgresql",
        "alpine" => "sudo apk add postgresql",
        "suse" | "opensuse" => "sudo zypper install -y postgresql-server",
        "macos" => "brew install postgresql@17",
        _ => UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::{families, for_family};

    #[test]
    fn follows_the_distribution() {
        for (release, start) in [
            ("NAME=x\nID=debian\n", "sudo apt-get"),
            ("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "sudo apt-get"),
            ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "sudo dnf"),
            ("ID=plan9\n", "your package manager"),
        ] {
            let words = families(release);
            let line = words.iter().map(|word| for_family(word)).find(|line| !line.starts_with("your"));
            assert!(line.unwrap_or("your package manager").starts_with(start), "{release}");
        }
    }
}
