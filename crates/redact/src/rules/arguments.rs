//! Secrets recognized by the call, the option or the directive that takes them.

use crate::calls::argument;
use crate::columns::column_value;
use crate::commands::{auth_variable, login_token, printed_key, short_option};
use crate::nearby::{nearby_hex_key, nearby_password};
use crate::phrases::{number_key, seed_phrase};
use crate::rule::{Rule, matched};

/// One row per kind.
pub(crate) const ROWS: &[Rule] = &[
    matched("argument-password", &["connect(", "login(", "auth(", "auth=(", "auth = (", "credential(", "credentials(", "superuser(", "getconnection(", "new pdo(", "mysqli(", "wifi.begin(", "create_user(", "withpassword(", "password(", "passwd(", "sequelize(", "signin(", "sign_in(", "logon(", "sendline(", "btoa(", "b64encode(", "base64_encode(", "keyfile(", "keystore(", "send_keys("], argument).any_case()
        .with(&["mysqli_connect(\"db\", \"root\", \"«hV8|nq2Lx!a»\", \"app\")", "server.login('ann@host.org', '«hV8|nq2Lx!a»')", "requests.get(u, auth=(\"ann\", \"«hV8|nq2Lx!a»\"))", "r.auth(\"«hV8|nq2LxTa»\")", "HTTPBasicAuth('ann', '«hV8|nq2Lx!a»')", "client.basic_auth(\"ann\", Some(\"«hV8|nq2Lx!a»\"))", "WiFi.begin(\"home\", \"«hV8|nq2Lx!a»\");", ".withPassword(\"«hV8|nq2Lx!a»\")"], &["connect(\"localhost\", \"postgres\", port)", "login(user, password)", "io.connect(\"https://host.org/V2?x=1\")", "authenticate(\"Bearer \" + token)", "db.connect('app_test_2', opts)", "passwd('must have 8 characters!')"]),
    matched("argument-key", &["jwt.encode(", "jwt.decode(", "jwt.sign(", "jwt.verify(", "hmac.new(", "hmac(", "fernet(", "aes.new(", "cipheriv(", "secretkeyspec(", "secretbox(", "signingkey(", "cipher("], argument).any_case()
        .with(&["jwt.sign({ id: 1 }, '«hV8|nq2Lx!aTk9»')", "jwt.encode(claims, \"«hV8|nq2Lx!aTk9»\", algorithm=\"HS256\")", "Fernet(b\"«aB3dE6gH9jK2mN5p|Q8sT1vW4yZ7bC0eF3hJ6aB3dE6g=»\")", "createCipheriv('aes-256-cbc', '«aB3dE6gH9jK2mN5p|Q8sT1vW4yZ7bC0eF»', iv)"], &["jwt.sign(payload, secret)", "hmac.new(key, msg, hashlib.sha256)", "createHmac('sha256', key).update('a1')", "jwt.decode(token, options={\"verify\": False})"]),
    matched("option-value", &[" -p ", " -P ", " -pw ", " -pwd ", " -w ", " -k ", " -s ", " -c ", " -A ", " -X ", " -a ", " -t ", " -K ", " -N ", " -gp ", " -xp ", " /rp ", " /p ", " -upw ", " -opw ", " -hp", " -pass ", " /p:", " --pw ", " --pw=", "user_pw ", "owner_pw "], short_option)
        .with(&["tool -u ann -p «hV8|nq2Lx» host", "tool -P «hV8|nq2Lx!a» -f k", "tool -U ann -w '«hV8|nq2Lx»'"], &["mkdir -p Build2024/Out1!", "ssh -p 2222 ann@host", "docker run -p 8080:80 Web2", "claude -p 'Fix2 it!'", "grep -P 'Ab1!cdefg'", "cp -p Report2024Final! x", "tool -p release-candidate-2", "tool -p $PASS"]),
    matched("nearby-password", &["password", "passwd", "passphrase", "passcode", "pwd", "credential", "creds", "secret", "psk", "_pass", "login", "` / `", "wi-fi", "wifi", "log in with", "sign in with", "signed in as", "user/pass", "kennwort", "passwort", "unlock code", " key ", "pin code"], nearby_password).any_case()
        .with(&["<b>Password:</b> <code>«hV8|nq2Lx!a»</code>", "variable \"db_password\" { default = \"«hV8|nq2Lx!a»\" }", "Login: ann / «hV8|nq2Lx!a»", "A temporary password is generated for root@localhost: «hV8|nq2Lx!a»", "Gmail app password: «abcd efgh| ijkl mnop»", "password for the elastic user: «hV8nq2|LxTa9Zk3»"], &["password must have 8 characters!", "the login of user2@host.org", "if password1 !== password2!", "secret santa in Chapter2!", "login&&user1!.name", "password\nmode2\nkelp9!x"]),
    matched("login-token", &[" login ", " auth ", " authenticate ", " set-key "], login_token)
        .with(&["snyk auth «0f3b2c1d-a1b2-4bbb|-8ccc-0f3b2c1d4e5f»", "tool login «aB3dE6gH9jK2|mN5pQ8sT1vW4»", "tool set-key '«aB3dE6gH9jK2|mN5pQ8sT1vW4»'"], &["tool login ann@host.org", "the login page-2026-01-02-of-it", "gh auth status", "tool login $TOKEN", "session auth 00000000-0000-0000-0000-000000000000"]),
    matched("printed-key", &["genkey", "genpsk", "openssl rand", "pwgen", "generate-key", "gen-key", "generate_key", "token_hex(", "token_urlsafe(", "randomBytes(", "key:generate", "master.key", "auth:token", "auth token", "-access-token", "initial-password", "login-password", "admin-password", "create-token", "create token", "token create"], printed_key)
        .with(&["$ wg genkey\n«aB3dE6gH9jK2mN5p|Q8sT1vW4yZ7bC0eF3hJ6aB3dE6g=»", "$ openssl rand -hex 16\n«9f8e7d6c5b4a3928|1706f5e4d3c2b1a0»\n"], &["$ wg genkey > private.key\ndone", "openssl rand -hex 16\nThe output is random", "pwgen\nversion 2.08"]),
    matched("auth-variable", &["_AUTH=", "_AUTH: ", "_auth: ", "AuthIdent: "], auth_variable)
        .with(&["NEO4J_AUTH=neo4j/«hV8nq2|LxTa»", "FLOWER_BASIC_AUTH=ann:«hV8nq2|LxTa»"], &["NEO4J_AUTH=none", "X_AUTH=basic/digest", "MY_AUTH=ann:password", "Y_AUTH=src/auth/V2x.ts"]),
    matched("nearby-key", &["private key", "private_key", "privatekey", "accounts:", "deployer", "wallet"], nearby_hex_key).any_case()
        .with(&["accounts: [\"«0x9f8e7d6c5b4a39281706f5e4d3c2b1a0|9f8e7d6c5b4a39281706f5e4d3c2b1a0»\"]", "deployer: «0x9f8e7d6c5b4a39281706f5e4d3c2b1a0|9f8e7d6c5b4a39281706f5e4d3c2b1a0»"], &["wallet 0x9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c", "the private key of it"]),
    matched("column-password", &["password", "passwd", "pwd", "pass,", "pass;"], column_value).any_case()
        .with(&["user,password,role\nann,«hV8nq2|LxTa»,x\n", "user;password;role\nann;«hV8nq2|LxTa»;x\n"], &["user,password\nann,secret\n", "the password, and more of it\nhV8nq2Lx!a, x"]),
    matched("seed-phrase", &["mnemonic", "seed phrase", "seed_phrase", "seedphrase", "seed-phrase", "recovery phrase", "recovery_phrase", "secret phrase", "backup phrase", "wallet seed"], seed_phrase).any_case()
        .with(&["MNEMONIC=\"«kelp harbour |tide gauge north salt anchor moor drift cove reef spray»\"", "seed phrase: «kelp harbour |tide gauge north salt anchor moor drift cove reef spray»", "The recovery phrase is «kelp harbour |tide gauge north salt anchor moor drift cove reef spray»."], &["a mnemonic is a word that helps to remember a rule", "seed phrase: twelve words", "MNEMONIC=$MNEMONIC"]),
    matched("number-key", &["keypair", "secretkey", "secret_key", "uint8array", "private_key", "id.json"], number_key).any_case()
        .with(&["const keypair = [«174,47,154,16,202,193,206,113,199,190,53,133,169,175,31,56,|222,53,138,189,224,216,117,173,10,149,53,45,73,251,237,246,15,185,186,82,177,240,148,69,241,227,167,80,141,89,240,121,121,35,172,247,68,251,226,218,48,63,176,109,168,89,238,135»]"], &["keypair = [1, 2, 3]", "new Uint8Array([72, 101, 108, 108, 111])"]),
];
