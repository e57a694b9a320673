//! Policies for a bucket: who may read and write which prefix.
//!
//! An owner writes below `v1/private/OWNER/`, `v1/org/OWNER/` and, as a member, below
//! `v1/team/TEAM/OWNER/`; the owner reads all of that, members read their team's prefix,
//! everyone reads `v1/org/` and `v1/decisions/`, and loaders read everything and write below
//! `ack/`, which everyone reads to know what is gone. Administrators read, write and delete everything: only so can
//! they take back what somebody sent. Who an owner is and which teams they are in is what the storage authenticated: a tag of the person's
//! role or the name of their account.
//!
//! Deliberately not here: creating accounts, roles and buckets. These policies have to be
//! reviewed and applied by the administrator.

use crate::names::{Audience, ChainName, NameError, Owner, TeamName};
use serde_json::{Value, json};
use std::str::FromStr;

/// Whose storage a policy is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PolicyVendor {
    /// Amazon S3: one bucket policy by tags of principals.
    Aws,
    /// Google Cloud Storage: commands that make managed folders.
    Gcp,
    /// MinIO: policies of users and groups.
    Minio,
}

impl PolicyVendor {
    /// The name in arguments.
    pub fn name(self) -> &'static str {
        match self {
            PolicyVendor::Aws => "aws",
            PolicyVendor::Gcp => "gcp",
            PolicyVendor::Minio => "minio",
        }
    }
}

impl FromStr for PolicyVendor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [PolicyVendor::Aws, PolicyVendor::Gcp, PolicyVendor::Minio];
        let found = all.into_iter().find(|vendor| vendor.name() == text);
        found.ok_or_else(|| format!("unknown vendor \"{text}\": use aws, gcp or minio"))
    }
}

/// A policy, or commands that make one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BucketPolicy {
    /// A name for its file.
    pub name: String,
    /// What it is for, and who it has to be attached to.
    pub purpose: String,
    /// The policy.
    pub text: String,
}

/// The policies of a lake in a folder of a bucket. Without teams, the ones for a team have
/// the placeholder `TEAM`.
pub fn bucket_policies(
    vendor: PolicyVendor,
    bucket: &str,
    prefix: &str,
    teams: &[TeamName],
) -> Vec<BucketPolicy> {
    let placeholder: Result<Vec<TeamName>, NameError> =
        ["TEAM"].map(str::parse).into_iter().collect();
    let teams = if teams.is_empty() { placeholder.unwrap_or_default() } else { teams.to_vec() };
    let folder = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
    let layout = Layout { bucket, folder: &folder };
    match vendor {
        PolicyVendor::Aws => vec![aws(&layout, &teams)],
        PolicyVendor::Minio => minio(&layout, &teams),
        PolicyVendor::Gcp => vec![gcp(&layout, &teams)],
    }
}

/// Where things are.
struct Layout<'a> {
    bucket: &'a str,
    /// Before every name; empty or with a slash at its end.
    folder: &'a str,
}

impl Layout<'_> {
    /// The prefix of an owner's objects for one audience. `owner` is what the vendor replaces
    /// by the name of who asks.
    fn owner(&self, audience: &Audience, owner: &str) -> String {
        // Any name gives the shape; the vendor's variable is not a valid name.
        let Ok(stand_in) = "OWNER".parse::<Owner>() else { return String::new() };
        let shape = ChainName::owner_prefix(audience, &stand_in);
        let below = shape.strip_suffix("OWNER/").unwrap_or(&shape);
        format!("{}{below}{owner}/", self.folder)
    }

    /// The prefix of all owners' objects for one audience.
    fn all(&self, audience: &Audience) -> String {
        self.owner(audience, "").trim_end_matches('/').to_owned() + "/"
    }

    fn objects(&self, prefix: &str) -> String {
        format!("arn:aws:s3:::{}/{prefix}*", self.bucket)
    }

    fn listing(&self) -> String {
        format!("arn:aws:s3:::{}", self.bucket)
    }

    fn everything(&self) -> String {
        format!("{}v1/", self.folder)
    }

    fn acknowledgements(&self) -> String {
        format!("{}ack/", self.folder)
    }

    fn decisions(&self) -> String {
        format!("{}v1/decisions/", self.folder)
    }

    fn for_everyone(&self) -> [String; 3] {
        [self.all(&Audience::Org), self.acknowledgements(), self.decisions()]
    }
}

