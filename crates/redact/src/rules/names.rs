//! Secrets recognized by what is near them: a program that reads them, a name
//! that is hardly proof, a form that only password files have.

use crate::assignment::find_key;
use crate::commands::{
    POSITIONAL_COMMANDS, column_password, command_password, here_password, inserted_passwords,
    piped_password, word_passwords,
};
use crate::contexts::{asana_token, hook_path, nearby_key, short_hook_path};
use crate::hashes::{
    crypt_hash, postgres_hash, scheme_hash, scram_hash, switch_password, windows_hash, zone_key,
};
use crate::keys::{putty_key, ssh2_key, static_key, web_key, xml_key};
use crate::logins::slash_login;
use crate::pattern::Part::Run;
use crate::pattern::{ALNUM, ANY_HEX, HEX, QUERY64};
use crate::rule::{Rule, matched, named, several, token};

/// One row per kind.
pub(crate) const ROWS: &[Rule] = &[
    named("honeycomb-team-key", &["x-honeycomb-team"], &[Run(ALNUM, 20, 40)])
        .with(&["X-Honeycomb-Team: «aB3dE6gH9jK2|mN5pQ8sT1v»"], &["X-Honeycomb-Team: my-team"]),
    named("saml-response", &["samlresponse"], &[Run(QUERY64, 100, 20000)])
        .with(&["RelayState=x&SAMLResponse=«PHNhbWxwOlJlc3BvbnNlIElEPSJfOGU4ZGM1ZjY5YTk4Y2M0YzFm|ZjM0MjdlNWNlMzQ2MDZmZDY3MmY5MWU2IiBWZXJzaW9uPSIyLjAiIElzc3VlSW5zdGFudD0i»"], &["SAMLResponse=short", "the SAMLResponse of it"]),
    named("sonar-login", &["sonar.login"], &[Run(HEX, 40, 40)])
        .with(&["-Dsonar.login=«9f8e7d6c5b4a39281706|f5e4d3c2b1a09f8e7d6c»"], &["sonar.login=ann", "the sonar.login of it"]),
    named("subscription-key", &["subscription-key", "api-key", "apikey", "x-algolia-api-key", "appid"], &[Run(HEX, 32, 32)])
        .with(&["Ocp-Apim-Subscription-Key: «9f8e7d6c5b4a3928|1706f5e4d3c2b1a0»", "https://api.openweathermap.org/x?appid=«9f8e7d6c5b4a3928|1706f5e4d3c2b1a0»&q=Brest"], &["Subscription-Key: KEY", "api-keys: 9f8e7d6c5b4a3928|1706f5e4d3c2b1a0"]),
    matched("assigned-key", &["_KEY=", "_KEY:", "_KEY\"", "_KEY =", "_KEY'", "_Key=", "_key=", "_key =", "_key: ", "_key ", "_Key:", " key=", "key: \"", "key: '", "?key=", "&key=", "\nkey=", "-Key: ", "-key: ", "_PAT=", "_PAT: ", "_PAT\"", "_PAT'", "_PAT\n", "_PAT</", "_KEY\n", "_KEY</", "\nkey = ", "\nkey: ", "/key\"", ".key\"", "-key\"", "_SALT=", "_SALT'", "_SALT:", "SALT=", "PEPPER=", "hmac_key", "_CERTIFICATE=", "appid=", "_key\": \"", "appKey", "AppKey", "appkey=", "applicationKey", "ApplicationKey", "licenseKey", "LicenseKey", "licensekey", "accountKey", "AccountKey", "writeKey", "serverKey", "adminKey", "serviceKey", "deployKey", "deploy_key", "storageKey", "consumerKey", "hmacKey", "HmacKey", "hmac key", "HMAC key", "HMAC Key", "cipherKey", "aesKey", "aes_key", "AES key", "sharedKey", "shared_key", "functionKey", "ingestionKey", "integrationKey", "integration_key", "routing_key", "routingKey", "merchantKey", "merchant_key", "clientKey", "client_key", "securityKey", "security_key", "gatewayKey", "sessionKey", "session_key", "signKey", "sign_key", "jwtKey", "jwt_key", "cryptKey", "crypt_key", "encKey", "enc_key", "secretToken", "signature_key", "verification_key", "authkey ", "erlang.cookie", "erlang cookie", "recovery_key", "recoveryKey", "backupKey", "backup_key", "restApiKey", "rest_key", "validationKey", "decryptionKey", "validationkey", "_seed", "Seed:", "_SEED", "-Seed", "pepper:", "pepper\"", "pepper =", "_SALT ", "_salt", "Salt:", "_TOK=", "_TOK ", "_TOK\"", "_ADMIN=", "PROJECT_ID=", "reset_code", "APPKEY=", "APPSKEY=", "NWKSKEY=", "+APPKEY", "auth[] ", "\"auth\":", "\"auth\\\":", "-Key!=", "-Key ", "_key ~=", "salt=", "_io=", "revenueCat", "-Access-Key", "network_key", "dns hetzner ", "dns cloudflare ", "dns digitalocean ", "dns gandi ", "dns porkbun ", "dns route53 ", "_pat=", "_PIN=", "SHARED =", "_KEY !=", "AdminKey", "APIKey", "ApiKey", "Key = \"", "Key: \"", "Key\": \"", "Key = '", "Key: '", "Key=\"", "Key\" value=", "\"key\": \"", "'key' => '", "key='", "key=\"", ".key='", "_BEARER", "_AUTH =", "_AUTH\"", "_AS=", "_CK=", "_SK=", "_SESSION=", "--session ", "hmac-key", "KeyHex", "_key_hex", "KEY_HEX", "S2_AccessControl", "S2_Authenticated", "S2_Unauthenticated", "S0_Legacy", "Secret_Key", "_private'", "_private\"", "webhook HMAC:", "Webhook HMAC:", "webhook hmac:", "HMAC secret:", "HMAC-Secret:", "certificate-key ", "encryption-key ", "signing-key ", "account-key ", "shared-key ", "Key</", "AUTH: &", "AUTH = ", "AUTH=", "AUTH: "], find_key)
        .with(&["SEARCH_KEY=«aB3dE6gH9jK2|mN5pQ8sT1vW4yZ7bC0eF3hJ6»", "FAL_KEY=«0f3b2c1d-a1b2-4bbb-8ccc-0f3b2c1d4e5f|:9f8e7d6c5b4a39281706f5e4d3c2b1a0»", "Fastly-Key: «aB3dE6gH9jK2|mN5pQ8sT1vW4yZ7bC0eF»", "AUTH_SALT=«aB3dE6gH9jK2|mN5pQ8sT1vW4yZ7bC0eF»", "static let algoliaAdminKey = \"«9f8e7d6c5b4a3928|1706f5e4d3c2b1a0»\"", "FixerKey: \"«9f8e7d6c5b4a3928|1706f5e4d3c2b1a0»\"", "\"Jwt\": { \"Key\": \"«aB3dE6gH9jK2mN5p|Q8sT1vW4yZ7bC0eF»\" }", "[{\"key\":\"X_REST_KEY\",\"value\":\"«MGU4YzA5YWQtOWUwYi|00NThmLTllMTMtMGVmYWJj»\"}]", "INGEST_BEARER: &str = \"«qJSif6zODkXji9K5|EKsOXRy3TTMjObvF»\"", "{session_key, <<\"«oakr0jmGOyfiK1dh|u9/+hnOAXNnaK8p/fS9PGkSGIdc=»\">>}", "OVH_AS=«zWgPJPSXWZ87Xba0|jphgX5gBUo5HgmVd»", "S0_Legacy: «54816E00B49A0E3C|AE7F89BE17A33711»"], &["PUBLIC_KEY=aB3dE6gH9jK2|mN5pQ8sT1vW4yZ7bC0eF", "SORT_KEY=created_at_2", "CACHE_KEY: node-modules-9f8e7d6c5b4a3928", "PRIMARY_KEY = users_id", "Idempotency-Key: 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "<li key=\"9f8e7d6c5b4a39281706f5e4d3c2b1a0\">", "imageKey: \"9f8e7d6c5b4a39281706f5e4d3c2b1a0\"", "MANIFEST_KEY=m/9f8e7d6c5b4a39281706f5e4d3c2b1a0.json"]),
    several("word-password", POSITIONAL_COMMANDS, word_passwords)
        .with(&["htpasswd -bc .htpasswd ann «hV8|nq2Lx»", "rabbitmqctl add_user ann «hV8|nq2Lx»", "rabbitmqctl change_password ann '«hV8|nq2Lx!»'", "wpa_passphrase Home «hV8|nq2LxTa»", "net user ann «hV8|nq2Lx» /add", "net use Z: \\\\\\\\fs\\share /user:CORP\\\\ann «hV8|nq2Lx!a»", "vault login «aB3dE6gH9jK2|mN5pQ8sT1vW4»", "masterauth «aB3dE6gH|9jK2mN5p»", "ConvertTo-SecureString '«hV8|nq2Lx!a»' -AsPlainText -Force", "bundle config gems.host.org ann:«aB3dE6gH|9jK2mN5p»", "mosquitto_passwd -b /etc/mosquitto/passwd ann '«Varmtvann,|i,rør,8»'", "bw login ann@host.org '«Vindima!|Douro_Setembro»'", "samba-tool user add ann «Fruehschicht|_06Uhr» --given-name=A", "walletpassphrase \"«Oma's Apfelkiste| 1953 #Keller»\" 120", "set snmp community «Qu4rtz|Polling» authorization read-only"], &["htpasswd -c .htpasswd ann", "htpasswd .htpasswd ann hV8|nq2Lx", "rabbitmqctl add_user ann password", "wpa_passphrase Home passphrase", "net user ann $PASS /add", "vault login -method=github", "requirepass yourpassword1", "bundle config set path vendor"]),
    matched("piped-password", &["sudo -S", "sudo -kS", "sudo -Sk", "sudo --stdin", "--password-stdin", "--passwd-on-stdin", "chpasswd", "--with-token", "secret create ", "secret put ", "secret set ", "secrets set ", "env add ", "su -c", "| su ", "secrets create ", "secrets versions add ", "passwd ", "kinit ", "openconnect ", "smbpasswd", "luksOpen", "cryptsetup open", "luksFormat", "ldappasswd", "base64 -d", "wg pubkey", "wg set", "--set-password", "--passphrase-fd", "minisign -", "vncpasswd"], piped_password)
        .with(&["echo «hV8|nq2Lx» ¦ sudo -S apt update", "echo '«hV8|nq2Lx!»' ¦ sudo -S true", "echo \"ann:«hV8|nq2Lx»\" ¦ sudo chpasswd", "echo «hV8|nq2Lx» ¦ docker login -u ann --password-stdin", "printf '%s' '«hV8|nq2Lx!»' ¦ docker secret create db -", "echo -n '«hV8|nq2Lx!»' ¦ cryptsetup luksOpen /dev/sda2 x -", "echo '«Traunsee|+Boot_18»' ¦ anydesk --set-password"], &["echo $PASS ¦ sudo -S apt update", "cat token.txt ¦ docker login -u ann --password-stdin", "echo \"$TOKEN\" ¦ gh auth login --with-token", "echo done; sudo -S true", "echo <password> ¦ sudo -S true"]),
    matched("command-password", &["passwordeval", "password-command", "password_command", "passwordcmd", "password_cmd", "passcmd", "pass-cmd", "askpass"], command_password).any_case()
        .with(&["restic init --password-command 'echo «hV8|nq2Lx»'", "passwordeval \"echo «hV8|nq2Lx»\"", "PassCmd \"echo «hV8|nq2Lx»\""], &["passwordeval \"pass show mail\"", "--password-command 'cat /run/pw1'", "passwordeval \"echo $PASS\""]),
    matched("here-password", &["<<<", "<(echo ", "<(printf "], here_password)
        .with(&["sudo -S <<< '«hV8|nq2Lx!»' ls", "wrangler secret put API_KEY <<< «aB3dE6gH9jK2|mN5pQ8sT1vW4»", "vercel env add API_TOKEN production <<< \"«aB3dE6gH9jK2|mN5pQ8sT1vW4»\""], &["grep x <<< 'hV8|nq2Lx!a'", "sudo -S <<< \"$PASS\"", "<<<<<<< HEAD of secret branch"]),
    several("inserted-password", &["values (", "values(", "values\n"], inserted_passwords).any_case()
        .with(&["INSERT INTO users (email, password) VALUES ('a@b.org', '«hV8|nq2Lx!a»');"], &["INSERT INTO users (email, password) VALUES ('a@b.org', 'password');", "INSERT INTO tides (place, height) VALUES ('Brest1A!', 3);", "VALUES ('hV8|nq2Lx!a')"]),
    matched("password-file", &[":5432:", ":*:"], column_password)
        .with(&["db.internal:5432:app:ann:«hV8|nq2LxTa»", "*:5432:*:ann:«hV8|nq2LxTa»", "db.internal:5432:app:ann:«hV8n\\:|q2LxTa»\n"], &["db.internal:5432:app:ann:password", "0.0.0.0:5432:5432", "- \"5432:5432\"", "db:5432:app:ann:$PASS"]),
    matched("slash-login", &["sqlplus ", "expdp ", "impdp ", "sqlldr "], slash_login)
        .with(&["sqlplus ann/«hV8|nq2Lx»@//db:1521/XE", "expdp app/«hV8|nq2LxTa» schemas=app", "sqlplus -S ann/«hV8|nq2Lx»@db"], &["sqlplus / as sysdba", "sqlplus ann/password@db", "sqlplus ann/$PASS@db", "sqlplus scripts/setup.sql"]),
    matched("switch-password", &[" password 7 ", " secret 7 ", " key 7 ", "-key 7 ", " md5 7 ", "-string 7 ", " ascii 7 ", " encrypted 7 ", "-password 7 "], switch_password)
        .with(&["username ann password 7 «094F471A1A0A|5B4B5D»", "radius-server key 7 «094F471A1A0A|5B4B5D»"], &["the password 7 letters long", "key 7 of 12"]),
    token("dpapi-blob", &["01000000d08c9ddf", "01000000D08C9DDF"], &[Run(ANY_HEX, 60, 8000)]).proven(|blob| blob.len() >= 76)
        .with(&["01|000000d08c9ddf0115d1118c7a00c04fc297eb010000007aa78bdc2a6d757c893f0c7fdc01be8a0000000002000000", "01|000000D08C9DDF0115D1118C7A00C04FC297EB01000000ECF427A5106711EF2228DA5192F3C1FE0000000002000000"], &["01000000d08c9ddf0115", "z01000000d08c9ddf0115d1118c7a00c04fc297eb010000007aa78bdc2a6d757c893f0c7f"]),
    token("unleash-token", &["*:production.", "*:development.", "*:*.", "default:production.", "default:development."], &[Run(HEX, 50, 64)])
        .with(&["*:|production.7a5717ba0d9aad17390c068e7617a777ae698a598f6964b5e1613f7b"], &["*:|production.7a5717ba0d9a", "*:|*.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    matched("zone-key", &["hmac-sha", "hmac-md5"], zone_key)
        .with(&["dig -y hmac-sha256:k.host:«aB3dE6gH9jK2mN5p|Q8sT1vW4yZ7bC0eF3hJ6aB3dE6g=» host.org"], &["algorithm hmac-sha256; x", "hmac-sha256:name"]),
    matched("password-hash", &["$1$", "$5$", "$6$", "$7$", "$y$", "$apr1$", "$8$", "$9$", "$P$", "$H$", "$S$", "$sha1$", "$md5$", "$pbkdf2", "$bcrypt", "$2a$", "$2b$", "$2y$", "$argon2", "$scrypt$", "pbkdf2_sha256$", "pbkdf2_sha1$", "pbkdf2:sha256:", "scrypt:32768:"], crypt_hash)
        .with(&["root:«$6$aB3dE6gH9jK2mN5p$QgN1fUHz2M0|B3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aa»:19000:0:99999:7:::", "ann:«$apr1$aB3dE6gH$QgN1fUHz2M0|B3dE6gH9jK2»", "«$2b$12$QgN1fUHz2M0|B3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6»", "«$argon2id$v=19$m=65536,t=3,p=4$aB3dE6gH9jK2mN5p$QgN1fUHz2M0|B3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF»", "«pbkdf2_sha256$600000$aB3dE6gH9jK2$QgN1fUHz2M0|B3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF»"], &["echo $1$2", "awk '{print $6$7}'", "$2b$10$", "${y}$y$z"]),
    matched("directory-password", &["{SSHA}", "{SHA}", "{SMD5}", "{MD5}", "{SSHA256}", "{SSHA512}", "{CRYPT}", "{PLAIN}", "{CLEARTEXT}", "{ARGON2}"], scheme_hash)
        .with(&["userPassword: {SSHA}«aB3dE6gH9jK2mN5p|Q8sT1vW4yZ7bC0eF3hJ6aA==»", "ann:{PLAIN}«hV8|nq2Lx»::::::"], &["git show {SHA}", "{PLAIN} means that it is not hashed", "{MD5}{SHA}"]),
    matched("windows-hash", &[":aad3b435b51404eeaad3b435b51404ee:", ":XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX:"], windows_hash)
        .with(&["Administrator:500:aad3b435b51404ee|aad3b435b51404ee:«9f8e7d6c5b4a3928|1706f5e4d3c2b1a0»:::"], &["aad3b435b51404ee|aad3b435b51404ee is the hash of nothing"]),
    matched("postgres-hash", &["'md5", "\"md5"], postgres_hash)
        .with(&["rolvalue = '«md5|9f8e7d6c5b4a39281706f5e4d3c2b1a0»'"], &["\"md5\": \"9f8e7d6c5b4a39281706f5e4d3c2b1a0\"", "'md5sum'"]),
    matched("scram-hash", &["SCRAM-SHA-256$", "SCRAM-SHA-1$"], scram_hash)
        .with(&["SCRAM-SHA-256$|4096:aB3dE6gH9jK2mN5pQ8sT1v==$aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6=:aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6="], &["SCRAM-SHA-256$<iterations>:<salt>"]),
    matched("putty-key", &["Private-Lines: "], putty_key)
        .with(&["Private-Lines: 2\n«LGElPQeo1UInA73SGMSUUZGoW6ksTbOK|B98rltsFutkNwuO5FFy0hwYCLoS9Y7Pu\nAQIDBAUGBwgJCgsMDQ4PEA==»\nPrivate-MAC: 9f8e"], &["Private-Lines: many"]),
    token("putty-code", &["Private-MAC: "], &[Run(HEX, 40, 64)])
        .with(&["Private|-MAC: 9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c"], &["Private|-MAC: 9f8e", "Private|-MAC: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    matched("ssh2-key", &["---- BEGIN SSH2 "], ssh2_key)
        .with(&["---- BEGIN SSH2 |ENCRYPTED PRIVATE KEY ----\nComment: \"x\"\n«LGElPQeo1UInA73SGMSUUZGoW6ksTbOKB98rltsFutkNwuO5FFy0hwYCLoS9Y7PuA1b2C3\nAQIDBAUGBwgJCgsMDQ4PEA==»\n---- END SSH2 ENCRYPTED PRIVATE KEY ----"], &["---- BEGIN SSH2 PUBLIC KEY ----\nLGElPQeo1UInA73SGMSUUZGoW6ksTbOKB98rltsFutkNwuO5FFy0hwYCLoS9Y7PuA1b2C3"]),
    matched("static-key", &["OpenVPN Static key V1-----"], static_key)
        .with(&["-----BEGIN OpenVPN Static key V1-----\n«9f8e7d6c5b4a39281706f5e4d3c2b1a0\n|9f8e7d6c5b4a39281706f5e4d3c2b1a0»\n-----END OpenVPN Static key V1-----"], &["-----BEGIN OpenVPN Static key V1-----\n...\n-----END OpenVPN Static key V1-----"]),
    matched("web-key", &["\"kty\"", "\"kty\\\"", "kty:", "'kty'", "kty =", "kty="], web_key)
        .with(&["{ kty: 'EC', crv: 'P-256', d: '«aB3dE6gH9jK2mN5p|Q8sT1vW4yZ7bC0eF3hJ6aB3dE6g»' }", r#"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","d":"«aB3dE6gH9jK2mN5p|Q8sT1vW4yZ7bC0eF3hJ6aB3dE6g»"}"#, r#"{"k":"«aB3dE6gH9jK2mN5p|Q8sT1vW4yZ7bC0eF3hJ6aB3dE6g»","kty":"oct"}"#], &[r#"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"}"#]),
    matched("xml-key", &["<D>", "<P>", "<Q>", "<DP>", "<DQ>", "<InverseQ>"], xml_key)
        .with(&["<D>«aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6|aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6»</D>"], &["<P>A paragraph</P>", "<D>drive</D>"]),
    matched("webhook-path", &["hooks.zapier.com/hooks/catch/"], short_hook_path)
        .with(&["https://hooks.zapier.com/hooks/catch/«2837461/|ab3de6g»"], &["https://hooks.zapier.com/hooks/catch/ID/KEY"]),
    matched("service-path", &["open.feishu.cn/open-apis/bot/v2/hook/", "open.larksuite.com/open-apis/bot/v2/hook/", "/with/key/", ".infura.io/v3/", ".infura.io/ws/v3/", ".alchemy.com/v2/", ".alchemyapi.io/v2/", ".quiknode.pro/", "hooks.airtable.com/workflows/", "hook.make.com/", "webhook.site/", "hc-ping.com/", "qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", "oapi.dingtalk.com/robot/send?access_token="], hook_path)
        .with(&["https://mainnet.infura.io/v3/«9f8e7d6c5b4a3928|1706f5e4d3c2b1a0»", "https://open.feishu.cn/open-apis/bot/v2/hook/«0f3b2c1d-a1b2-4bbb-8ccc|-0f3b2c1d4e5f»", "https://maker.ifttt.com/trigger/x/with/key/«aB3dE6gH9jK2|mN5pQ8sT1v»"], &["https://mainnet.infura.io/v3/YOUR_KEY", "https://webhook.site/docs"]),
    matched("service-key", &["twilio", "messagebird", "cohere.client", "openweather", "tweepy", "consumer_key"], nearby_key).any_case()
        .with(&["Client(\"ACaccount\", \"«9f8e7d6c5b4a3928|1706f5e4d3c2b1a0»\")  # twilio", "cohere.Client(\"«aB3dE6gH9jK2mN5p|Q8sT1vW4yZ7bC0eF3hJ6aB3d»\")"], &["twilio.rest.api.v2010.account.9f8e7d6c5b4a39281706f5e4d3c2b1a0.x", "twilio call 12345"]),
    matched("asana-token", &["asana"], asana_token).any_case()
        .with(&["asana.Client.access_token(\"«1/1234567812345678:|9f8e7d6c5b4a39281706f5e4d3c2b1a0»\")"], &["asana task 1/1234567812345678", "the asana API"]),
];
