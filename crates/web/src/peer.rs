//! Which user a connection on loopback comes from.
//!
//! On Linux the kernel lists every TCP socket with its owner in `/proc/net/tcp` and
//! `/proc/net/tcp6`. A connection on loopback has two rows: ours, and the one of its
//! peer, which is looked up here. Deliberately not here: what is done with the answer,
//! and other systems, which have no such list.
//!
//! The kernel walks its whole table for each reading, which takes milliseconds, and a browser
//! opens six connections at once: those that wait are judged by one reading.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use tokio::sync::oneshot;

/// The state of an established connection in the kernel's list. A socket that its program
/// has closed belongs to nobody: the kernel lists it as root's.
const ESTABLISHED: &str = "01";

/// Whether a connection may be served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    /// The peer's socket belongs to this user or to root.
    Trusted,
    /// The peer's socket belongs to somebody else.
    OtherUser,
    /// The peer's socket is gone: its program has closed it, and its owner is unknown.
    Gone,
    /// The system does not say.
    Unknown,
}

/// A connection, by the addresses of both ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    pub(crate) peer: SocketAddr,
    pub(crate) local: SocketAddr,
}

/// The connections that wait to be judged, and where each one's judgement goes.
#[derive(Debug, Default)]
pub(crate) struct Judge {
    waiting: Mutex<Vec<(Ends, oneshot::Sender<Peer>)>>,
    /// Held while the list is read.
    reading: Mutex<()>,
}

impl Judge {
    /// Adds a connection to those that wait. [`Judge::judge_waiting`] must be called after it.
    pub(crate) fn add(&self, ends: Ends) -> oneshot::Receiver<Peer> {
        let (sender, receiver) = oneshot::channel();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push((ends, sender));
        receiver
    }

    /// Judges all connections that wait, for a server that `user` runs. A connection that comes
    /// meanwhile waits for the next reading: the list may have been read before it was there.
    pub(crate) fn judge_waiting(&self, user: u32) {
        let _reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting =
            std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        let ends: Vec<Ends> = waiting.iter().map(|(ends, _)| *ends).collect();
        for ((_, sender), peer) in waiting.into_iter().zip(judge(&ends, user)) {
            // A connection that nobody serves any more needs no judgement.
            let _ = sender.send(peer);
        }
    }
}

/// Judges connections, for a server that `user` runs.
fn judge(all: &[Ends], user: u32) -> Vec<Peer> {
    let mut judged: Vec<Option<Peer>> = vec![None; all.len()];
    let mut is_readable = false;
    // A client can reach an IPv4 address through an IPv6 socket, which is in the other list.
    for path in ["/proc/self/net/tcp", "/proc/self/net/tcp6"] {
        if !cfg!(target_os = "linux") || judged.iter().all(Option::is_some) {
            break;
        }
        let Ok(table) = std::fs::read_to_string(path) else { continue };
        is_readable = true;
        for (ends, judged) in all.iter().zip(&mut judged).filter(|(_, judged)| judged.is_none()) {
            let owner = find_owner(&table, ends.peer, ends.local);
            *judged = owner.map(|owner| {
                let is_trusted = owner == user || owner == 0;
                if is_trusted { Peer::Trusted } else { Peer::OtherUser }
            });
        }
    }
    let others = if is_readable { Peer::Gone } else { Peer::Unknown };
    judged.into_iter().map(|judged| judged.unwrap_or(others)).collect()
}

/// The owner of the established socket at `own` that is connected to `other`.
fn find_owner(table: &str, own: SocketAddr, other: SocketAddr) -> Option<u32> {
    table.lines().skip(1).find_map(|row| {
        // sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid …
        let mut fields = row.split_ascii_whitespace().skip(1);
        let row_own = parse_address(fields.next()?)?;
        let row_other = parse_address(fields.next()?)?;
        let state = fields.next()?;
        if row_own != plain(own) || row_other != plain(other) || state != ESTABLISHED {
            return None;
        }
        fields.nth(3)?.parse().ok()
    })
}

/// An address without the form in which IPv6 sockets write IPv4.
fn plain(address: SocketAddr) -> (IpAddr, u16) {
    (address.ip().to_canonical(), address.port())
}

