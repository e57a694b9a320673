//! Sibling forms of what two sets of unseen texts missed, and texts beside them that hold ids,
//! fingerprints and templates. Secrets are between `«` and `»`; a bar splits them, so that no
//! scanner takes this file for a leak. Deliberately not here: what the rows of the table bring
//! themselves (`rules/`).

use redact::{Level, Redactor};

fn redactor() -> Redactor {
    Redactor::new(Level::Standard, [7; 32])
}

#[test]
fn secrets_in_sibling_forms_are_masked() {
    for text in [
        "env:\n    PERCY_KEY: «7a94c767-0767|-42bd-9ad8-4292e041c365»\n",
        "[auth]\nurl = https://x.org\nkey = «7a94c767-0767|-42bd-9ad8-4292e041c365»\n",
        "- name: NPM_PAT\n  value: «wecxnhl5g3aymzuxrczh226|hj4vilohbw5y4k7snjvzkwwxobh6y»\n",
        "\"CDN_SIGNING_KEY\": \"«qWbTzhgK|slJkXQzv»\"",
        "<Environment name=\"session/signing-key\" value=\"«lQid2ZMEJ4dLPI8blrSl|m2y3xdG3qZ+MwpnQ9lbmF7Q=»\" />",
        "Ann: db3.internal.host / orders_rw / «kWq7Pz|Lm2XsR»\n",
        "Tom: my account is locked\nAnn: take the shared one for now: qa-shared / «Lavender|.Moss41»\n",
        "$ sudo cat /etc/openvpn/client/home.up\nann\n«k9w2plq7|xzt4mb81»\n$ ls\n",
        "checked client_secret once more («JS7AsGSPIY5ALrm36gb|qWjEmXmtn7zg0l3p1lMz»), fine",
        "$ htpasswd -nbB ann '«}qP*9{Vx~|[/lt+9pYY»' > f\n",
        "$ ldapwhoami -D cn=a -w '«{nsQ3ll}EI8|$K7{Ul[B)0»'\n",
        "$ mysql -u root -p'«[x9&Lq2|}~pW{4z»' app\n",
        "$ argocd admin initial-password\n«kTdIt-Qu|Ihz-uKRu»\n\nmore",
        "Your admin password is:\n\n    «tts3-pOy|Xooa-TfstXfJ»\n\n",
        "INSERT INTO logins (name, password) VALUES\n  ('ann', '«Kelp#|Harbour7»'),\n  ('bob', '«Sommer!|Regen9»');\n",
        "curl https://ci.host.org/trigger/build?token=«x7Kq91|LmZp2»",
        "비밀 키: «acme_sk_Tly3okdx4NzoM|u4L1h9cp1lJ66OWgXiS»\n",
        "#define WIFI_PSK \"«4821337701|9264501873»\"\n",
        "ssid: Home\npsk: «4821337701|9264501873»\n",
    ] {
        let plain = text.replace(['«', '»', '|'], "");
        let masked = redactor().mask(&plain).into_owned();
        for secret in text.split('«').skip(1).filter_map(|rest| rest.split('»').next()) {
            let secret = secret.replace('|', "");
            assert!(!masked.contains(&secret[2..]), "{secret} in {masked}");
        }
    }
}

#[test]
fn ids_fingerprints_and_templates_stay() {
    for text in [
        "=> exporting cache key 3dszbk4j5lykbup29eo2uruix",
        "\"PrivateKeyId\": \"3d2e007372cc1c798f1eec553ba9c4b51d9422cf\"",
        "mongodb+srv://<username>:<password>@cluster0.mongodb.net/?retryWrites=true",
        "postgres://<user>:<password>@db.host:5432/app",
        "token_type=Bearer expires_in=3600 scope=\"invoices.read\"",
        "validpgpkeys=('C31F04DCB60A173E79A0AC2A0802C4F1F015210E')",
        "signingkey = 1017C729BA2CEECE7E824154E224A975D9858F7D",
        "ENV GPG_KEY=7169605F62C751356D054A26A821E680E5FA6305",
        "applicationServerKey: 'BfR8JlgWmUqqTKVAkj7Omu7kwNPkUTw8a12tK4UKPxuMo-4oecPh5YD3Sg9Nti9llEo7l9hnZCV18LlGvkxF2UQ'",
        "CACHE_KEY: 7a94c767-0767-42bd-9ad8-4292e041c365",
        "[row]\nkey = 7a94c767-0767-42bd-9ad8-4292e041c365",
        "the user list is here: docs / Chapter.Part12",
    ] {
        assert_eq!(redactor().mask(text), text);
    }
}
