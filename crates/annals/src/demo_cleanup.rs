//! Removes the demo store when a signal ends the process, as when its terminal is
//! closed. Otherwise the store is removed when the command ends.

use demo::Remover;
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::low_level;
use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;

/// Removes the store on a signal, which then has its usual effect. ^C is not among
/// them: it belongs to the pager.
pub(crate) fn remove_on_signals(remover: &Remover) -> io::Result<()> {
    for signal in [SIGHUP, SIGTERM] {
        let (mut bell, rope) = UnixStream::pair()?;
        low_level::pipe::register(signal, rope)?;
        let remover = remover.clone();
        std::thread::spawn(move || {
            if bell.read(&mut [0]).is_ok_and(|count| count > 0) {
                remover.remove();
                let _ = low_level::emulate_default_handler(signal);
            }
        });
    }
    Ok(())
}
