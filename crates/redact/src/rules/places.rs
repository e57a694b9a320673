//! Secrets that their place gives away, and the names of people.

use crate::assignment::find_secret;
use crate::places::{
    authorization, connection_password, home_name, json_web_token, login_option, private_key,
    url_password,
};
use crate::rule::{Rule, matched};

/// One row a kind.
pub(crate) const ROWS: &[Rule] = &[
    matched("private-key", &["-----BEGIN "], private_key)
        .with(&["-----BEGIN |RSA PRIVATE KEY-----\nLGElPQeo1UInA73SGMSUUZGoW6ksTbOKB98rltsFutkNwuO5FFy0hwYCLoS9Y7Pu\nLGElPQeo1UInA73SGMSUUZGoW6ksTbOKB98rltsFutkNwuO5FFy0hwYCLoS9Y7Pu\nAQ==\n-----END RSA PRIVATE KEY-----", "-----BEGIN |RSA PRIVATE KEY-----\\nLGElPQeo1UInA73SGMSUUZGoW6ksTbOKB98rltsFutkNwuO5FFy0hwYCLoS9Y7Pu\\nLGElPQeo1UInA73SGMSUUZGoW6ksTbOKB98rltsFutkNwuO5FFy0hwYCLoS9Y7Pu\\nAQ==\\n-----END RSA PRIVATE KEY-----", "-----BEGIN |OPENSSH PRIVATE KEY-----\n+LGElPQeo1UInA73SGMSUUZGoW6ksTbOKB98rltsFutkNwuO5FFy0hwYCLoS9Y7Pu\n+LGElPQeo1UInA73SGMSUUZGoW6ksTbOKB98rltsFutkNwuO5FFy0hwYCLoS9Y7Pu\n+AQ==\n+-----END OPENSSH PRIVATE KEY-----", "-----BEGIN |PRIVATE KEY-----\r\nLGElPQeo1UInA73SGMSUUZGoW6ksTbOKB98rltsFutkNwuO5FFy0hwYCLoS9Y7Pu\r\nLGElPQeo1UInA73SGMSUUZGoW6ksTbOKB98rltsFutkNwuO5FFy0hwYCLoS9Y7Pu\r\nAQ==\r\n-----END PRIVATE KEY-----", "-----BEGIN |PGP PRIVATE KEY BLOCK-----\n\nLGElPQeo1UInA73SGMSUUZGoW6ksTbOKB98rltsFutkNwuO5FFy0hwYCLoS9Y7Pu\n=AbC1\n-----END PGP PRIVATE KEY BLOCK-----"], &["-----BEGIN |PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----", "-----BEGIN PUBLIC KEY-----\nLGElPQeo1UInA73SGMSUUZGoW6ksTbOKB98rltsFutkNwuO5FFy0hwYCLoS9Y7Pu\n-----END PUBLIC KEY-----", "-----BEGIN CERTIFICATE-----\nLGElPQeo1UInA73SGMSUUZGoW6ksTbOKB98rltsFutkNwuO5FFy0hwYCLoS9Y7Pu"]),
    matched("jwt", &["eyJ"], json_web_token)
        .with(&["ey|JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIyODM3NDYiLCJpYXQiOjE1MTYyMzkwMjJ9.h6eWhlE6BMu21K3_iecnXrB3En4XD7ItPf8lYk7FC7C", "token=«ey|JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIyODM3NDYiLCJpYXQiOjE1MTYyMzkwMjJ9.h6eWhlE6BMu21K3_iecnXrB3En4XD7ItPf8lYk7FC7C»"], &["ey|JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "ey|JhbGciOiJI", "ey|JmaWxlIjoiYSIsInNvdXJjZXMiOltdfQ.ey|JmaWxlIjoiYSIsInNvdXJjZXMiOltdfQ"]),
    matched("connection-string", &["://"], connection_password)
        .with(&["postgres://app:«k9|Xz2mQp»@db.internal:5432/app", "mongodb+srv://app:«T7|vq-pLw»@c0.mongodb.net/x", "redis://:«p4|ssf0rcache»@cache:6379/0", "mysql://root:«a/|b4c@d1»@10.0.0.1/x"], &["postgres://postgres:postgres@localhost/db", "postgres://user:password@localhost", "postgres://app:${DB_PASS}@db/x", "postgres://localhost:5432/app", "redis://cache:6379/0"]),
    matched("url-password", &["://"], url_password)
        .with(&["https://deploy:«hV8|nq2Lx»@git.internal/x.git", "https://«3f2|a90bc4d5e6f708192a3b4c5d6e7f8»@git.internal/x.git", "http://bob:«s3|cret-pa55»@proxy:3128 "], &["https://user:pass@host/x", "https://git.internal:8443/@scope/pkg", "ssh://git@github.com/a/b", "https://a:$TOKEN@host/", "https://registry.npmjs.org/@types/node", "https://x:<password>@host/"]),
    matched("authorization", &["bearer ", "basic "], authorization).any_case()
        .with(&["Authorization: Bearer «YrLwC7I13pgf|B31qlGPwKUoIaZM5TE52»", "-H 'authorization: Basic «ZGVwbG|95OmhWOG5xMkx4»'"], &["Authorization: Bearer $TOKEN", "Bearer authentication", "Bearer <your-token>", "basic configuration", "Bearer my-test-token-1", "Basic dXNlcg=="]),
    matched("authorization-token", &["authorization: token ", "authorization: apikey ", "authorization: key ", "x-api-key: ", "x-auth-token: ", "private-token: "], authorization).any_case()
        .with(&["Authorization: token «da6603ff59d8|ab28b63fc5bd56f140eeab2c02e7»", "x-api-key: «bTLcxiYzvI6F|5jSlt0rOhojiGdCvC9hk»"], &["Authorization: token $GITHUB_TOKEN", "x-api-key: your-api-key-1234567890"]),
    matched("login", &["-u ", "--user ", "--user="], login_option)
        .with(&["curl -u deploy:«hV8|nq2Lx» https://h/x", "curl -s --user 'bob:«x9|-q w2»' https://h/"], &["curl -u user:password https://h", "curl -u $USER:$PASS https://h", "git push -u origin:main", "docker run -u 1000:1000 x"]),
    matched("assigned-secret", &["password", "passwd", "passphrase", "passwort", "pwd", "secret", "token", "apikey", "api_key", "api-key", "access_key", "access-key", "accesskey", "private_key", "auth_key", "authkey", "encryption_key", "signing_key", "credential", "credentials", "app_key", "application_key", "secret_key", "master_key"], find_secret).any_case()
        .with(&["PASSWORD=«Tr0|ub4dor+3»", r#"api_key: \"«k6tcxkk06yTL3cqH|ie3JiRsvIagfokV3»""#, r#""client_secret": "«E6skdmOTXC|fuSunCuK15fyfG»""#, "secret = «6a3976e89efd1f499447|5052ad255bc487aade4e»", "export DB_PASSWORD='«n0t|Saf3!x»'", r#"let password: &str = "«hun|ter2»";"#, "const apiKey: string = '«9WkZFY2EGn|7bcChSz5JSYMep»'", "tool --token «56SbBAWCJv|8mneTs1i9TvVhc» run", "<password>«k9|Xz2mQp»</password>", r#"\"auth_token\": \"«wrZhonT8Y2|LjnEE0N2ljuT50»\""#, "SECRET_KEY_BASE=«4e29d898286efcd0ec49b4f61f75b1|b66981710d0a4ade46dc5470325db08502»", r#"secret: "«vXyoQHQp|CMfxlaSh»""#, r#"os.environ["API_KEY"] = "«ZtijmGYE8D|8OunkPk8BwYnqX»""#], &["PASSWORD=xxxxxxxx", r#"api_key: "<your key>""#, "PASSWORD=changeme", "password=$DB_PASSWORD", "apiKey: process.env.API_KEY2", "secret = get_secret(name1)", "token: string", "max_tokens: 4096", r#"token: "getUserTokenById""#, "token = parser.next_token1", r#""token": "test-token-1""#, r#"password: "${DB_PASS}""#, "tokens = abc123def456ghi789", "secretName: my-app-v1beta1", r#"password == "abc123def4""#, "token_type: bearer", r#""api_key": "0f3b2c1d-aaaa-4bbb-8ccc-0f3b2c1d4e5f""#, "passwordHash(abc123)", "pwd", "pwd: /home/x1/y2"]),
    matched("home", &["/home/", "/Users/", r"\Users\", r"\\Users\\", "-home-", "-Users-"], home_name).strict()
        .with(&["/home/«ann»/x", "/Users/«ann.b»/x", r"C:\Users\«ann»\x", r"C:\\Users\\«ann»\\x", "projects/-home-«ann»-x"], &["/home/", "/Users/Shared/x", "at-home-office"]),
];
