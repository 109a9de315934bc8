//! Which user's process is at the other end of a loopback connection, where the kernel keeps a table of it (Linux).

use std::net::{SocketAddr, SocketAddrV4};

/// The user id; nothing where no table tells.
pub(super) fn of(client: SocketAddr, server: SocketAddr) -> Option<u32> {
    let (SocketAddr::V4(client), SocketAddr::V4(server)) = (client, server) else { return None };
    find(&std::fs::read_to_string("/proc/net/tcp").ok()?, client, server)
}

/// The eighth column of the row whose addresses are these; the client's own row, seen from its side.
fn find(table: &str, client: SocketAddrV4, server: SocketAddrV4) -> Option<u32> {
    let (client, server) = (spelled(client), spelled(server));
    table.lines().find_map(|line| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let here = columns.get(1) == Some(&client.as_str()) && columns.get(2) == Some(&server.as_str());
        columns.get(7).filter(|_| here)?.parse().ok()
    })
}

/// The kernel prints an address as the number it is in memory.
fn spelled(address: SocketAddrV4) -> String {
    format!("{:08X}:{:04X}", u32::from_ne_bytes(address.ip().octets()), address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_kernel_says_whose_a_connection_is() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let found = of(client.local_addr().unwrap(), client.peer_addr().unwrap());
        assert_eq!(found, Some(rustix::process::geteuid().as_raw()));
    }

    #[test]
    fn the_table_is_read_from_the_clients_side() {
        let (client, server) = ("127.0.0.1:49152".parse().unwrap(), "127.0.0.1:8080".parse().unwrap());
        let row = |a, b, uid: u32| {
            let (a, b) = (spelled(a), spelled(b));
            format!("   0: {a} {b} 01 00000000:00000000 00:00000000 00000000  {uid}        0 1 1 0 20 4 30 10 -1\n")
        };
        let heading =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
        let table = format!("{heading}{}{}", row(server, client, 0), row(client, server, 1000));
        assert_eq!(find(&table, client, server), Some(1000));
        assert_eq!(find(heading, client, server), None);
        assert_eq!(
            spelled("127.0.0.1:8080".parse().unwrap()),
            if cfg!(target_endian = "little") { "0100007F:1F90" } else { "7F000001:1F90" }
        );
    }
}
