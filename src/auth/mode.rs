//! Whose power reaches around us: what does not hold when agents run as the service's own user.

/// The one line that says which promises do not hold; nothing in strong mode.
pub fn same_user_warning() -> Option<String> {
    let uid = rustix::process::geteuid().as_raw();
    let passwd = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    if is_service_account(&passwd, uid) {
        return None;
    }
    Some(format!(
        "same-user mode: whoever runs as uid {uid} can read the keys and edit the database; run agents as another user \
         for the promises about hostile agents to hold"
    ))
}

/// An account that nobody can log in to runs nothing but this service.
fn is_service_account(passwd: &str, uid: u32) -> bool {
    let uid = uid.to_string();
    passwd
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>())
        .find(|fields| fields.get(2) == Some(&uid.as_str()))
        .and_then(|fields| fields.get(6).copied())
        .is_some_and(|shell| shell.ends_with("/nologin") || shell.ends_with("/false"))
}

#[cfg(test)]
mod tests {
    use super::is_service_account;

    #[test]
    fn an_account_without_a_shell_is_a_services_own() {
        let passwd = "root:x:0:0:root:/root:/bin/bash\nsvc:x:105:112::/data:/usr/sbin/nologin\n";
        assert!(is_service_account(passwd, 105));
        assert!(!is_service_account(passwd, 0));
        assert!(!is_service_account(passwd, 1000));
    }
}
