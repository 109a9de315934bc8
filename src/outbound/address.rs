//! Which addresses the server may call: public ones, and what an admin has named.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;
use url::{Host, Url};

/// What is not the public internet, and why it is refused. The first match speaks.
const CLOSED: &[(&str, &str)] = &[
    ("169.254.169.254/32", "an address of cloud metadata"),
    ("168.63.129.16/32", "an address of cloud metadata"),
    ("100.100.100.200/32", "an address of cloud metadata"),
    ("192.0.0.192/32", "an address of cloud metadata"),
    ("fd00:ec2::254/128", "an address of cloud metadata"),
    ("0.0.0.0/8", "no address of a host"),
    ("10.0.0.0/8", "a private address"),
    ("100.64.0.0/10", "a carrier's private address"),
    ("127.0.0.0/8", "a loopback address"),
    ("169.254.0.0/16", "a link-local address"),
    ("172.16.0.0/12", "a private address"),
    ("192.0.0.0/24", "a reserved address"),
    ("192.0.2.0/24", "an address of documentation"),
    ("192.88.99.0/24", "a reserved address"),
    ("192.168.0.0/16", "a private address"),
    ("198.18.0.0/15", "an address of test benches"),
    ("198.51.100.0/24", "an address of documentation"),
    ("203.0.113.0/24", "an address of documentation"),
    ("224.0.0.0/4", "a multicast address"),
    ("240.0.0.0/4", "a reserved address"),
    ("::1/128", "a loopback address"),
    ("::/128", "no address of a host"),
    ("fc00::/7", "a private address"),
    ("fe80::/10", "a link-local address"),
    ("fec0::/10", "a private address"),
    ("ff00::/8", "a multicast address"),
    ("2001::/23", "a reserved address"),
    ("2001:db8::/32", "an address of documentation"),
    ("3fff::/20", "an address of documentation"),
];

/// Of IPv6 only this is given out to hosts.
const GLOBAL_V6: &str = "2000::/3";

/// What an admin has opened beside the public internet.
#[derive(Clone, Debug, Default)]
pub struct Allowed {
    nets: Vec<IpNet>,
    hosts: Vec<String>,
}

/// How an address may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It is on the public internet.
    Public,
    /// An admin has named it.
    Named,
}

impl Allowed {
    /// Reads host names, addresses and networks; the error is the entry that is none.
    pub fn read(entries: &[String]) -> Result<Self, &String> {
        let mut allowed = Self::default();
        for entry in entries {
            if let Ok(net) = entry.parse::<IpNet>() {
                allowed.nets.push(net);
            } else if let Ok(ip) = entry.trim_matches(['[', ']']).parse::<IpAddr>() {
                allowed.nets.push(ip.into());
            } else if matches!(Host::parse(entry), Ok(Host::Domain(name)) if name.eq_ignore_ascii_case(entry)) {
                allowed.hosts.push(entry.to_ascii_lowercase());
            } else {
                return Err(entry);
            }
        }
        Ok(allowed)
    }

    /// Whether an address of a host may be called, and on what ground; the error is what it is instead.
    ///
    /// Who names a host opens the private networks for it and no more: what a name leads to changes without its owner.
    /// Metadata, link-local and multicast addresses are opened by their own number alone.
    pub fn reach(&self, host: &str, ip: IpAddr) -> Result<Reach, &'static str> {
        let ip = ip.to_canonical();
        let Some(why) = closed(ip) else { return Ok(Reach::Public) };
        let by_number = self.nets.iter().any(|net| net.contains(&ip));
        let by_name = self.hosts.iter().any(|name| name.eq_ignore_ascii_case(host)) && is_private(ip);
        if by_number || by_name { Ok(Reach::Named) } else { Err(why) }
    }

    /// Whether anything at all is opened.
    pub fn is_empty(&self) -> bool {
        self.nets.is_empty() && self.hosts.is_empty()
    }
}

/// Why an address is not the public internet; none when it is.
fn closed(ip: IpAddr) -> Option<&'static str> {
    let within = |net: &str| net.parse::<IpNet>().is_ok_and(|net| net.contains(&ip));
    if let Some(inner) = embedded(ip) {
        return closed(IpAddr::V4(inner));
    }
    if let Some((_, why)) = CLOSED.iter().find(|(net, _)| within(net)) {
        return Some(why);
    }
    (ip.is_ipv6() && !within(GLOBAL_V6)).then_some("a reserved address")
}

/// The IPv4 address that an IPv6 one leads to: mapped, compatible, NAT64, 6to4.
fn embedded(ip: IpAddr) -> Option<Ipv4Addr> {
    let IpAddr::V6(v6) = ip else { return None };
    let four = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match v6.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0..=1] => None,
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            Some(four(high, low))
        }
        _ => None,
    }
}

