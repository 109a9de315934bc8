//! An Ed25519 private key in a file of its own: PKCS#8 PEM, readable by the service alone.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePrivateKey as _, EncodePrivateKey as _};

use super::error::Error;
use crate::clock::secret_bytes;

/// Reads the key, or makes it when there is none yet. `folder` is made with mode 0700.
pub(super) fn load_or_create(folder: &Path, name: &str) -> Result<SigningKey, Error> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(Error::io(folder)(error));
        }
        _ => {}
    }
    let path = folder.join(name);
    match File::open(&path) {
        Ok(file) => load(file, &path),
        Err(error) if error.kind() == ErrorKind::NotFound => create(folder, &path),
        Err(error) => Err(Error::io(&path)(error)),
    }
}

fn load(mut file: File, path: &Path) -> Result<SigningKey, Error> {
    let mode = file.metadata().map_err(Error::io(path))?.mode() & 0o777;
    if mode & 0o077 != 0 {
        return Err(Error::Exposed { path: path.to_owned(), mode });
    }
    let mut pem = String::new();
    file.read_to_string(&mut pem).map_err(Error::io(path))?;
    SigningKey::from_pkcs8_pem(&pem).map_err(|_| Error::NoKey(path.to_owned()))
}

/// Writes beside and renames, so that a crash leaves a whole key or none.
fn create(folder: &Path, path: &Path) -> Result<SigningKey, Error> {
    let key = SigningKey::from_bytes(&secret_bytes());
    let pem = key.to_pkcs8_pem(LineEnding::LF).map_err(|_| Error::NoKey(path.to_owned()))?;
    let draft = path.with_extension("new");
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&draft)
        .map_err(Error::io(&draft))?;
    file.write_all(pem.as_bytes()).and_then(|()| file.sync_all()).map_err(Error::io(&draft))?;
    std::fs::rename(&draft, path).and_then(|()| File::open(folder)?.sync_all()).map_err(Error::io(path))?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_key_is_made_once_kept_private_and_refused_when_exposed() {
        let name = format!("countersign-key-{}", hex::encode(&secret_bytes()[..8]));
        let folder = std::env::temp_dir().join(name);
        let key = load_or_create(&folder, "a.pem").unwrap();
        let path = folder.join("a.pem");
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o600);
        assert_eq!(folder.metadata().unwrap().mode() & 0o777, 0o700);
        let again = load_or_create(&folder, "a.pem").unwrap();
        assert_eq!(again.to_bytes(), key.to_bytes());
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        assert!(matches!(load_or_create(&folder, "a.pem"), Err(Error::Exposed { mode: 0o640, .. })));
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
        std::fs::write(&path, "nothing").unwrap();
        assert!(matches!(load_or_create(&folder, "a.pem"), Err(Error::NoKey(_))));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
