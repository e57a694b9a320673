//! Secrets in forms that programs print or read.

use crate::check::is_mixed;
use crate::forms::{
    access_code, account_keys, agent_passwords, announced_password, appliance_password,
    authenticator_seed, cookie_row, cookie_rows, encoded_pair, field_below, generated_result,
    hook_key, key_array, key_file, keytab_key, last_word, list_login, listed_values, login_code,
    login_file, login_link, login_rows, mail_answer, named_array, named_cookie, nkey_seed,
    paired_codes, printed_hash, printed_rows, product_key, proof_header, recovery_codes,
    recovery_key, registry_bytes, resource_secret, salt_constant, setting_answer, token_below,
    token_shown_once, tunnel_keys, user_rows, wallet_words, wifi_code, written_key,
};
use crate::pattern::Part::Run;
use crate::pattern::{ALNUM, BASE32, UUID};
use crate::rule::{Rule, matched, named, several, token};

/// Also for a whole text, whose start is not a keyword.
pub(crate) const KEY_ARRAY: Rule = matched("key-array", &["\n[1", "\n[2", "\n[3", "\n[4", "\n[5", "\n[6", "\n[7", "\n[8", "\n[9"], key_array)
        .with(&["$ cat id.dat\n[«174,47,154,16,202,193,206,113,199,190,53,133,169,175,31,56,|222,53,138,189,224,216,117,173,10,149,53,45,73,251,237,246,15,185,186,82,177,240,148,69,241,227,167,80,141,89,240,121,121,35,172,247,68,251,226,218,48,63,176,109,168,89,238,135»]"], &["\n[1, 2, 3]", "\n[10, 20, 30, 40]"]);

