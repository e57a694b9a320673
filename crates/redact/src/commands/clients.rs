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
    client("snmpwalk ", &["-A", "-X", "-c"], &[]),
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
    client("openssl ", &["-k", "-K", "-psk"], &["pass:"]),
    client("gh secret set ", &["--body", "-b"], &["--body=", "-b"]),
    client("security ", &["-w", "-p"], &[]),
    client("gpg ", &[], &[]),
    client("gpg2 ", &[], &[]),
    client("svn ", &[], &[]),
    client("nmcli ", &["password", "wifi-sec.psk", "802-11-wireless-security.psk"], &[]),
    client("rabbitmqadmin ", &["-p"], &[]),
    client("psexec ", &["-p"], &[]),
    client("codecov ", &["-t"], &[]),
    client("oathtool ", &["-b", "--base32"], &[]),
    client("az ", &["-p", "--admin-password", "--value"], &[]),
    client("aws ssm put-parameter ", &["--value"], &["--value="]),
    client("aws secretsmanager ", &["--secret-string"], &["--secret-string="]),
    client("isql ", &["-P"], &["-P"]),
    client("tsql ", &["-P"], &["-P"]),
    client("beeline ", &["-p"], &[]),
    client("twine upload ", &["-p"], &[]),
    client("xcrun ", &["-p"], &[]),
    client("security import ", &["-P"], &[]),
    client("openssl passwd ", &["-1", "-5", "-6", "-apr1"], &[]),
    client("mkpasswd ", &["-m sha-512"], &[]),
    client("caddy hash-password ", &["--plaintext", "-p"], &["--plaintext="]),
    client("slappasswd ", &["-s"], &[]),
    client("dsconf ", &["-w"], &[]),
    client("nerdctl login ", &["-p"], &[]),
    client("influx setup ", &["-p", "-t", "--token"], &[]),
    client("airflow users create ", &["-p"], &[]),
    client("knife bootstrap ", &["-P"], &[]),
    client("pdftk ", &["user_pw", "owner_pw", "input_pw"], &[]),
    client("ssh-keygen ", &["-N", "-P"], &[]),
    client("cryptsetup ", &[], &["--key="]),
    client("rar ", &[], &["-hp", "-p"]),
    client("rclone ", &["pass", "password"], &["pass=", "password="]),
    client("psexec.exe ", &["-p"], &[]),
    client("schtasks ", &["/rp", "/p", "/RP", "/P"], &[]),
    client("sc.exe ", &["password="], &[]),
    client("vmrun ", &["-gp", "-hp"], &[]),
    client("dotnet nuget ", &["-k", "--api-key", "-p"], &[]),
    client("cargo login ", &["--"], &[]),
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
    positional("htpasswd -nb ", 1, None),
    positional("htpasswd -nbB ", 1, None),
    positional("htpasswd -bn ", 1, None),
    positional("htpasswd -nbm ", 1, None),
    positional("rabbitmqctl add_user ", 1, None),
    positional("rabbitmqctl change_password ", 1, None),
    positional("wpa_passphrase ", 1, None),
    positional("net user ", 1, None),
    positional("net use ", 1, None),
    positional(" /user:", 1, None),
    positional(" /USER:", 1, None),
    positional("isql ", 2, None),
    positional("db2 connect to ", 4, None),
    positional("mkpasswd ", 0, None),
    positional("mkpasswd -m sha-512 ", 0, None),
    positional("openssl passwd ", 0, None),
    positional("rclone obscure ", 0, None),
    positional("set-user-password ", 2, None),
    positional("vault operator unseal ", 0, None),
    positional("cargo login ", 0, None),
    positional("qpdf --encrypt ", 0, None),
    positional("-setairportnetwork ", 2, None),
    positional("reset-admin-password ", 0, None),
    positional("user-password ", 1, None),
    positional("drush upwd ", 1, None),
    positional("set-single-user-credentials ", 1, None),
    positional("encrypt_string ", 0, None),
    positional("http-basic.", 2, None),
    positional("pypi-token.", 1, None),
    positional("npmAuthToken ", 0, None),
    positional("radtest ", 1, None),
    positional("snmp-server community ", 0, None),
    positional("rocommunity ", 0, None),
    positional("rwcommunity ", 0, None),
    positional("radius-server key ", 0, None),
    positional("tacacs-server key ", 0, None),
    positional(" password 7 ", 0, None),
    positional(" secret 7 ", 0, None),
    positional(" key 7 ", 0, None),
    positional(" password 0 ", 0, None),
    positional(" secret 0 ", 0, None),
    positional(" key 0 ", 0, None),
    positional("NickServ< IDENTIFY ", 1, None),
    positional(": PSK ", 0, None),
    positional(": EAP ", 0, None),
    positional(": XAUTH ", 0, None),
    positional("\" * ", 0, None),
    positional(" on >", 0, None),
    positional("-setcookie ", 0, None),
    positional("-cookie ", 0, None),
    positional("send \"", 0, None),
    positional("send -- \"", 0, None),
    positional("set-env ", 2, None),
    positional("tsig-keygen ", 0, None),
    positional("prosodyctl register ", 2, None),
    positional("ejabberdctl register ", 2, None),
    positional("doveadm auth test ", 1, None),
    positional("mc alias set ", 3, None),
    positional("mc config host add ", 3, None),
    positional("option key ", 0, None),
    positional("auth-pass mymaster ", 0, None),
    positional("\nuser ", 1, None),
    positional("isakmp key ", 0, None),
    positional("vault login ", 0, None),
    positional("wandb login ", 0, None),
    positional("composer config http-basic", 2, None),
    positional("bundle config ", 1, None),
    positional("requirepass ", 0, None),
    positional("masterauth ", 0, None),
    positional("AUTH default ", 0, None),
    positional("]:587 ", 0, None),
    positional("]:465 ", 0, None),
    positional("]:25 ", 0, None),
    positional("]:2525 ", 0, None),
    positional(":587 ", 0, None),
    positional(":465 ", 0, None),
    positional("]:submission ", 0, None),
    positional("]:smtp ", 0, None),
    positional("]:smtps ", 0, None),
    positional("3 AUTH ", 1, None),
    positional("2 AUTH ", 1, None),
    positional("auth default ", 0, None),
    positional("> auth ", 0, None),
    positional("AUTH ", 0, None),
    positional("AUTH PLAIN ", 0, None),
    positional(" LOGIN ", 1, None),
    positional("nickserv identify ", 0, None),
    positional("NickServ IDENTIFY ", 0, None),
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

/// Those of them that take nothing but a password there, whatever characters it has.
pub(super) const CERTAIN: &[&str] = &[
    "htpasswd ",
    "htpasswd -nb ",
    "htpasswd -nbB ",
    "htpasswd -bn ",
    "htpasswd -nbm ",
    "rabbitmqctl add_user ",
    "rabbitmqctl change_password ",
    "wpa_passphrase ",
    "ConvertTo-SecureString ",
    "ConvertTo-SecureString -String ",
    "requirepass ",
    "masterauth ",
    "nickserv identify ",
    "NickServ IDENTIFY ",
    "snmp-server community ",
    "rocommunity ",
    "rwcommunity ",
    "radius-server key ",
    "tacacs-server key ",
    " password 0 ",
    " secret 0 ",
    " key 0 ",
    ": PSK ",
    ": EAP ",
    ": XAUTH ",
    "isakmp key ",
    "AUTH default ",
    "doveadm auth test ",
    "/RP ",
    "NickServ< IDENTIFY ",
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
