//! Every document, with its JSON Schema and a way to read and write it again.

use crate::table::Column;
use crate::warnings::{WarningDocument, rewritten};
use crate::{
    AgentsDocument, ArchiveDocument, ArchiveFilesDocument, ArchiveForgetDocument,
    ArchiveRestoreDocument, ArchiveSyncDocument, ArchiveTransferDocument, ArchiveVerifyDocument,
    BlameDocument, BudgetsDocument, CommitsDocument, ConfigurationDocument, ContextDocument,
    ConversationDocument, DoctorDocument, Document, ExportDocument, ExportIndexDocument,
    FacetsDocument, FileHistoryDocument, FilesDocument, FindDocument, GrepCountsDocument,
    GrepDocument, HitsDocument, HomeDocument, InfoDocument, LakeCatalogDocument, LakeInitDocument,
    LakeLoadDocument, LakePolicyDocument, LakePushDocument, LakeReportDocument, LakeStatusDocument,
    LakeTakeBackDocument, LakeVerifyDocument, LanesDocument, LimitsDocument, MarksDocument,
    OutlineDocument, PlaceDocument, PlanRowsDocument, PlansDocument, ProjectsDocument,
    PromptsDocument, RecordsDocument, RenamedDocument, RunningDocument, SecretsDocument,
    SessionRowsDocument, SessionsDocument, SetupDocument, SqlDocument, SqlSchemaDocument,
    TagDocument, TaggedDocument, ToolStatsDocument, ToolsDocument, TreeDocument, UnusedDocument,
    UsageCallsDocument, UsageDocument, UsageHoursDocument, WatchEventDocument, WebErrorDocument,
    WebStateDocument, WhereDocument,
};
use schemars::Schema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A document without its type.
#[derive(Clone, Copy, Debug)]
pub struct DocumentDescription {
    /// The name of its schema.
    pub schema: &'static str,
    /// The command that answers with it, in Markdown.
    pub command: &'static str,
    /// The list whose elements are the rows of `--jsonl`.
    pub rows: Option<&'static str>,
    /// The columns of these rows in CSV.
    pub columns: &'static [Column],
    /// The name of its file in docs/schema, without the ending.
    pub file: fn() -> String,
    /// Its JSON Schema.
    pub json_schema: fn() -> Schema,
    /// Reads it and writes it again on one line.
    pub rewritten: fn(&str) -> serde_json::Result<String>,
    /// Reads it and writes it again over several lines, as `--json` does.
    pub rewritten_pretty: fn(&str) -> serde_json::Result<String>,
}

const fn description<T: Document + DeserializeOwned>() -> DocumentDescription {
    DocumentDescription {
        schema: T::SCHEMA,
        command: T::COMMAND,
        rows: T::ROWS,
        columns: T::COLUMNS,
        file: file::<T>,
        json_schema: json_schema::<T>,
        rewritten: |text| rewritten::<T>(text, |document| serde_json::to_string(document)),
        rewritten_pretty: |text| rewritten::<T>(text, |document| render::json::document(document)),
    }
}

/// Every document, in the order in which docs/json.md has them.
pub const DOCUMENTS: &[DocumentDescription] = &[
    description::<HomeDocument>(),
    description::<SessionsDocument>(),
    description::<SessionRowsDocument>(),
    description::<RunningDocument>(),
    description::<ProjectsDocument>(),
    description::<WhereDocument>(),
    description::<InfoDocument<'static>>(),
    description::<ConversationDocument<'static>>(),
    description::<RecordsDocument<'static>>(),
    description::<PromptsDocument<'static>>(),
    description::<TreeDocument<'static>>(),
    description::<OutlineDocument>(),
    description::<LanesDocument>(),
    description::<FindDocument>(),
    description::<PlaceDocument>(),
    description::<ToolsDocument>(),
    description::<ToolStatsDocument>(),
    description::<AgentsDocument<'static>>(),
    description::<PlansDocument<'static>>(),
    description::<PlanRowsDocument>(),
    description::<ContextDocument<'static>>(),
    description::<HitsDocument<'static>>(),
    description::<FacetsDocument>(),
    description::<GrepDocument<'static>>(),
    description::<GrepCountsDocument<'static>>(),
    description::<FilesDocument>(),
    description::<FileHistoryDocument>(),
    description::<BlameDocument<'static>>(),
    description::<CommitsDocument>(),
    description::<UsageDocument>(),
    description::<UsageCallsDocument>(),
    description::<LimitsDocument>(),
    description::<BudgetsDocument>(),
    description::<UsageHoursDocument>(),
    description::<UnusedDocument>(),
    description::<SqlDocument<'static>>(),
    description::<SqlSchemaDocument>(),
    description::<MarksDocument>(),
    description::<RenamedDocument<'static>>(),
    description::<TagDocument<'static>>(),
    description::<TaggedDocument<'static>>(),
    description::<WatchEventDocument<'static>>(),
    description::<ExportDocument>(),
    description::<ExportIndexDocument>(),
    description::<ArchiveSyncDocument>(),
    description::<ArchiveDocument>(),
    description::<ArchiveFilesDocument>(),
    description::<ArchiveVerifyDocument>(),
    description::<ArchiveRestoreDocument<'static>>(),
    description::<ArchiveTransferDocument>(),
    description::<ArchiveForgetDocument<'static>>(),
    description::<LakeInitDocument>(),
    description::<LakeStatusDocument>(),
    description::<LakePolicyDocument>(),
    description::<LakeReportDocument>(),
    description::<LakeCatalogDocument>(),
    description::<LakeLoadDocument>(),
    description::<LakePushDocument>(),
    description::<LakeTakeBackDocument>(),
    description::<LakeVerifyDocument>(),
    description::<DoctorDocument>(),
    description::<SecretsDocument>(),
    description::<ConfigurationDocument>(),
    description::<WebStateDocument>(),
    description::<WebErrorDocument>(),
    description::<SetupDocument>(),
];