/// One row per kind.
pub(crate) const ROWS: &[Rule] = &[
    token("render-key", &["rnd_"], &[Run(ALNUM, 28, 40)]).proven(is_mixed).with(
        &["rn|d_6vMIAkzBJC0boEsg0GeXIEofQPMu"],
        &["rn|d_6vMIAkzBJC0b", "zrn|d_6vMIAkzBJC0boEsg0GeXIEofQPMu", "rn|d_aaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
    ),
    matched("announced-password", &["password for the ", "password for user ", "new password for ", "initial password for ", "generated password for ", "temporary password for ", "default password for ", "root password for ", "password is:", "passwort lautet:", "new value:"], announced_password).any_case()
        .with(&["Password for the elastic user (reset with `x -u elastic`):\n  «tts3-pOy|Xooa-TfstXfJ»\n\nmore", "Password for the [ann] user reset.\nNew value: «tts3-pOy|Xooa-TfstXfJ»\n"], &["new value: tts3-pOyXooa-TfstXfJ", "password for the user:\n  the one of Ann2Lee\n", "Password for the user:\n  hunter\n", "password for the elastic user: see below"]),
    several("login-row", &["passwd.client", "pgpass"], login_rows)
        .with(&["+++ /etc/exim4/passwd.client\n@@ -1 +1 @@\n+*.relay.net:ann:«Zbx3bb87|GXmeZIgu»\n", "$ cat ~/.pgpass\nh.lan:6432:app:ann:«s!Nt-bBx#|qn78r7»\n"], &["cat ~/.pgpass\nhost:port:db:user:pw\n", "passwd.client\nmail.org:ann:$PASS\n"]),
    matched("wallet-words", &["wallet", "faucet", "metamask", "ledger", "phantom", "trezor", "testnet", "keystore", "sepolia", "goerli", " seed"], wallet_words).any_case()
        .with(&["wallet for the testnet\n\n«kelp harbour tide gauge north |salt anchor moor drift cove reef spray»\n"], &["wallet\nkeep these words safe and never show them near other open doors\n", "the wallet has twelve words"]),
    matched("hook-key", &["?key=", "&key=", "?token=", "&token=", "?secret=", "?k="], hook_key)
        .with(&["https://api.render.com/deploy/srv-47mb8udx?key=«870y3|KNqiND»"], &["https://host.org/search?key=870y3KNqiND", "https://host.org/hooks?key=main-page", "https://host.org/deploy?token=$TOKEN"]),
    token("toss-key", &["test_sk_", "live_sk_", "test_gsk_", "live_gsk_"], &[Run(ALNUM, 24, 48)]).proven(is_mixed)
        .with(&["te|st_sk_Tly3okdx4NzoMu4L1h9cp1lJ66OWgXiS"], &["te|st_sk_Tly3okdx4Nzo", "zte|st_sk_Tly3okdx4NzoMu4L1h9cp1lJ66OWgXiS", "te|st_sk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("deepl-key", &[":fx"], &[]).after(UUID, 36, 36)
        .with(&["8c9ada59-fcdc-485e|-92cc-34afb494b247:fx"], &["https://x:fx", "0f3b2c1d-a1b2:fx"]),
    matched("access-code", &["puk ", "puk: ", " pin ", "_pin ", "_pin=", "_pin\"", "_pin:", "\npin:", "tan-code", "disarm code", "door code", "alarm code", "entry code", "keypad", "暗証番号", "code pin", "türcode", "zugangscode", "pin-code ", "pincode ", "pin-code:", "pincode:", "pinは", "pinコード", "pin码", "пин ", "ПИН ", "пин-код", "ПИН-код", "kod pin", "alarm_code", "door_code", "gate_code", "unlock_code", "_pin'", "código pin", "codice pin", "-pin ", "adgangskode til", "alarmcode", "alarmkod"], access_code).any_case()
        .with(&["the PIN of the safe is «52|2530», do not write it down", "unlock_pin\"=>\"«85|4556»\"", "edi_pin     «09|230422»", "暗証番号：«87|345544»", "PUK «50|551119»", "SIM: PIN «81|25»", "el pin de la caja «52|97» pero", "ПИН токена: «66|032380»", "ロック解除PINは «44|71» です"], &["the pin 2019 is", "gpio_pin = 12", "the PIN was entered 1500 times", "_pin: 4000"]),
    several("recovery-code", &["recovery codes", "recovery code:", "recovery: ", "backup codes", "backup-codes", "recovery-codes", "recovery_codes", "backup_codes", "scratch codes", "wiederherstellungscodes", "ersatzcodes", "codes de récupération", "códigos de recuperación", "リカバリーコード", "バックアップコード", "備用碼", "备用码", "백업 코드", "резервные коды", "herstelcodes", "back-upcodes", "kody zapasowe", "codici di backup", "codici di recupero", "códigos de respaldo", "codes de secours", "yedek kod", "reservkoder", "záložní kódy"], recovery_codes).any_case()
        .with(&["GitHub recovery codes:\n«5de5a-|89852»\nand more", "recovery:    «agk8r-lkhrb|-07wfw-wv5th»", "Backup codes for ann\n1. «2927| 1614»\n"], &["recovery codes: see the sheet of 2026-01-02", "recovery codes\n\nare 8 characters long", "the backup codes are printed"]),
    matched("authenticator-seed", &["setup key", "schlüssel", "secret key", "security key", "manual entry", "enter this", "authenticator", "totp", "clé", "clave", "2fa key", "2fa secret", "mfa seed", "otp seed", "otp 시드", "2fa seed", "otp secret", "seed for ", "seed: ", "otp seed", "mfa secret", "totp seed", "totp secret", "mfa key", "mfa-", "2fa-", "authy", "setup code", "secret for "], authenticator_seed).any_case()
        .with(&["Can't scan? Enter this setup key: «jylv wtb7 rysl |edus s6g5 66l4 yc7x toox»", "den Schlüssel eintippen: «tw4u 6cc4 |g2sc 6mxa fcxe yswd o3da bqmd» (zeitbasiert)"], &["the setup key: must have four word tail", "totp: ABCD EFGH IJKL MNOP", "security key 2222"]),
    named("otp-seed", &["totp\"", "totp:", "totp=", "otp_seed", "otp_secret", "totp_secret", "totp_seed", "mfa_seed", "otpseed", "otp_key"], &[Run(BASE32, 16, 64)])
        .with(&["\"totp\": \"«PZM46MEM|DYUIWNVL»\"", "\\\"otp_seed\\\":\\\"«HPYHZOFLBJHGXYOM|K2BI5GNXXGMBBJ4P»\\\""], &["totp: true", "otp_seed: AAAAAAAAAAAAAAAA"]),
    matched("product-key", &["license key", "license_key", "licence key", "license_unlock", "product key", "product_key", "unlock_code", "activation code", "activation key", "serial number", "seriennummer", "lizenzschl"], product_key).any_case()
        .with(&["SetEnv LICENSE_UNLOCK_CODE «3PJGE-K2GSZ|-TUQXG-YNTGC»", "Product key: «3PJGE-K2GSZ|-TUQXG-YNTGC-8QWE2»"], &["license key: XXXXX-XXXXX-XXXXX-XXXXX", "license key AGPL-3.0-or-later", "serial number 12345-67890"]),
    matched("mail-answer", &["334 UGFzc3dvcmQ6"], mail_answer)
        .with(&["<~  334 UGFzc3dvcmQ6\n ~> «QnVjaGVja2Vy|bixIZXJic3Q7Mng0»\n<~  235 ok"], &["334 UGFzc3dvcmQ6\nquit"]),
    matched("setting-answer", &["\"requirepass\"", "\"masterauth\"", "\"masteruser\""], setting_answer)
        .with(&["1) \"requirepass\"\n2) \"«Specht:|Baum.Loch42»\""], &["1) \"requirepass\"\n2) \"\"", "the \"requirepass\" setting\nof it"]),
    several("agent-password", &["createUser "], agent_passwords)
        .with(&["createUser ann SHA-256 \"«Y3k?%0?|TQz*uq?6S»\" AES"], &["createUser ann SHA \"$AUTH_PASS\"", "createUser (name, role) {"]),
    matched("keytab-key", &["cts-hmac-sha", "arcfour-hmac", "des3-cbc-sha1"], keytab_key)
        .with(&["nn/host@X (aes128-cts-hmac-sha1-96)  (0x«afce0ab148b042d1|2a3d864d8e30483e»)"], &["aes256-cts-hmac-sha1-96 is the default", "arcfour-hmac (0x17)"]),
    matched("appliance-password", &["password ENC ", "passwd ENC ", "secret ENC ", "psksecret ENC ", "-key ENC ", "community ENC ", "pwd ENC "], appliance_password)
        .with(&["set psksecret ENC «SH2jPCqYz1nOWPiQ|AmNMlVmX9IDS+Y/KylSwWdYYoUH7ke88er5g==»"], &["the ENC of it", "set password ENC <encrypted>", "AN ENC ENCODED TEXT"]),
    matched("recovery-key", &["recovery key", "recovery-key", "recovery password", "numerical password", "wiederherstellungsschlüssel", "wiederherstellungskennwort", "numerisches kennwort", "clé de récupération", "mot de passe numérique", "clave de recuperación", "contraseña numérica", "chiave di ripristino", "chave de recuperação", "herstelsleutel", "återställningsnyckel", "klucz odzyskiwania", "ключ восстановления", "回復キー", "恢复密钥", "복구 키"], recovery_key).any_case()
        .with(&["Numerical Password:\n  ID: {EAE7A6A4-5281-CFE3-A1C4-20C45D92AEDC}\n  «617254-426866-244761|-604593-245278-670032-576301-020944»"], &["recovery key: see the safe", "recovery key 617254-426866"]),
    matched("registry-bytes", &["password\"=hex:", "passwordviewonly\"=hex:", "pwd\"=hex:", "passwd\"=hex:", "controlpassword\"=hex:"], registry_bytes).any_case()
        .with(&["\"Password\"=hex:«f0,02,e8,b9,|54,66,f4,f0»"], &["\"Password\"=hex:", "\"Password\"=hex:00"]),
    several("user-row", &["userlist.txt"], user_rows)
        .with(&["==> /etc/pgbouncer/userlist.txt <==\n\"app\" \"«aal-Reuse|_Kahn.14»\"\n"], &["auth_file = /etc/pgbouncer/userlist.txt\nauth_type = md5"]),
    matched("login-file", &[".auth <==", ".auth\n", "auth.txt", "/auth\n", "auth.conf\n", "login.conf\n", ".up\n", "up.txt", ".userpass\n", "userpass\n", ".creds\n", ".cred\n", ".login\n", ".pass\n", ".credentials\n", "creds.txt", "authfile\n", "auth-file\n", "pass.txt", "login.txt", "credentials.txt", "userpass.txt", "passphrase from stdin"], login_file)
        .with(&["==> /etc/openvpn/office.auth <==\nj.vermeulen\n«Havenkraan|!Zuid_52»\n", "# reading passphrase from stdin\n«fonduesavoyarde|1936»\n"], &["cat auth.txt\nNo such file\nls: x2", "auth-user-pass office.auth\nca ca.crt\nremote-2"]),
    matched("nats-seed", &["NKEY SEED-----"], nkey_seed)
        .with(&["-----BEGIN USER NKEY SEED-----\n«SU|AOBAUE5RNOLQMNSHUDMR4OHTIQ6TNQEX2YQMHEN3QXHRDTJ26MGREF54»\n------END"], &["-----BEGIN USER NKEY SEED-----\n...\n"]),
    matched("token-below", &["full-tokenid"], token_below)
        .with(&["│ full-tokenid │ ann@pve!tf │\n│ value        │ «9e50dee4-a001-4e72|-a8b5-b7605791968b» │"], &["the full-tokenid of it", "full-tokenid value none"]),
    matched("wifi-code", &["WIFI:T:", "WIFI:S:", "WIFI:P:"], wifi_code)
        .with(&["WIFI:T:WPA;S:Home;P:«kelp\\;|quay7»;;"], &["WIFI:T:nopass;S:Home;;", "WIFI:S:a;P:<password>;;"]),
    matched("cookie-file", &["\tTRUE\t", "\tFALSE\t"], cookie_row)
        .with(&[".host.org\tTRUE\t/\tTRUE\t1772323200\tauth_session\t«24f928e2e099182b|74510e474fed44ba»\n"], &[".host.org\tTRUE\t/\tFALSE\t0\ttheme\tdark2026aaaaa\n", "a\tTRUE\tb"]),
    matched("named-cookie", &["\"sid\"", "\"connect.sid\"", "\"session\"", "\"sessionid\"", "\"auth_token\"", "\"PHPSESSID\"", "\"JSESSIONID\"", "-sid\"", "_sid\"", "-session\"", "_session\"", ".sid\"", "-token\", \"value\"", "_token\", \"value\"", "\"key\": \"value\"", "\"key\":\"value\""], named_cookie)
        .with(&["{\"name\": \"sid\", \"value\": \"«s%3AHcZ8zJBdFzguKVTYPWeS7jw1|ExjgkQRl._ZWMpSnY3jgO»\"}", "{\"name\": \"session\", \"value\": \"«9f8e7d6c|5b4a3928»\"}", "\"apikey\": [{\"key\": \"value\", \"value\": \"«h8immbuJqpOhI9Dj|3aMPzZjfr6qtODhy»\"}]"], &["{\"name\": \"session\", \"value\": \"none\"}", "{\"key\": \"value\", \"value\": \"text/html\"}"]),
    matched("login-link", &["/magic/", "/reset/", "/login/m/", "/magic-link/", "/reset-password/", "/password-reset/", "/password/reset/", "/invite/", "/verify/", "/confirm/", "/hooks/", "/api/webhook/", "/api/webhooks/", "/webhook/", "/private-", "\"auth.", "/unlock/", "/build_hooks/", "/ics/", "/calendar/feed/", "ntfy.sh/", "/set-password/", "/activate/", "/magic-login/", "/sso/"], login_link)
        .with(&["https://app.host.org/auth/magic/«LkCwAniYpk_uOXpn|OGvXxwWvVcJsFecEajRH42m0»?a=1", "https://chat.host.org/hooks/«gauz6x1octa7v8dk|bspg60d6k6»", "https://c.host.org/ical/private-«f632cbe386b52500|9ef637e69c57145a»/basic.ics"], &["src/hooks/useAuthenticatedSession2Factory.ts", "https://host.org/reset/0f3b2c1d-a1b2-4bbb-8ccc-0f3b2c1d4e5f", "https://host.org/invite/welcome-to-the-team-of-2026"]),
    matched("proof-header", &["-proof: ", "-ticket: ", "-signature: ", "-credential: ", "-auth: ", "-jwt: ", "-sig: ", "-nonce-key: "], proof_header).any_case()
        .with(&["> Fjord-Session-Proof: fsp1 «vnlbos_Xi5foqQ9U2OSP|Bz6EWJJuDOQGZemsf6qA»", "-H 'x-fleet-ticket: «5idvawsm90b7s8fcuumg|ssyo0kxvi8s5goqu7zf9»'"], &["X-Ticket: OPS-311", "x-proof: 0f3b2c1d-a1b2-4bbb-8ccc-0f3b2c1d4e5f", "X-Auth: none of it, see RFC 7235"]),
    matched("key-file", &["master.key", ".erlang.cookie", "credentials.key", "secret.key", ".vault_pass", "production.key", ".vnc/passwd"], key_file)
        .with(&["--- /dev/null\n+++ b/config/master.key\n@@ -0,0 +1 @@\n+«f217a3fa722e19ca|fead817ee07bae4f»\n", "$ cat .erlang.cookie\n«APYKDWIEUF|KLQYPBZCOQ»"], &["cat config/master.key\nNo such file", "config/master.key\ncommit 9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c"]),
    matched("written-key", &["private key:", "secret key:", "api key:", "api-key von", "api key von", "access key:", "signing key:"], written_key).any_case()
        .with(&["Private Key:\n«GwFrTvWkRO1IizIrMhBT|hTCdtGHhAbpLqGcozVUpurg»\n===="], &["Private Key:\nsee the manual", "public key:\nBVmYBb0PBTkxg3cP8V77Xdd52U5mVXecCtUWgOt84rp"]),
    matched("generated-password", &["random_password", "random_string"], generated_result)
        .with(&["\"attributes\": {\n \"result\": \"«istv4#HSt1|QWW?Ud+._A»\"\n},\n\"type\": \"random_password\"", "resource \"random_password\" \"db\" {\n    result      = \"«txEc4jmRj|SVvmEpMHszQ»\"\n}"], &["random_password.db.result", "resource \"random_password\" \"db\" {\n  length = 20\n}"]),
    matched("resource-secret", &["\"aws_ssm_parameter\"", "_secret_version\"", "_vault_secret\""], resource_secret)
        .with(&["resource \"aws_ssm_parameter\" \"db\" {\n  type  = \"SecureString\"\n  value = \"«Kelp-|harbour7»\"\n}", "resource \"aws_secretsmanager_secret_version\" \"db\" {\n  secret_string = \"«sommer|-Regen7»\"\n}"], &["resource \"aws_ssm_parameter\" \"db\" {\n  type  = \"String\"\n  value = \"Kelp-harbour7\"\n}", "resource \"aws_secretsmanager_secret_version\" \"db\" {\n  secret_string = var.password\n}", "resource \"aws_ssm_parameter\" \"db\" {\n  type  = \"SecureString\"\n  value = \"${var.password1}\"\n}"]),
    matched("login-hash", &["* NTLM ", "* SHA1 ", "* LM ", "* NTHASH"], printed_hash)
        .with(&["\t * NTLM     : «84a73e3a5b31fc44|d93132cd483666d5»"], &[" * NTLM is a protocol", " * SHA1 sums: 84a7"]),
    matched("account-key", &["key1", "key2", "account keys list", "haredKeyCredential("], account_keys)
        .with(&["key1       FULL           «uuKvBIoSOKRIEpN8outED/SSzSlB1UGrU0RKfPMkYndptaD6ZMpd3ZWsN|1TyBc6aLvHDYXn2nbcQj6MRcJ+GLw==»"], &["key1 == key2", "key1: aGVsbG8gd29ybGQ=="]),
    several("tunnel-key", &["wg show"], tunnel_keys)
        .with(&["$ sudo wg show all dump\nwg0\t«QPVGCIrGEhFypNkWwza5tpf|JMs6fSuzjvmYci40ZD4k=»\tHhaRtNFUq4U8LRUO4FLrkt6vXFeo+WVCm7zaa9gIQAY=\t51820\toff\n"], &["$ wg show all dump\n", "wg show\npeer: HhaRtNFUq4U8LRUO4FLrkt6vXFeo+WVCm7zaa9gIQAY="]),
    matched("salt-constant", &["AUTH_KEY'", "LOGGED_IN_KEY'", "NONCE_KEY'", "_SALT'", "AUTH_KEY\"", "NONCE_KEY\"", "_SALT\""], salt_constant)
        .with(&["define( 'SECURE_AUTH_KEY',  '«[Z@Lt1F( EeuVLC#q4[F1VwB5cAh8B-Ls=X!X;D6In|35SB^hYeO^&G)]?EsWJsh.x»' );"], &["define('AUTH_KEY', 'put your unique phrase here');", "define('AUTH_KEY', getenv('AUTH_KEY'));"]),
    matched("service-login", &["NickServ IDENTIFY ", "NickServ identify ", "NickServ< IDENTIFY ", "nickserv identify ", "FTP: PASS ", "\nPASS ", " LOGIN ", "\"AUTH\" "], last_word)
        .with(&["/msg NickServ IDENTIFY hasel «nickel|odeon!»", "a1 LOGIN ann@host.org \"«Heuballen|_rund»\"", "USER web2847\nPASS «chorprobe|-MI-19»\n", "[0 10.1.3.8:40112] \"AUTH\" \"cacheuser\" \"«QwsdYvXe3vdR|tFy7YBdFenbtI6r8»\""], &["a1 OK LOGIN completed", "\nPASS src/auth/login.test.ts", "\nPASS\n", "the LOGIN page of the app was changed"]),
    several("login-list", &["chpasswd:", "list: |", "<<EOF | chpasswd", "chpasswd <<"], list_login)
        .with(&["chpasswd:\n  list: |\n    root:«Wolke8|-root»\n"], &["chpasswd:\n  expire: false\n", "list: |\n    name: ann\n"]),
    several("listed-secret", &["secrets", "tokens: [", "tokens = [", "_tokens=", "_keys", "apikeys", "api-keys", "keys:", "keys =", "keys=", "keys\"", "keys'", "passwords", "secret: [", "secret\": [", "secret = [", "secret=[", "secret => [", "secret: (", "keys: ["], listed_values).any_case()
        .with(&["secret: [\"«aB3dE6gH9jK2mN5p|Q8sT1vW4»\"],", "api_keys:\n  - «aB3dE6gH9jK2mN5p|Q8sT1vW4»\n", "const API_KEYS = [\n  '«aB3dE6gH9jK2mN5p|Q8sT1vW4»',\n];", "COOKIE_KEYS=short,«9f8e7d6c5b4a3928|1706f5e4d3c2b1a0»"], &["cache_keys: [\"aB3dE6gH9jK2mN5pQ8sT1vW4\"]", "\"tokens\": [\"the\", \"quick2\", \"Fox\"]", "secrets:\n  - db_password\n  - api_key_v2\n", "keys: ['9f8e7d6c5b4a39281706f5e4d3c2b1a0']", "TOKENS=1,2,3"]),
    several("printed-row", &[".password)", ".password}", ".password\"", ".secret)", ".secret}", "getpassword()", ".plaintext}", ".plaintext)", ".password]", "['password']", "[\"password\"]"], printed_rows).any_case()
        .with(&["println \"${it.id}\\t${it.password}\"\n\nann\tdeploy\t«hV8nq2|Lx!a9»\n"], &["print(u.password)\nNone\n", "hash(user.password)\nreturn user2 == User2Model\n"]),
    several("paired-code", &["2fa ", "2fa:", "2fa\n", "two-factor", "two factor", "mfa", "recovery", "backup code", "authenticator", "zwei-faktor", "ersatzcodes"], paired_codes).any_case()
        .with(&["## 2FA git\n\n  «5de5a-|89852» [redacted:recovery-code:0001]\n [redacted:recovery-code:0002] [redacted:recovery-code:0003]\n"], &["2FA\n2026-01-02 2026-01-03\n2026-01-04 2026-01-05\n", "codes\nab-1 cd-2 ef-3 gh-4\n"]),
    matched("shown-token", &["will not be shown again", "won't be shown again", "only be shown once", "shown only once", "only shown once", "won't be able to see", "copy your token", "copy your personal access token", "copy this token", "copy the token", "copy your new", "copy this key", "copy your api key", "save this key", "save your secret", "store it somewhere safe", "wird nur einmal angezeigt", "nur einmal angezeigt", "ne sera plus affich", "no se volverá a mostrar", "não será exibid", "non verrà più mostrat", "wordt maar één keer", "kopiera din", "больше не будет показан", "仅显示一次", "只显示一次", "一度だけ表示", "한 번만 표시"], token_shown_once).any_case()
        .with(&["This will not be shown again.\n\n«aB3dE6gH9jK2mN5p|Q8sT1vW4»\nCopy"], &["The tip will not be shown again.\nok\n", "copy your token\nsrc/auth/Token2Provider.ts\n"]),
    matched("field-below", &["auth token", "api token", "access token", "api key", "api-key", "secret key", "client secret", "signing secret", "api secret", "app secret", "access key", "bearer token", "webhook secret", "token:", "secret:", "shared secret", "personal access token", "refresh token", "app password", "api-schlüssel", "clé api", "clave api", "chiave api", "api-sleutel", "ключ api", "访问令牌", "api 密钥", "apiキー"], field_below).any_case()
        .with(&["Account SID\nAC1\nAuth Token\n«9f8e7d6c5b4a3928|1706f5e4d3c2b1a0»\n", "Settings\n  API key\n  «aB3dE6gH9jK2mN5p|Q8sT1vW4»\n"], &["get an API key: it has\n9f8e7d6c5b4a39281706f5e4d3c2b1a0\nof it, or\n", "Auth Token\nis required\n"]),
    several("cookie-table", &["Name\tValue\tDomain", "name\tvalue\tdomain", "Name\tValue\tPath"], cookie_rows)
        .with(&["Name\tValue\tDomain\tPath\nsessionid\t«pv0kpbsh3b9dyhh9|9rdgqiugiue0z6j6»\thost.org\t/\n"], &["Name\tValue\tDomain\ntheme\tdark2026darkdark2026\thost.org\n"]),
    matched("login-code", &["?code=", "&code=", "?otp=", "&ticket=", "?ticket=", "?t=", "&hash=", "?hash=", "?k=", "&k="], login_code)
        .with(&["https://host.org/reset-password?uid=MQ&code=«kt743i-973ced6f|993e78a0491bef77e20d89b6»"], &["https://host.org/docs?code=kt743i-973ced6f993e78a0491bef77e20d89b6", "/login?code=404", "/callback?code=$CODE"]),
    matched("encoded-pair", &["\"encoded\"", "\"encoded\\\"", "encoded:"], encoded_pair)
        .with(&["\"encoded\":\"«TjJnNE1GWlFXRmh6YlU0MldZdX|ptTEtVUzpHc1A1MHcxR1pmZ2pmQUVPbUlYd0po»\""], &["\"encoded\": \"aGVsbG8gd29ybGQ=\"", "encoded: true"]),
    KEY_ARRAY,
    matched("named-array", &["network_key", "link_key", "aes_key", "aeskey", "networkkey", "session_key", "secret_key", "private_key", "psk", "master_key", "app_key", "enc_key", "encryption_key", "hmac_key", "device_key", "trust_center_link_key", "byte[] key", "byte key[", "char key[", "uint8_t key[", "key := []byte{", "key = []byte{", "key = new byte"], named_array).any_case()
        .with(&["network_key: [«115, 23, 95, 245, 227, 254, 252, 202|, 141, 90, 251, 65, 246, 39, 10, 120»]", "uint8_t link_key[16] = { «0x1b, 0xd5, 0x5d, 0x46, 0xee, 0xac, 0x9e, 0x9a|, 0x30, 0x47, 0x48, 0xa3, 0x10, 0xd1, 0xdf, 0x69» };"], &["network_key: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]", "network_key: GENERATE", "link_key[16]"]),
];