/// This machine, or a network of somebody's own.
fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(v4) => {
            let carrier = v4.octets()[0] == 100 && (64..128).contains(&v4.octets()[1]);
            (v4.is_private() || v4.is_loopback() || carrier) && v4 != Ipv4Addr::new(100, 100, 100, 200)
        }
        IpAddr::V6(v6) => v6 == Ipv6Addr::LOCALHOST || (v6.is_unique_local() && v6.segments()[1] != 0x0ec2),
    }
}

/// The host of an address as a name or number, without brackets.
pub fn host_of(url: &Url) -> Option<String> {
    url.host().map(|host| match host {
        Host::Domain(name) => name.trim_end_matches('.').to_owned(),
        Host::Ipv4(ip) => ip.to_string(),
        Host::Ipv6(ip) => ip.to_string(),
    })
}

/// An address as people may see it: scheme and authority. What follows can be a secret, as the topic of a push service is.
pub fn origin_of(url: &Url) -> String {
    url.origin().ascii_serialization()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(entries: &[&str]) -> Allowed {
        let entries: Vec<_> = entries.iter().map(|&entry| entry.to_owned()).collect();
        Allowed::read(&entries).unwrap()
    }

    #[test]
    fn only_the_public_internet_is_open_unasked() {
        let open = ["1.1.1.1", "9.255.255.255", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "64:ff9b::101:101"];
        for ip in open {
            assert_eq!(Allowed::default().reach("a.example", ip.parse().unwrap()), Ok(Reach::Public), "{ip}");
        }
        let shut = [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "169.254.1.1",
            "169.254.169.254",
            "168.63.129.16",
            "100.100.100.200",
            "224.0.0.1",
            "239.1.1.1",
            "255.255.255.255",
            "240.0.0.1",
            "198.18.0.1",
            "192.0.2.1",
            "::",
            "::1",
            "fe80::1",
            "fec0::1",
            "fd12::1",
            "fd00:ec2::254",
            "ff02::1",
            "2001:db8::1",
            "100::1",
            "2001::1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "::ffff:10.0.0.1",
            "::10.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1",
            "2002:7f00:1::1",
            "2002:c0a8:1::1",
        ];
        for ip in shut {
            assert!(Allowed::default().reach("a.example", ip.parse().unwrap()).is_err(), "{ip}");
        }
    }

    #[test]
    fn a_name_opens_private_networks_and_a_number_opens_itself() {
        let reach = |allowed: &[&str], ip: &str| read(allowed).reach("ntfy.lan", ip.parse().unwrap());
        for ip in ["192.168.1.7", "127.0.0.1", "::1", "fd12::7", "100.64.0.9", "::ffff:10.0.0.1"] {
            assert_eq!(reach(&["NTFY.lan"], ip), Ok(Reach::Named), "{ip}");
            assert!(reach(&["other.lan", "172.16.0.0/12"], ip).is_err(), "{ip}");
        }
        for ip in ["169.254.169.254", "169.254.1.1", "224.0.0.1", "fe80::1", "fd00:ec2::254", "0.0.0.0"] {
            assert!(reach(&["ntfy.lan"], ip).is_err(), "{ip}");
        }
        assert_eq!(reach(&["169.254.1.1"], "169.254.1.1"), Ok(Reach::Named));
        assert_eq!(reach(&["192.168.0.0/16"], "192.168.1.7"), Ok(Reach::Named));
        assert_eq!(reach(&["192.168.0.0/16"], "1.1.1.1"), Ok(Reach::Public));
        assert_eq!(reach(&["[::1]"], "::1"), Ok(Reach::Named));
    }

    #[test]
    fn what_is_neither_name_nor_number_is_refused() {
        for bad in ["", "https://ntfy.lan", "ntfy.lan:80", "10.0.0.0/40", "a b", "2130706433"] {
            assert_eq!(Allowed::read(&[bad.to_owned()]).err().map(String::as_str), Some(bad));
        }
    }

    #[test]
    fn an_address_is_shown_without_what_may_be_secret() {
        let url = Url::parse("https://ntfy.example:8443/secret-topic?auth=x").unwrap();
        assert_eq!(origin_of(&url), "https://ntfy.example:8443");
        assert_eq!(host_of(&Url::parse("http://2130706433/").unwrap()).as_deref(), Some("127.0.0.1"));
        assert_eq!(host_of(&Url::parse("http://[::1]:80/").unwrap()).as_deref(), Some("::1"));
    }
}
