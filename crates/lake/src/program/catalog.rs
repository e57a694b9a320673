//! Views over the objects of the lake as an answer.

use super::failure;
use super::lake_access::LakeAccess;
use document::{Document as _, LakeCatalogDocument, LakeFailure, LakeSettings, LakeViewDocument};
use lake::{Chains, Dialect, ObjectLocation, Scope, catalog_views, count_objects};

/// What is asked for.
pub(super) struct CatalogRequest {
    pub(super) engine: String,
    pub(super) scope: String,
    pub(super) location: Option<String>,
}

pub(super) async fn run(
    settings: &LakeSettings,
    asked: &CatalogRequest,
) -> Result<LakeCatalogDocument, LakeFailure> {
    let access = LakeAccess::check(settings)?;
    let dialect: Dialect = asked.engine.parse().map_err(failure)?;
    let location = match &asked.location {
        Some(text) => ObjectLocation::parse(text),
        None => ObjectLocation::of_lake(&access.url, dialect),
    };
    let location = location.map_err(failure)?;
    let bucket = access.open(settings)?;
    let chains = Chains { bucket: &bucket };
    let chains = match asked.scope.as_str() {
        "all" => chains.all().await,
        scope => {
            let scope: Scope = scope.parse().map_err(failure)?;
            chains.in_scope(&scope, &access.owner).await
        }
    };
    let chains = chains.map_err(failure)?;
    let (objects, rows) = count_objects(&chains);
    let views = catalog_views(dialect, &location, &chains).into_iter();
    Ok(LakeCatalogDocument {
        schema: LakeCatalogDocument::SCHEMA.into(),
        engine: dialect.as_str().into(),
        scope: asked.scope.clone(),
        objects,
        rows,
        views: views.map(|view| LakeViewDocument { name: view.name, sql: view.sql }).collect(),
    })
}
