//! What the web app's server answers.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::stores::Program;
use super::texts::StoreTexts;

/// Answers about the store.
const OF_STORE: &[&str] = &[
    "api/1/home",
    "api/1/sessions?limit=50",
    "api/1/sessions?limit=50&format=csv",
    "api/1/search?q=the",
    "api/1/search?q=the&format=csv",
    "api/1/search/facets?q=the",
    "api/1/usage?by=day,model",
    "api/1/usage?by=app",
    "api/1/usage?by=project&format=csv",
    "api/1/usage/blocks",
    "api/1/usage/limits",
    "api/1/usage/hours",
    "api/1/usage/unused",
    "api/1/projects",
    "api/1/prompts",
    "api/1/plans",
    "api/1/marks",
    "api/1/tools",
    "api/1/tools/stats",
    "api/1/archive",
    "api/1/files",
    "api/1/doctor",
    "api/1/sql/schema",
    "api/1/sql?q=SELECT%20count(*)%20FROM%20sessions",
];

/// Answers about a session, with its id in place of `ID`.
const OF_SESSION: &[&str] = &[
    "api/1/sessions/ID",
    "api/1/sessions/ID/outline",
    "api/1/sessions/ID/context",
    "api/1/sessions/ID/lanes",
    "api/1/sessions/ID/find?q=the",
    "api/1/sessions/ID/agents",
    "api/1/sessions/ID/usage?by=model",
    "api/1/sessions/ID/plan",
    "api/1/sessions/ID/records?from=1&to=5",
    "api/1/sessions/ID/tools",
    "fragment/sessions/ID/turns?from=0&to=40&thinking=1&tools=full&agents=inline",
    "export/ID?format=html",
    "export/ID?format=md",
];

/// A server, which ends with this value.
struct Server {
    child: Child,
    /// `127.0.0.1:PORT`
    host: String,
    /// The random path of the home.
    base: String,
    token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(program: &Program<'_>) -> Result<Server> {
        let mut command = program.command(&["serve", "--port", "0"]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().context("cannot start annals serve")?;
        let mut address = String::new();
        let output = child.stdout.take().context("its output")?;
        BufReader::new(output).read_line(&mut address)?;
        let rest = address.trim().strip_prefix("http://").context("an address")?;
        let (host, path) = rest.split_once('/').context("a path")?;
        let port = host.rsplit(':').next().context("a port")?;
        let file = program.home().join("annals/web").join(format!("{port}.json"));
        let file: Value = serde_json::from_slice(&std::fs::read(&file)?).context("its file")?;
        let token = file["token"].as_str().context("a token")?.to_owned();
        let base = path.split('/').next().unwrap_or_default().to_owned();
        Ok(Server { child, host: host.to_owned(), base, token })
    }

    /// The status and the body, without the path of this home.
    fn get(&self, path: &str) -> Result<String> {
        let mut stream = TcpStream::connect(&self.host).context("cannot reach annals serve")?;
        write!(
            stream,
            "GET /{}/{path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
             Connection: close\r\n\r\n",
            self.base, self.host, self.token
        )?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let answer = String::from_utf8_lossy(&answer);
        let Some((head, body)) = answer.split_once("\r\n\r\n") else {
            bail!("no answer to {path}")
        };
        let status = head.lines().next().unwrap_or_default();
        Ok(format!("{status}\n{body}").replace(&self.base, "BASE").replace(&self.host, "SERVER"))
    }
}

pub(super) fn ask(
    program: &Program<'_>,
    sessions: &[String],
    texts: &StoreTexts<'_>,
) -> Result<()> {
    let of_sessions =
        sessions.iter().flat_map(|id| OF_SESSION.iter().map(|path| path.replace("ID", id)));
    let asked: Vec<_> = OF_STORE
        .iter()
        .map(|path| (*path).to_owned())
        .chain(of_sessions)
        .filter_map(|path| Some((texts.path("web", &path)?, path)))
        .collect();
    if asked.is_empty() {
        return Ok(());
    }
    let server = Server::start(program)?;
    for (to, path) in asked {
        texts.write(&to, &server.get(&path)?)?;
    }
    Ok(())
}
