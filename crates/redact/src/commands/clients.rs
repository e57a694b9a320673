//! The options and arguments of programs that take a password.
//!
//! The search starts at the command, not at the option: `-p` means something
//! else nearly everywhere. To add a program, add a row.

/// A program and where its password is.
pub(super) struct Client {
    /// The command with the blank after it.
    pub(super) command: &'static str,
    /// Options whose value is the next word.
    pub(super) apart: &'static [&'static str],
    /// Options whose value follows without a blank.
    pub(super) joined: &'static [&'static str],
}

const fn client(
    command: &'static str,
    apart: &'static [&'static str],
    joined: &'static [&'static str],
) -> Client {
    Client { command, apart, joined }
}

/// Options that mean a password in every program.
pub(super) const COMMON: &[&str] = &["--password", "--pass", "--passphrase"];

/// Every program. `mysql -p name` asks for the password and opens `name`.
pub(super) const CLIENTS: &[Client] = &[
    client("mysql ", &[], &["-p"]),
    client("mysqldump ", &[], &["-p"]),
    client("mysqladmin ", &[], &["-p"]),
    client("mysqlimport ", &[], &["-p"]),
    client("mariadb ", &[], &["-p"]),
    client("mariadb-dump ", &[], &["-p"]),
    client("sshpass ", &["-p"], &["-p"]),
    client("docker login ", &["-p"], &[]),
    client("podman login ", &["-p"], &[]),
    client("buildah login ", &["-p"], &[]),
    client("skopeo login ", &["-p"], &[]),
    client("crane auth login ", &["-p"], &[]),
    client("helm registry login ", &["-p"], &[]),
    client("oc login ", &["-p"], &[]),
    client("cf login ", &["-p"], &[]),
    client("az login ", &["-p"], &[]),
    client("az acr login ", &["-p"], &[]),
    client("redis-cli ", &["-a"], &[]),
    client("mongosh ", &["-p"], &[]),
    client("mongo ", &["-p"], &[]),
    client("mongodump ", &["-p"], &[]),
    client("mongorestore ", &["-p"], &[]),
    client("mongoexport ", &["-p"], &[]),
    client("mongoimport ", &["-p"], &[]),
    client("sqlcmd ", &["-P"], &["-P"]),
    client("bcp ", &["-P"], &["-P"]),
    client("osql ", &["-P"], &["-P"]),
    client("cqlsh ", &["-p"], &[]),
    client("clickhouse-client ", &[], &[]),
    client("influx ", &["-password"], &[]),
    client("zip ", &["-P"], &[]),
    client("unzip ", &["-P"], &["-P"]),
    client("7z ", &[], &["-p"]),
    client("7za ", &[], &["-p"]),
    client("7zz ", &[], &["-p"]),
    client("unrar ", &[], &["-p"]),
    client("ldapsearch ", &["-w"], &[]),
    client("ldapmodify ", &["-w"], &[]),
    client("ldapadd ", &["-w"], &[]),
    client("ldapdelete ", &["-w"], &[]),
    client("ldapwhoami ", &["-w"], &[]),
    client("ldappasswd ", &["-w", "-s", "-a"], &[]),
    client("mosquitto_pub ", &["-P", "--pw"], &[]),
    client("mosquitto_sub ", &["-P", "--pw"], &[]),
    client("ipmitool ", &["-P"], &[]),
    client("snmpwalk ", &["-A", "-X"], &[]),
    client("snmpget ", &["-A", "-X"], &[]),
    client("evil-winrm ", &["-p"], &[]),
    client("crackmapexec ", &["-p"], &[]),
    client("nxc ", &["-p"], &[]),
    client("rdesktop ", &["-p"], &[]),
    client("xfreerdp ", &[], &["/p:"]),
    client("cmdkey ", &[], &["/pass:"]),
    client("keytool ", &["-storepass", "-keypass", "-srcstorepass", "-deststorepass"], &[]),
    client("jarsigner ", &["-storepass", "-keypass"], &[]),
    client("apksigner ", &[], &["--ks-pass=pass:", "pass:"]),
    client("openssl ", &["-k", "-K"], &["pass:"]),
    client("gh secret set ", &["--body", "-b"], &["--body=", "-b"]),
    client("security ", &["-w", "-p"], &[]),
    client("gpg ", &[], &[]),
    client("gpg2 ", &[], &[]),
    client("svn ", &[], &[]),
    client("nmcli ", &["password", "wifi-sec.psk", "802-11-wireless-security.psk"], &[]),
    client("rabbitmqadmin ", &["-p"], &[]),
    client("psexec ", &["-p"], &[]),
    client("sonar-scanner ", &[], &["-Dsonar.login=", "-Dsonar.token=", "-Dsonar.password="]),
];

/// A command whose password is one of its words: the number of words before it,
/// and an option that must be among them.
pub(super) struct Positional {
    pub(super) command: &'static str,
    pub(super) words: usize,
    /// A letter of the options that makes the word a password.
    pub(super) option: Option<char>,
}

const fn positional(command: &'static str, words: usize, option: Option<char>) -> Positional {
    Positional { command, words, option }
}

/// Every such command.
pub(super) const POSITIONALS: &[Positional] = &[
    positional("htpasswd ", 2, Some('b')),
    positional("rabbitmqctl add_user ", 1, None),
    positional("rabbitmqctl change_password ", 1, None),
    positional("wpa_passphrase ", 1, None),
    positional("net user ", 1, None),
    positional("vault login ", 0, None),
    positional("wandb login ", 0, None),
    positional("composer config http-basic", 2, None),
    positional("bundle config ", 1, None),
    positional("requirepass ", 0, None),
    positional("masterauth ", 0, None),
    positional("AUTH default ", 0, None),
    positional("redis-cli auth ", 0, None),
    positional("--docker-password ", 0, None),
    positional("ConvertTo-SecureString ", 0, None),
    positional("ConvertTo-SecureString -String ", 0, None),
    positional("aws_session_token ", 0, None),
    positional("_auth ", 0, None),
    positional("_authToken ", 0, None),
    positional("_password ", 0, None),
    positional("secret_access_key ", 0, None),
];

/// The commands of [`CLIENTS`].
pub(crate) const CLIENT_COMMANDS: &[&str] = &{
    let mut commands = [""; CLIENTS.len()];
    let mut row = 0;
    while row < CLIENTS.len() {
        commands[row] = CLIENTS[row].command;
        row += 1;
    }
    commands
};

/// The commands of [`POSITIONALS`].
pub(crate) const POSITIONAL_COMMANDS: &[&str] = &{
    let mut commands = [""; POSITIONALS.len()];
    let mut row = 0;
    while row < POSITIONALS.len() {
        commands[row] = POSITIONALS[row].command;
        row += 1;
    }
    commands
};