/// Parses `0100007F:1E25`. Each group of four bytes is a number in the machine's order.
fn parse_address(text: &str) -> Option<(IpAddr, u16)> {
    let (address, port) = text.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let mut bytes = Vec::with_capacity(16);
    for place in (0..address.len()).step_by(8) {
        let word = u32::from_str_radix(address.get(place..place + 8)?, 16).ok()?;
        bytes.extend(word.to_ne_bytes());
    }
    let address: IpAddr = match bytes.len() {
        4 => IpAddr::from(<[u8; 4]>::try_from(bytes).ok()?),
        16 => IpAddr::from(<[u8; 16]>::try_from(bytes).ok()?),
        _ => return None,
    };
    Some((address.to_canonical(), port))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the kernel's format on x86-64: a server on 7717, and clients of users 1000, 1001 and root; one
    /// client has closed its end.
    const TCP: &str = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1E25 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 51201 1 0000000000000000 100 0 0 10 0
   1: 0100007F:9C40 0100007F:1E25 01 00000000:00000000 00:00000000 00000000  1000        0 51310 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:1E25 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 51311 1 0000000000000000 20 4 30 10 -1
   3: 0100007F:9C42 0100007F:1E25 01 00000000:00000000 00:00000000 00000000  1001        0 51312 1 0000000000000000 20 4 30 10 -1
   4: 0100007F:9C44 0100007F:1E25 01 00000000:00000000 00:00000000 00000000     0        0 51313 1 0000000000000000 20 4 30 10 -1
   5: 0100007F:9C46 0100007F:1E25 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0000000000000000 20 4 30 10 -1
";

    /// In the same format: a client that connects to 127.0.0.1 through an IPv6 socket.
    const TCP6: &str = "\
  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0000000000000000FFFF00000100007F:9C48 0000000000000000FFFF00000100007F:1E25 01 00000000:00000000 00:00000000 00000000  1001        0 51320 1 0000000000000000 20 4 30 10 -1
   1: 00000000000000000000000001000000:9C50 00000000000000000000000001000000:1E25 01 00000000:00000000 00:00000000 00000000  1000        0 51321 1 0000000000000000 20 4 30 10 -1
";

    #[cfg(target_os = "linux")]
    fn judge_one(peer: SocketAddr, local: SocketAddr, user: u32) -> Peer {
        judge(&[Ends { peer, local }], user)[0]
    }

    fn owner(table: &str, peer: &str, local: &str) -> Option<u32> {
        find_owner(table, peer.parse().unwrap(), local.parse().unwrap())
    }

    #[cfg(target_endian = "little")]
    #[test]
    fn the_owner_of_a_peer_is_in_the_row_of_its_socket() {
        let local = "127.0.0.1:7717";
        assert_eq!(owner(TCP, "127.0.0.1:40000", local), Some(1000));
        assert_eq!(owner(TCP, "127.0.0.1:40002", local), Some(1001));
        assert_eq!(owner(TCP, "127.0.0.1:40004", local), Some(0));
        assert_eq!(owner(TCP, "127.0.0.1:40000", "127.0.0.1:7718"), None);
        assert_eq!(owner(TCP, "127.0.0.1:1", local), None);
        assert_eq!(owner(TCP6, "127.0.0.1:40008", local), Some(1001));
        assert_eq!(owner(TCP6, "[::1]:40016", "[::1]:7717"), Some(1000));
    }

    #[cfg(target_endian = "little")]
    #[test]
    fn a_closed_socket_has_no_owner_although_the_kernel_lists_it_as_roots() {
        assert_eq!(owner(TCP, "127.0.0.1:40006", "127.0.0.1:7717"), None);
    }

    #[test]
    fn damaged_rows_are_skipped() {
        for table in ["", "\n", "sl\n 0: x y 01", "sl\n 0: 0100007F:ZZZZ", "sl\n 0: 01:1 02:2 01 a"]
        {
            assert_eq!(owner(table, "127.0.0.1:1", "127.0.0.1:2"), None, "{table:?}");
        }
        assert_eq!(parse_address("0100007é:1E25"), None);
    }

    /// The kernel's own rows, whose format the samples above imitate.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_kernel_lists_a_client_with_its_owner_in_the_table_of_its_family() {
        use std::net::{Ipv4Addr, SocketAddrV6, TcpListener, TcpStream};
        use std::os::unix::fs::MetadataExt as _;
        let own = std::fs::metadata("/proc/self").unwrap().uid();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let local = listener.local_addr().unwrap();
        let mapped = SocketAddrV6::new(Ipv4Addr::LOCALHOST.to_ipv6_mapped(), local.port(), 0, 0);
        for (to, file) in [(local, "tcp"), (SocketAddr::V6(mapped), "tcp6")] {
            // A machine may have no IPv6.
            let Ok(client) = TcpStream::connect(to) else { continue };
            let (server, peer) = listener.accept().unwrap();
            let table = std::fs::read_to_string(format!("/proc/self/net/{file}")).unwrap();
            assert_eq!(find_owner(&table, peer, local), Some(own), "{file}: {table}");
            let other = if file == "tcp" { "tcp6" } else { "tcp" };
            let table = std::fs::read_to_string(format!("/proc/self/net/{other}"));
            let in_other = table.ok().and_then(|table| find_owner(&table, peer, local));
            assert_eq!(in_other, None, "{other}");
            assert_eq!(judge_one(peer, local, own), Peer::Trusted);
            if own != 0 {
                assert_eq!(judge_one(peer, local, own + 1), Peer::OtherUser);
            }
            drop((client, server));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_connection_is_trusted_or_of_another_user_or_gone() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (server, peer) = listener.accept().unwrap();
        let local = server.local_addr().unwrap();
        let table = std::fs::read_to_string("/proc/self/net/tcp").unwrap();
        let user = find_owner(&table, peer, local).expect("the row of this client");
        assert_eq!(judge_one(peer, local, user), Peer::Trusted);
        if user != 0 {
            assert_eq!(judge_one(peer, local, user + 1), Peer::OtherUser);
        }
        drop(client);
        assert_eq!(judge_one(peer, local, user), Peer::Gone);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn connections_that_wait_are_judged_by_one_reading_and_each_gets_its_own_judgement() {
        use std::net::{TcpListener, TcpStream};
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let accept = || {
            let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let (server, peer) = listener.accept().unwrap();
            let local = server.local_addr().unwrap();
            (client, server, Ends { peer, local })
        };
        let table = || std::fs::read_to_string("/proc/self/net/tcp").unwrap();
        let (one, other) = (accept(), accept());
        let user = find_owner(&table(), one.2.peer, one.2.local).expect("the row of this client");
        drop(other.0);
        let judge = Judge::default();
        let mut waiting = [one.2, other.2].map(|ends| judge.add(ends));
        judge.judge_waiting(user);
        let judged = waiting.each_mut().map(|waiting| waiting.try_recv().unwrap());
        assert_eq!(judged, [Peer::Trusted, Peer::Gone]);
        // Nobody waits any more.
        judge.judge_waiting(user);
        drop(one.0);
    }
}
