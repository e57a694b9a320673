//! Forgetting deletes what it is asked to, and nothing else.

use super::{folder, keys, names, noise, now, open, sync, transcript, verify, versions};
use std::fs;
use testkit::{Sandbox, session_id};

#[test]
fn the_bytes_are_gone_from_every_file() {
    let sandbox = Sandbox::new();
    // Random bytes are stored uncompressed, so the test can search for them.
    for number in 1..=3 {
        sandbox.write(&transcript(number), noise(5000, u64::from(number)));
    }
    sync(&sandbox);
    let holds = |needle: &[u8]| {
        let packs = fs::read_dir(folder(&sandbox).join("packs")).unwrap().flatten();
        packs
            .map(|entry| fs::read(entry.path()).unwrap())
            .any(|bytes| bytes.windows(needle.len()).any(|window| window == needle))
    };
    assert!(holds(&noise(5000, 2)[100..200]));
    let gone: Vec<_> = keys(&open(&sandbox))
        .into_iter()
        .filter(|(_, name)| name.as_str() == transcript(2))
        .collect();
    assert_eq!(archive::forget(&folder(&sandbox), &gone, now()).unwrap(), 1);
    assert!(!holds(&noise(5000, 2)[100..200]));
    assert!(holds(&noise(5000, 1)[100..200]));
    let manifest = fs::read_to_string(folder(&sandbox).join("manifest.jsonl")).unwrap();
    assert!(!manifest.contains(&session_id(2)));
    let archive = open(&sandbox);
    assert_eq!(names(&archive), [transcript(1), transcript(3)]);
    assert_eq!(versions(&archive, &transcript(3)), [noise(5000, 3)]);
    let verified = verify(&sandbox);
    assert!(verified.is_whole(), "{verified:?}");
    assert_eq!(verified.left_over, 0);
}

#[test]
fn frames_shared_with_other_files_stay() {
    let sandbox = Sandbox::new();
    sandbox.write(&transcript(1), noise(5000, 1));
    sandbox.write(&transcript(2), noise(5000, 1));
    sync(&sandbox);
    let first = keys(&open(&sandbox))[..1].to_vec();
    archive::forget(&folder(&sandbox), &first, now()).unwrap();
    assert_eq!(versions(&open(&sandbox), &transcript(2)), [noise(5000, 1)]);
    assert!(verify(&sandbox).is_whole());
}

#[test]
fn archiving_continues_after_forgetting() {
    let sandbox = Sandbox::new();
    for number in 1..=3 {
        sandbox.write(&transcript(number), noise(5000, u64::from(number)));
    }
    sync(&sandbox);
    let first = keys(&open(&sandbox))[..1].to_vec();
    archive::forget(&folder(&sandbox), &first, now()).unwrap();
    fs::remove_file(sandbox.config().join(transcript(1))).unwrap();
    sandbox.append(&sandbox.config().join(transcript(2)), "more");
    sandbox.write(&transcript(4), "four");
    sync(&sandbox);
    let archive = open(&sandbox);
    assert_eq!(names(&archive), [transcript(2), transcript(3), transcript(4)]);
    assert_eq!(versions(&archive, &transcript(2)), [[noise(5000, 2), b"more".to_vec()].concat()]);
    assert!(verify(&sandbox).is_whole());
}

#[test]
fn a_truncated_pack_does_not_prevent_forgetting_other_files() {
    let sandbox = Sandbox::new();
    for number in 1..=3 {
        sandbox.write(&transcript(number), noise(5000, u64::from(number)));
    }
    sync(&sandbox);
    let pack = folder(&sandbox).join("packs/00000001.zst");
    let bytes = fs::read(&pack).unwrap();
    fs::write(&pack, &bytes[..bytes.len() - 10]).unwrap();
    let whole = verify(&sandbox).whole_sessions;
    assert_eq!(whole.len(), 2);
    let mut keys = keys(&open(&sandbox));
    let of = |key: &archive::FileKey, id: &String| key.1.as_str().contains(id.as_str());
    keys.retain(|key| whole.first().is_some_and(|id| of(key, id)));
    archive::forget(&folder(&sandbox), &keys, now()).unwrap();
    let verified = verify(&sandbox);
    assert_eq!(verified.touched_sessions.len(), 1, "{verified:?}");
    assert_eq!(
        verified.whole_sessions.into_iter().collect::<Vec<_>>(),
        whole.into_iter().skip(1).collect::<Vec<_>>()
    );
}
