//! A server: bound to a port of 127.0.0.1, then run until it is stopped.

use crate::app::App;
use crate::events::index_keeper;
use crate::limits::{SHUTDOWN_TIME, TimeLimits};
use crate::{BasePath, Secret, Settings, connections, dispatch};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The port that a server uses if it is free, so that bookmarks last.
const USUAL_PORT: u16 = 7717;

/// How long threads may go on after the last request. Ending the process while the index is
/// written is safe.
const THREADS_TIME: Duration = Duration::from_millis(200);

/// A page of the app to begin with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// Home.
    #[default]
    Home,
    /// A session, at a turn.
    Session {
        /// Its id.
        id: String,
        /// The number of the turn, as it is shown.
        turn: Option<String>,
    },
}

impl Target {
    /// The page's path below the base path. Characters that are not plain are left out:
    /// the path is part of an address that a browser opens.
    pub fn path(&self) -> String {
        let plain = |text: &str| {
            let is_plain = |it: &char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.');
            text.chars().filter(is_plain).take(200).collect::<String>()
        };
        match self {
            Target::Home => String::new(),
            Target::Session { id, turn: None } => format!("s/{}", plain(id)),
            Target::Session { id, turn: Some(turn) } => {
                format!("s/{}#t{}", plain(id), plain(turn))
            }
        }
    }
}

/// A server that is bound, but does not answer yet.
pub struct Server {
    listener: TcpListener,
    pub(crate) app: Arc<App>,
    stop: watch::Sender<bool>,
}

/// Stops a server from another thread.
#[derive(Clone, Debug)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Stops the server; it ends within two seconds.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Binds a port of 127.0.0.1.
    pub fn bind(settings: Settings) -> io::Result<Server> {
        Server::bind_within(settings, TimeLimits::default())
    }

    /// The same, with these limits on clients.
    pub(crate) fn bind_within(settings: Settings, times: TimeLimits) -> io::Result<Server> {
        let at = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = match settings.port {
            Some(port) => at(port)?,
            None => at(USUAL_PORT).or_else(|_| at(0))?,
        };
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let (stop, _) = watch::channel(false);
        Ok(Server { listener, app: Arc::new(App::new(settings, port, times)?), stop })
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.app.port
    }

    /// The token that opens the server for scripts.
    pub fn bearer(&self) -> &Secret {
        &self.app.bearer
    }

    /// An address that opens a page once, within a minute.
    pub fn one_time_address(&self, target: &Target) -> io::Result<String> {
        let code = self.app.entry.issue(Instant::now())?;
        Ok(entry_address(self.app.port, self.app.base(), &code, target))
    }

    /// The address of the app, for a browser that is in.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}{}", self.app.port, self.app.base())
    }

    /// A handle that stops the server.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.stop.clone())
    }

    /// Answers requests until the server is stopped.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let router = dispatch::router(&self.app);
        let app = Arc::clone(&self.app);
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            index_keeper::refresh_now(&self.app);
            let app = Arc::clone(&self.app);
            let mut stopped = self.stop.subscribe();
            tokio::spawn(async move {
                let _ = stopped.wait_for(|stop| *stop).await;
                app.stop();
            });
            let stop = self.stop.subscribe();
            connections::serve(listener, self.app, router, stop, SHUTDOWN_TIME).await;
            Ok::<_, io::Error>(())
        })?;
        if app.settings.is_demo {
            // The store is removed next, and nothing may be written there any more.
            drop(runtime);
            app.index_keeper.wait();
        } else {
            runtime.shutdown_timeout(THREADS_TIME);
        }
        Ok(())
    }
}

/// The address that exchanges a code for a cookie and goes on to a page.
pub fn entry_address(port: u16, base: &BasePath, code: &Secret, target: &Target) -> String {
    let to = match target.path() {
        path if path.is_empty() => String::new(),
        path => format!("&to={}", path.replace('#', "%23")),
    };
    format!("http://127.0.0.1:{port}{base}enter?code={}{to}", code.expose())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_a_plain_path() {
        let turn = |id: &str, turn: Option<&str>| {
            Target::Session { id: id.to_owned(), turn: turn.map(str::to_owned) }.path()
        };
        assert_eq!(turn("ab-12", None), "s/ab-12");
        assert_eq!(turn("ab-12", Some("7.2")), "s/ab-12#t7.2");
        assert_eq!(turn("x\"><script>/..//e", Some("1#2")), "s/xscript..e#t12");
    }
}