/// Statements that let somebody read and write, or only read, below prefixes.
fn statements(layout: &Layout<'_>, id: &str, may_write: bool, prefixes: &[String]) -> Vec<Value> {
    let objects: Vec<String> = prefixes.iter().map(|prefix| layout.objects(prefix)).collect();
    let listed: Vec<String> = prefixes.iter().map(|prefix| format!("{prefix}*")).collect();
    let actions = if may_write {
        json!(["s3:GetObject", "s3:PutObject", "s3:DeleteObject"])
    } else {
        json!(["s3:GetObject"])
    };
    vec![
        json!({ "Sid": id, "Effect": "Allow", "Action": actions, "Resource": objects }),
        json!({
            "Sid": format!("{id}List"),
            "Effect": "Allow",
            "Action": ["s3:ListBucket"],
            "Resource": [layout.listing()],
            "Condition": { "StringLike": { "s3:prefix": listed } },
        }),
    ]
}

/// The id of a statement: letters and digits only.
fn statement_id(kind: &str, team: &TeamName) -> String {
    let plain: String = team.as_str().chars().filter(char::is_ascii_alphanumeric).collect();
    format!("{kind}{plain}")
}

fn pretty(statements: &[Value]) -> String {
    let policy = json!({ "Version": "2012-10-17", "Statement": statements });
    serde_json::to_string_pretty(&policy).unwrap_or_default() + "\n"
}

fn aws(layout: &Layout<'_>, teams: &[TeamName]) -> BucketPolicy {
    const OWNER: &str = "${aws:PrincipalTag/annals-owner}";
    let own = [Audience::Private, Audience::Org].map(|audience| layout.owner(&audience, OWNER));
    let mut all = statements(layout, "OwnersWrite", true, &own);
    all.extend(statements(layout, "EveryoneReadsOrg", false, &layout.for_everyone()));
    let only_if = |mut statements: Vec<Value>, tag: &str, value: &str| {
        for statement in &mut statements {
            statement["Condition"]["StringEquals"][format!("aws:PrincipalTag/{tag}")] =
                json!(value);
        }
        statements
    };
    for team in teams {
        let audience = Audience::Team(team.clone());
        let tag = format!("annals-team-{team}");
        let id = statement_id("MembersWrite", team);
        let writes = statements(layout, &id, true, &[layout.owner(&audience, OWNER)]);
        all.extend(only_if(writes, &tag, "member"));
        let id = statement_id("MembersRead", team);
        let reads = statements(layout, &id, false, &[layout.all(&audience)]);
        all.extend(only_if(reads, &tag, "member"));
    }
    let reads = statements(layout, "LoadersRead", false, &[layout.everything()]);
    all.extend(only_if(reads, "annals-role", "loader"));
    let writes = statements(layout, "LoadersAcknowledge", true, &[layout.acknowledgements()]);
    all.extend(only_if(writes, "annals-role", "loader"));
    let everything = [layout.everything(), layout.acknowledgements()];
    let writes = statements(layout, "AdministratorsTakeBack", true, &everything);
    all.extend(only_if(writes, "annals-role", "admin"));
    for statement in &mut all {
        statement["Principal"] = json!({ "AWS": "arn:aws:iam::ACCOUNT:root" });
    }
    all.push(json!({
        "Sid": "TlsOnly",
        "Effect": "Deny",
        "Principal": "*",
        "Action": "s3:*",
        "Resource": [layout.listing(), layout.objects("")],
        "Condition": { "Bool": { "aws:SecureTransport": "false" } },
    }));
    BucketPolicy {
        name: "bucket-policy.json".to_owned(),
        purpose: "The policy of the bucket. Replace ACCOUNT. Roles of people have the tags \
                  annals-owner=NAME and annals-team-TEAM=member, roles of loaders have \
                  annals-role=loader, and roles that may read and delete what everybody sent have \
                  annals-role=admin; only administrators may set these tags."
            .to_owned(),
        text: pretty(&all),
    }
}

