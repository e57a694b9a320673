//! Whether a lake can be used, and what would leave this machine. Sends no rows.

use super::failure;
use super::lake_access::{LakeAccess, installation};
use super::readers::readers;
use super::take_back::known_decisions;
use document::{
    Document as _, LakeFailure, LakeInitDocument, LakeLeavesDocument, LakeLevel, LakeSettings,
};
use lake::{Audience, Bucket as _, BucketError, ChainName, Created, Installation, ObjectBucket};

pub(super) async fn run(settings: &LakeSettings) -> Result<LakeInitDocument, LakeFailure> {
    let access = LakeAccess::check(settings)?;
    let installation = match installation(settings)? {
        Some(known) => known,
        None => format!("i{}", random_hex()?).parse().map_err(failure)?,
    };
    let bucket = access.open(settings)?;
    let is_versioned = check(&bucket, &access, &installation).await?;
    let known = known_decisions(&bucket, &access.owner).await.map_err(failure)?;
    let has_left = known.has_left();
    Ok(LakeInitDocument {
        schema: LakeInitDocument::SCHEMA.into(),
        url: access.url.to_string(),
        owner: access.owner.to_string(),
        installation: installation.to_string(),
        level: settings.level,
        projects: settings.projects.clone(),
        configuration: String::new(),
        leaves: leaves(settings, &access),
        notes: notes(&access, is_versioned),
        has_left,
    })
}

/// Creates an object twice and deletes it. Returns whether the storage keeps old versions.
async fn check(
    bucket: &ObjectBucket,
    access: &LakeAccess,
    installation: &Installation,
) -> Result<bool, LakeFailure> {
    let chain = ChainName {
        audience: Audience::Private,
        owner: access.owner.clone(),
        installation: installation.clone(),
    };
    let name = format!("{}probe-{}", chain.prefix(), random_hex()?);
    let cannot = |error: BucketError| {
        failure(format!(
            "cannot use {}: {error}\nhint: check the bucket, its policy and the credentials",
            access.url
        ))
    };
    bucket.create(&name, b"first".to_vec()).await.map_err(cannot)?;
    let second = bucket.create(&name, b"second".to_vec()).await;
    let there = bucket.get(&name).await;
    let is_versioned = bucket.has_versions(&name).await;
    // In any case, so that nothing is left.
    bucket.delete(&name).await.map_err(cannot)?;
    let is_first = there.map_err(cannot)?.as_deref() == Some(b"first");
    if second.map_err(cannot)? == Created::New || !is_first {
        return Err(failure(format!(
            "{} replaces objects that exist, so that two machines could overwrite each \
             other's rows\nhint: use storage with conditional writes (If-None-Match)",
            access.url
        )));
    }
    is_versioned.map_err(cannot)
}

/// What leaves, and who can read it.
fn leaves(settings: &LakeSettings, access: &LakeAccess) -> Vec<LakeLeavesDocument> {
    let leaves = |content: String, audience: &Audience| LakeLeavesDocument {
        content,
        readers: readers(&access.url, audience),
    };
    let mut all = vec![
        leaves(
            "each call: time, model, tokens, cost, session id and project".to_owned(),
            &Audience::Private,
        ),
        leaves(
            "tokens and cost by day, project and model, under your name".to_owned(),
            &Audience::Org,
        ),
    ];
    if settings.level >= LakeLevel::Metadata {
        let content = "sessions, tool calls, files and commits, and the names of branches, agents, \
                       skills and tools";
        all.push(leaves(content.to_owned(), &Audience::Private));
    }
    if settings.level >= LakeLevel::Text {
        let content = "prompts, answers and tool output, with secrets masked, without images";
        all.push(leaves(content.to_owned(), &Audience::Private));
    }
    for rule in &settings.share {
        // Checked before.
        let Ok(audience) = rule.with.parse() else { continue };
        all.push(leaves(format!("{} of {}", rule.level.name(), rule.project), &audience));
    }
    all
}

fn notes(access: &LakeAccess, is_versioned: bool) -> Vec<String> {
    let mut notes = vec![
        "Your name is in the names of all objects, and annals cannot hide it: everyone who may read \
         this lake sees it beside your tokens and costs of each day. Only an engine with row \
         policies can show names to some people alone, such as those of finance."
            .to_owned(),
    ];
    if access.url.is_folder() {
        notes.push(
            "A folder has no policies by prefix: everyone with access to it can read and delete \
             everything in it."
                .to_owned(),
        );
    }
    if is_versioned {
        notes.push(
            "This bucket keeps old versions of objects. Add a lifecycle rule that deletes \
             noncurrent versions, otherwise forgotten sessions stay in them."
                .to_owned(),
        );
    }
    notes
}

fn random_hex() -> Result<String, LakeFailure> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)
        .map_err(|error| failure(format!("the system gives no random bytes: {error}")))?;
    Ok(format!("{:016x}", u64::from_le_bytes(bytes)))
}
