//! `--lan`: a certificate of our own for this machine's addresses, kept with the keys, and the address as a QR code.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Datelike, Days, NaiveDate, Utc};
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};
use rcgen::{CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, KeyPair};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use sha2::{Digest, Sha256};

use super::tls::Error;

/// Browsers refuse certificates that are valid for much longer.
const VALID: Days = Days::new(397);

/// People should not meet the end of it: a certificate this close to it is made anew.
const RENEW: Days = Days::new(30);

/// Far addresses of the usual kinds of network. Nothing is sent there: connecting a UDP socket only asks which way it would go.
const PROBES: [IpAddr; 5] = [
    IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)),
    IpAddr::V4(Ipv4Addr::new(192, 168, 255, 254)),
    IpAddr::V4(Ipv4Addr::new(10, 255, 255, 254)),
    IpAddr::V4(Ipv4Addr::new(172, 31, 255, 254)),
    IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1)),
];

/// The addresses other machines reach this one by; the best for a person first. Empty without a network.
pub fn addresses() -> Vec<IpAddr> {
    let mut found: Vec<IpAddr> = PROBES.into_iter().filter_map(way_to).collect();
    found.retain(|ip| !ip.is_loopback() && !ip.is_unspecified());
    let mut seen = Vec::with_capacity(found.len());
    for ip in found {
        if !seen.contains(&ip) {
            seen.push(ip);
        }
    }
    seen
}

fn way_to(far: IpAddr) -> Option<IpAddr> {
    let any: IpAddr = match far {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let socket = UdpSocket::bind(SocketAddr::new(any, 0)).ok()?;
    socket.connect(SocketAddr::new(far, 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// Where `--lan` listens: the loopback default would be of no use to a phone.
pub fn listen_address(asked: SocketAddr) -> SocketAddr {
    if asked.ip().is_loopback() { SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), asked.port()) } else { asked }
}

/// What this machine calls itself.
pub fn hostname() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// What the certificate is for: the addresses, the host's name also as the network announces it, and this machine itself.
pub fn names(addresses: &[IpAddr], hostname: &str) -> Vec<String> {
    let host = hostname.trim().to_ascii_lowercase();
    let usable = !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c));
    let mut names: Vec<String> = addresses.iter().map(IpAddr::to_string).collect();
    if usable && !host.contains('.') {
        names.push(format!("{host}.local"));
    }
    if usable {
        names.push(host);
    }
    names.extend(["localhost", "127.0.0.1", "::1"].map(str::to_owned));
    names.sort();
    names.dedup();
    names
}

/// The file with certificate and key for `names`, in the folder of the keys. It is made when it is missing, for other
/// names, or nearly expired; otherwise it stays, so that a phone that has accepted it is not asked again.
pub fn certificate(keys: &Path, names: &[String], now: DateTime<Utc>) -> Result<PathBuf, Error> {
    let path = keys.join("lan.pem");
    let today = now.date_naive();
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let head: Vec<&str> = kept.lines().take(2).collect();
    let wanted = format!("for {}", names.join(" "));
    if let [stands, until] = head.as_slice()
        && *stands == wanted
        && until.strip_prefix("until ").and_then(|day| day.parse().ok()) > today.checked_add_days(RENEW)
    {
        return Ok(path);
    }
    let until = today.checked_add_days(VALID).unwrap_or(NaiveDate::MAX);
    let text = format!("{wanted}\nuntil {until}\n{}", make(names, today, until)?);
    keep(&path, &text).map_err(|source| Error::NotKept { path: path.clone(), source })?;
    Ok(path)
}

fn make(names: &[String], today: NaiveDate, until: NaiveDate) -> Result<String, Error> {
    // rcgen's calendar is another crate's; only its constructor is used.
    let date = |day: NaiveDate| {
        let [month, day_of_month] = [day.month(), day.day()].map(|part| u8::try_from(part).unwrap_or(1));
        rcgen::date_time_ymd(day.year(), month, day_of_month)
    };
    let mut params = CertificateParams::new(names)?;
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, "Countersign");
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    // A day earlier, for phones whose clock is behind.
    params.not_before = date(today.pred_opt().unwrap_or(today));
    params.not_after = date(until);
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?;
    Ok(certificate.pem() + &key.serialize_pem())
}

/// Written beside and moved into place: a reader finds the old or the new, and nobody else may read either.
fn keep(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = path.with_extension("pem.new");
    let mut file: File = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(beside, path)
}

/// The certificate's SHA-256 as browsers show it, to compare before trusting it.
pub fn fingerprint(certificate: &Path) -> Result<String, Error> {
    let der = CertificateDer::from_pem_file(certificate).map_err(|source| Error::Unreadable {
        what: "the certificate",
        path: certificate.to_path_buf(),
        source,
    })?;
    let pairs: Vec<String> = Sha256::digest(&der).iter().map(|byte| format!("{byte:02X}")).collect();
    Ok(pairs.join(":"))
}

/// An address as a QR code of half-height blocks; `None` when it is too long for one. Dark on light whatever the
/// terminal's colours are, for cameras that want it so.
pub fn qr(address: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(address, EcLevel::L).ok()?;
    let drawn = code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
    let lines: Vec<String> = drawn.lines().map(|line| format!("\x1b[97;40m{line}\x1b[0m\n")).collect();
    Some(lines.concat())
}