fn minio(layout: &Layout<'_>, teams: &[TeamName]) -> Vec<BucketPolicy> {
    const OWNER: &str = "${aws:username}";
    let own = [Audience::Private, Audience::Org].map(|audience| layout.owner(&audience, OWNER));
    let mut people = statements(layout, "OwnersWrite", true, &own);
    people.extend(statements(layout, "EveryoneReadsOrg", false, &layout.for_everyone()));
    let mut policies = vec![BucketPolicy {
        name: "annals-people.json".to_owned(),
        purpose: "For everyone. The name of an account is the owner in the lake.".to_owned(),
        text: pretty(&people),
    }];
    for team in teams {
        let audience = Audience::Team(team.clone());
        let id = statement_id("MembersWrite", team);
        let mut members = statements(layout, &id, true, &[layout.owner(&audience, OWNER)]);
        let id = statement_id("MembersRead", team);
        members.extend(statements(layout, &id, false, &[layout.all(&audience)]));
        policies.push(BucketPolicy {
            name: format!("annals-team-{team}.json"),
            purpose: format!("For the group of team {team}."),
            text: pretty(&members),
        });
    }
    let mut loaders = statements(layout, "LoadersRead", false, &[layout.everything()]);
    let acknowledgements = [layout.acknowledgements()];
    loaders.extend(statements(layout, "LoadersAcknowledge", true, &acknowledgements));
    policies.push(BucketPolicy {
        name: "annals-loaders.json".to_owned(),
        purpose: "For the accounts of loaders.".to_owned(),
        text: pretty(&loaders),
    });
    let everything = [layout.everything(), layout.acknowledgements()];
    policies.push(BucketPolicy {
        name: "annals-admins.json".to_owned(),
        purpose: "For accounts that may read and delete what everybody sent.".to_owned(),
        text: pretty(&statements(layout, "AdministratorsTakeBack", true, &everything)),
    });
    policies
}

