use super::*;
use crate::chain::ChainHead;
use crate::manifest::{Manifest, Segment};
use crate::names::{ChainName, ManifestNumber, SegmentName};

fn chain(audience: &str, owner: &str, tables: &[&str]) -> ListedChain {
    let mut manifest = Manifest::default();
    let segment = |table: &&str| {
        let name = format!("00000001/{table}-202611-{}.parquet", "a".repeat(32));
        Segment { name: name.parse::<SegmentName>().unwrap(), rows: 2, bytes: 3 }
    };
    manifest.segments = tables.iter().map(segment).collect();
    let number: ManifestNumber = "00000001".parse().unwrap();
    ListedChain {
        name: ChainName {
            audience: audience.parse().unwrap(),
            owner: owner.parse().unwrap(),
            installation: "i1".parse().unwrap(),
        },
        head: ChainHead { number, manifest },
    }
}

fn sql(dialect: Dialect, location: &str, chains: &[ListedChain]) -> String {
    let location = ObjectLocation::parse(location).unwrap();
    catalog_views(dialect, &location, chains).into_iter().map(|view| view.sql).collect()
}

#[test]
fn every_object_is_named_and_nothing_else() {
    let chains =
        [chain("private", "ada", &["calls", "lines"]), chain("org", "bob@x.io", &["days"])];
    for dialect in [Dialect::DuckDb, Dialect::Spark, Dialect::ClickHouse] {
        let text = sql(dialect, "file:///lake", &chains);
        let digest = "a".repeat(32);
        for object in [
            format!("/lake/v1/private/ada/i1/d/00000001/calls-202611-{digest}.parquet"),
            format!("/lake/v1/private/ada/i1/d/00000001/lines-202611-{digest}.parquet"),
            format!("/lake/v1/org/bob@x.io/i1/d/00000001/days-202611-{digest}.parquet"),
        ] {
            assert_eq!(text.matches(&object).count(), 1, "{object} in {text}");
        }
        assert_eq!(text.matches(".parquet").count(), 3, "{text}");
        assert!(!text.contains('*') || !text.contains("*.parquet"), "{text}");
        assert!(text.contains("'bob@x.io' AS"), "{text}");
    }
}

#[test]
fn every_table_has_three_views_also_without_objects() {
    for dialect in [Dialect::DuckDb, Dialect::Spark, Dialect::ClickHouse] {
        let location = ObjectLocation::parse("s3://bucket").unwrap();
        let views = catalog_views(dialect, &location, &[]);
        assert_eq!(views.len(), 3 * Table::ALL.len());
        assert!(views.iter().all(|view| !view.sql.contains("parquet")), "{views:?}");
    }
}

#[test]
fn quotes_in_a_location_stay_inside_their_text() {
    let chains = [chain("org", "ada", &["days"])];
    let text = sql(Dialect::DuckDb, "file:///it's", &chains);
    assert!(text.contains("'/it''s/v1/org/"), "{text}");
    let text = sql(Dialect::ClickHouse, "file:///it's\\", &chains);
    assert!(text.contains("'/it\\'s\\\\/v1/org/"), "{text}");
    let text = sql(Dialect::Spark, "file:///it's", &chains);
    assert!(text.contains("(path '/it\\'s/v1/org/"), "{text}");
}

#[test]
fn spark_reads_the_objects_of_a_chain_as_one_source_with_known_columns() {
    let mut twice = chain("org", "ada", &["days", "days"]);
    twice.head.manifest.segments[1].name =
        format!("00000002/days-202612-{}.parquet", "b".repeat(32)).parse().unwrap();
    let chains = [twice, chain("org", "bob", &["days"])];
    let location = ObjectLocation::parse("s3a://bucket").unwrap();
    let views = catalog_views(Dialect::Spark, &location, &chains);
    let names: Vec<&str> =
        views.iter().map(|view| &*view.name).filter(|name| name.starts_with("days")).collect();
    assert_eq!(names, ["days_objects_1", "days_objects_2", "days_rows", "days_by_owner", "days"]);
    let first = &views.iter().find(|view| view.name == "days_objects_1").unwrap().sql;
    let path = format!(
        "(path 's3a://bucket/v1/org/ada/i1/d/{{00000001/days-202611-{}.parquet,00000002/days-202612-{}.parquet}}')",
        "a".repeat(32),
        "b".repeat(32)
    );
    assert!(first.contains(&path), "{first}");
    assert!(first.contains("`cost_pico` DECIMAL(38, 0)"), "{first}");
}

#[test]
fn locations_with_secrets_or_patterns_are_refused() {
    for text in [
        "s3://key:secret@bucket",
        "https://h/b?x=1",
        "file:///a*",
        "bucket",
        "s3://b/{a,b}",
        "file:///a\n",
    ] {
        assert!(ObjectLocation::parse(text).is_err(), "{text}");
    }
    let parse = |url: &str| url.parse::<crate::StorageUrl>().unwrap();
    let of =
        |url: &str, dialect| ObjectLocation::of_lake(&parse(url), dialect).map(|it| it.of("v1"));
    assert_eq!(of("s3://bucket/f", Dialect::Spark).unwrap(), "s3a://bucket/f/v1");
    assert_eq!(
        of("s3://bucket?region=eu-west-1", Dialect::ClickHouse).unwrap(),
        "https://bucket.s3.eu-west-1.amazonaws.com/v1"
    );
    assert_eq!(
        of("s3://bucket?endpoint=https://m.io", Dialect::ClickHouse).unwrap(),
        "https://m.io/bucket/v1"
    );
    assert!(of("az://container?account=acme", Dialect::DuckDb).is_err());
}