/// `annals/archive-sync/1` becomes `archive-sync`.
fn file<T: Document>() -> String {
    if !T::FILE.is_empty() {
        return T::FILE.to_owned();
    }
    T::SCHEMA.split('/').nth(1).unwrap_or(T::SCHEMA).to_owned()
}

/// What is written, not what is accepted: all members that are always there are
/// required.
fn json_schema<T: Document>() -> Schema {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let row = T::row(&mut generator);
    let warnings = generator.subschema_for::<Vec<WarningDocument>>();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.insert("title".to_owned(), T::SCHEMA.into());
    let row = row.map(Schema::to_value);
    let listed = T::ROWS.map(|list| json!({ "$ref": format!("#/properties/{list}/items") }));
    if let Some(rows) = row.or(listed) {
        schema.insert("x-rows".to_owned(), rows);
    }
    name_schema(&mut schema, T::SCHEMA);
    add_warnings(&mut schema, warnings);
    schema
}

/// Every document may say what it lacks.
fn add_warnings(schema: &mut Schema, mut warnings: Schema) {
    warnings.insert("description".to_owned(), "What the answer may lack.".into());
    let properties = schema.as_object_mut().and_then(|object| object.get_mut("properties"));
    if let Some(properties) = properties.and_then(Value::as_object_mut) {
        properties.insert("warnings".to_owned(), warnings.to_value());
    }
}

/// The member `schema` of a document has one value.
fn name_schema(schema: &mut Schema, name: &str) {
    let Some(object) = schema.as_object_mut() else { return };
    fix(object.get_mut("properties"), name);
    let definitions = object.get_mut("$defs").and_then(Value::as_object_mut);
    for definition in definitions.into_iter().flat_map(|all| all.values_mut()) {
        fix(definition.get_mut("properties"), name);
    }
}

fn fix(properties: Option<&mut Value>, name: &str) {
    let member = properties.and_then(|properties| properties.get_mut("schema"));
    if let Some(member) = member.and_then(Value::as_object_mut) {
        member.insert("const".to_owned(), name.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_field_is_described() {
        // The state of an index is not that of a message.
        let of_messages = DOCUMENTS.iter().filter(|it| it.schema != WebStateDocument::SCHEMA);
        for document in of_messages {
            let schema = (document.json_schema)().to_value();
            let definitions = schema["$defs"].as_object().into_iter().flatten();
            let objects = definitions.map(|(name, it)| (name.as_str(), it));
            for (name, object) in objects.chain([(document.schema, &schema)]) {
                assert!(object["description"].is_string(), "{name} is not described");
                for (field, schema) in object["properties"].as_object().into_iter().flatten() {
                    assert!(schema["description"].is_string(), "{name}.{field} is not described");
                }
            }
        }
    }

    /// Field descriptions name values in backticks; those must be values that exist.
    #[test]
    fn documented_presence_and_state_values_exist() {
        use conversation::MessageState;
        use library::session::Presence;
        let presence = [
            Presence::Disk,
            Presence::Archive,
            Presence::Unknown,
            Presence::PromptsOnly,
            Presence::Lake,
        ];
        let presence = presence.map(Presence::name).into_iter().chain(["deleted", "null"]);
        let state = [
            MessageState::Live,
            MessageState::Abandoned,
            MessageState::Orphaned,
            MessageState::Compacted,
        ];
        let state = state.map(MessageState::name).into_iter().chain(["null"]);
        let known = [
            ("presence", presence.collect::<HashSet<_>>()),
            ("state", state.collect::<HashSet<_>>()),
        ];
        let mut checked = HashSet::new();
        // The states of an index and of an installed program are not those of a message.
        let others = [WebStateDocument::SCHEMA, DoctorDocument::SCHEMA];
        let of_messages = DOCUMENTS.iter().filter(|it| !others.contains(&it.schema));
        for document in of_messages {
            let schema = (document.json_schema)().to_value();
            let definitions = schema["$defs"].as_object().into_iter().flatten();
            for object in definitions.map(|(_, it)| it).chain([&schema]) {
                for (field, values) in &known {
                    let description = object["properties"][field]["description"].as_str();
                    for value in description.unwrap_or_default().split('`').skip(1).step_by(2) {
                        assert!(values.contains(value), "{}: {field} {value}", document.schema);
                        checked.insert(*field);
                    }
                }
            }
        }
        assert_eq!(checked.len(), known.len());
    }
}