/// Conditions of Google's policies do not limit listings; managed folders do.
fn gcp(layout: &Layout<'_>, teams: &[TeamName]) -> BucketPolicy {
    let address = |prefix: &str| format!("gs://{}/{prefix}", layout.bucket);
    let mut lines = vec!["set -eu".to_owned()];
    let mut bind = |prefix: &str, member: &str, role: &str| {
        let folder = address(prefix);
        lines.push(format!(
            "gcloud storage managed-folders describe \"{folder}\" >/dev/null 2>&1 || gcloud storage \
             managed-folders create \"{folder}\""
        ));
        lines.push(format!(
            "gcloud storage managed-folders add-iam-policy-binding \"{folder}\" \
             --member=\"{member}\" --role=roles/storage.{role}"
        ));
    };
    let owner = "$OWNER";
    for audience in [Audience::Private, Audience::Org] {
        bind(&layout.owner(&audience, owner), "user:$OWNER", "objectUser");
    }
    bind(&layout.all(&Audience::Org), "group:$EVERYONE", "objectViewer");
    for team in teams {
        let audience = Audience::Team(team.clone());
        bind(&layout.owner(&audience, owner), "user:$OWNER", "objectUser");
        bind(&layout.all(&audience), &format!("group:{team}@$DOMAIN"), "objectViewer");
    }
    bind(&layout.decisions(), "group:$EVERYONE", "objectViewer");
    bind(&layout.everything(), "serviceAccount:$LOADER", "objectViewer");
    bind(&layout.acknowledgements(), "serviceAccount:$LOADER", "objectUser");
    bind(&layout.acknowledgements(), "group:$EVERYONE", "objectViewer");
    bind(&layout.everything(), "group:$ADMINS", "objectUser");
    bind(&layout.acknowledgements(), "group:$ADMINS", "objectUser");
    BucketPolicy {
        name: "managed-folders.sh".to_owned(),
        purpose: "Run it once for each person, with OWNER (the e-mail address, which is the owner \
                  in the lake), EVERYONE (a group), DOMAIN (of the groups of teams), LOADER (a \
                  service account) and ADMINS (a group that may delete what everybody sent) in \
                  the environment. Leave out the teams that the person is not \
                  in. The bucket needs uniform access."
            .to_owned(),
        text: lines.join("\n") + "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Whether a policy allows an action on an object to somebody with these variables.
    fn allows(policy: &str, action: &str, object: &str, who: &BTreeMap<&str, &str>) -> bool {
        let policy: Value = serde_json::from_str(policy).expect("JSON");
        let replaced = |text: &str| {
            who.iter().fold(text.to_owned(), |text, (name, value)| {
                text.replace(&format!("${{{name}}}"), value)
            })
        };
        let is_who = |statement: &Value| {
            let tags = statement["Condition"]["StringEquals"].as_object().into_iter().flatten();
            let mut tags =
                tags.map(|(name, value)| who.get(name.as_str()).copied() == value.as_str());
            tags.all(|fits| fits)
        };
        let covers = |statement: &Value| {
            let resources = statement["Resource"].as_array().expect("resources");
            resources.iter().any(|resource| {
                let pattern = replaced(resource.as_str().expect("text"));
                let start = pattern.strip_suffix('*').expect("all objects below a prefix");
                format!("arn:aws:s3:::acme/{object}").starts_with(start)
            })
        };
        let has_action = |statement: &Value| {
            let actions = statement["Action"].as_array().into_iter().flatten();
            statement["Effect"] == "Allow" && actions.into_iter().any(|it| it == action)
        };
        let statements = policy["Statement"].as_array().expect("statements");
        statements.iter().any(|it| has_action(it) && is_who(it) && covers(it))
    }

    fn name(audience: &str, owner: &str) -> String {
        let chain = ChainName {
            audience: audience.parse().expect("an audience"),
            owner: owner.parse().expect("an owner"),
            installation: "i1".parse().expect("an installation"),
        };
        format!("{}m/00000001.json", chain.prefix())
    }

    /// The table that holds for every vendor with such policies.
    fn check(policies: &[(&str, BTreeMap<&str, &str>)], folder: &str) {
        let can = |who: usize, action: &str, object: &str| {
            let (policy, variables) = &policies[who];
            allows(policy, action, &format!("{folder}{object}"), variables)
        };
        // 0: ada, in tides. 1: bob, in no team. 2: a loader.
        for action in ["s3:PutObject", "s3:DeleteObject", "s3:GetObject"] {
            for audience in ["private", "org", "team:tides"] {
                assert!(can(0, action, &name(audience, "ada")), "{action} {audience}");
            }
            assert!(!can(1, action, &name("private", "ada")), "{action}");
            assert!(!can(1, action, &name("team:tides", "ada")), "{action}");
            assert!(!can(1, action, &name("team:tides", "bob")), "{action}");
            assert!(!can(0, action, &name("team:other", "ada")), "{action}");
            // A name that begins with another one.
            assert!(!can(1, action, &name("private", "bobby")), "{action}");
        }
        assert!(!can(0, "s3:PutObject", &name("org", "bob")));
        assert!(!can(0, "s3:PutObject", &name("team:tides", "bob")));
        assert!(can(0, "s3:GetObject", &name("org", "bob")));
        assert!(can(0, "s3:GetObject", &name("team:tides", "eve")));
        for audience in ["private", "org", "team:tides"] {
            assert!(can(2, "s3:GetObject", &name(audience, "ada")));
            assert!(!can(2, "s3:PutObject", &name(audience, "ada")));
        }
        assert!(can(2, "s3:PutObject", "ack/loader/1"));
        assert!(!can(0, "s3:PutObject", "ack/loader/1"));
        assert!(can(0, "s3:GetObject", "ack/loader/1") && can(1, "s3:GetObject", "ack/loader/1"));
        // What administrators decided for everybody.
        let decision = "v1/decisions/0.json";
        for who in [0, 1, 2] {
            assert!(can(who, "s3:GetObject", decision) && !can(who, "s3:PutObject", decision));
        }
        assert!(can(3, "s3:PutObject", decision));
        // 3: an administrator.
        for action in ["s3:PutObject", "s3:DeleteObject", "s3:GetObject"] {
            for audience in ["private", "org", "team:tides"] {
                assert!(can(3, action, &name(audience, "ada")), "{action} {audience}");
            }
        }
    }

    #[test]
    fn aws_policy_gives_each_prefix_to_its_readers_and_writers() {
        let teams = ["tides".parse().expect("a team")];
        for prefix in ["", "deep/lake"] {
            let policies = bucket_policies(PolicyVendor::Aws, "acme", prefix, &teams);
            let text = policies[0].text.as_str();
            let ada = [
                ("aws:PrincipalTag/annals-owner", "ada"),
                ("aws:PrincipalTag/annals-team-tides", "member"),
            ];
            let bob = [("aws:PrincipalTag/annals-owner", "bob")];
            let loader = [("aws:PrincipalTag/annals-role", "loader")];
            let admin = [("aws:PrincipalTag/annals-role", "admin")];
            let people = [
                (text, BTreeMap::from(ada)),
                (text, BTreeMap::from(bob)),
                (text, BTreeMap::from(loader)),
                (text, BTreeMap::from(admin)),
            ];
            let folder = if prefix.is_empty() { "" } else { "deep/lake/" };
            check(&people, folder);
        }
    }

    #[test]
    fn minio_policies_give_each_prefix_to_its_readers_and_writers() {
        let teams = ["tides".parse().expect("a team")];
        let policies = bucket_policies(PolicyVendor::Minio, "acme", "", &teams);
        let names: Vec<&str> = policies.iter().map(|policy| policy.name.as_str()).collect();
        let expected = [
            "annals-people.json",
            "annals-team-tides.json",
            "annals-loaders.json",
            "annals-admins.json",
        ];
        assert_eq!(names, expected);
        let statements = |text: &str| {
            let policy: Value = serde_json::from_str(text).expect("JSON");
            policy["Statement"].as_array().expect("statements").clone()
        };
        let both = pretty(&[statements(&policies[0].text), statements(&policies[1].text)].concat());
        let people = [
            (both.as_str(), BTreeMap::from([("aws:username", "ada")])),
            (policies[0].text.as_str(), BTreeMap::from([("aws:username", "bob")])),
            (policies[2].text.as_str(), BTreeMap::new()),
            (policies[3].text.as_str(), BTreeMap::new()),
        ];
        check(&people, "");
    }

    #[test]
    fn listings_are_limited_to_the_same_prefixes() {
        for vendor in [PolicyVendor::Aws, PolicyVendor::Minio] {
            for policy in bucket_policies(vendor, "acme", "", &[]) {
                let policy: Value = serde_json::from_str(&policy.text).expect("JSON");
                let statements = policy["Statement"].as_array().expect("statements");
                let lists = |it: &&Value| it["Action"] == json!(["s3:ListBucket"]);
                assert!(statements.iter().filter(lists).count() > 0);
                for statement in statements.iter().filter(lists) {
                    let prefixes = statement["Condition"]["StringLike"]["s3:prefix"].as_array();
                    for prefix in prefixes.expect("prefixes") {
                        let prefix = prefix.as_str().expect("text");
                        assert!(prefix.ends_with("/*"), "{prefix}");
                    }
                }
            }
        }
    }

    #[test]
    fn gcp_commands_name_the_prefixes_of_the_lake() {
        let teams = ["tides".parse().expect("a team")];
        let text = &bucket_policies(PolicyVendor::Gcp, "acme", "", &teams)[0].text;
        for (prefix, member, role) in [
            ("v1/private/$OWNER/", "user:$OWNER", "objectUser"),
            ("v1/org/$OWNER/", "user:$OWNER", "objectUser"),
            ("v1/team/tides/$OWNER/", "user:$OWNER", "objectUser"),
            ("v1/team/tides/", "group:tides@$DOMAIN", "objectViewer"),
            ("v1/org/", "group:$EVERYONE", "objectViewer"),
            ("v1/", "serviceAccount:$LOADER", "objectViewer"),
            ("v1/", "group:$ADMINS", "objectUser"),
            ("ack/", "group:$EVERYONE", "objectViewer"),
            ("v1/decisions/", "group:$EVERYONE", "objectViewer"),
        ] {
            let line = format!(
                "add-iam-policy-binding \"gs://acme/{prefix}\" --member=\"{member}\" --role=roles/storage.{role}\n"
            );
            assert!(text.contains(&line), "{line} is missing from {text}");
        }
    }
}
