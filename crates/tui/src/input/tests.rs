use super::*;
use proptest::prelude::*;

/// What the bytes mean, in short.
fn meanings(input: &mut Input, bytes: &[u8]) -> Vec<String> {
    let mut decoded = input.feed(bytes);
    decoded.extend(input.flush());
    decoded.into_iter().map(|decoded| meaning(&decoded)).collect()
}

fn meaning(decoded: &Decoded) -> String {
    match decoded {
        Decoded::Event(Event::Key(key)) => key.to_string(),
        Decoded::Event(Event::Paste(text)) => format!("paste {text:?}"),
        Decoded::Event(Event::Mouse(mouse)) => {
            format!("{:?} {},{}", mouse.kind, mouse.column, mouse.row)
        }
        Decoded::Background(color) => format!("background {color}"),
        Decoded::Attributes => "attributes".to_owned(),
        Decoded::Event(other) => format!("{other:?}"),
    }
}

#[test]
fn sequences_become_keys() {
    let table: &[(&[u8], &[&str])] = &[
        (b"ab", &["a", "b"]),
        ("é日😀".as_bytes(), &["é", "日", "😀"]),
        (b"\x1b", &["esc"]),
        (b"\x1b\x1b", &["esc", "esc"]),
        (b"\x1b[A\x1b[1;5B\x1bOC\x1b[H\x1b[4~", &["↑", "^↓", "→", "home", "end"]),
        (b"\x1bx\x1b\r", &["M-x", "M-↵"]),
        (b"\x12\r\n\t\x7f\x08\x00", &["^R", "↵", "↵", "tab", "⌫", "⌫", "^space"]),
        (b"\x1b[Z\x1b[5~\x1b[15~\x1bOP\x1b[24~", &["⇧tab", "pgup", "F5", "F1", "F12"]),
        (b"\x1b[200~two\nlines\x1b[A\x1b[201~x", &["paste \"two\\nlines\\u{1b}[A\"", "x"]),
        (b"\x1b[<0;3;5M\x1b[<0;3;5m\x1b[<64;1;1M", &["Press 2,4", "Release 2,4", "WheelUp 0,0"]),
        (b"\x1b[<35;3;5M\x1b[<2;1;1M", &[]),
        (b"\xff\xc3x", &["x"]),
        (b"\x1b[I\x1b[99~\x1b[?1;2u", &[]),
    ];
    for (bytes, expected) in table {
        let found = meanings(&mut Input::default(), bytes);
        assert_eq!(found, *expected, "{:?}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn answers_of_the_terminal_are_never_keys() {
    let reply = b"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b[?62;4c";
    // In two reads, with a pause at any place but behind the first byte, where nobody can
    // tell it from the key.
    for cut in 2..reply.len() {
        let mut input = Input::default();
        let mut found: Vec<String> = input.feed(&reply[..cut]).iter().map(meaning).collect();
        found.extend(input.feed(&reply[cut..]).iter().map(meaning));
        assert_eq!(found, ["background rgb:1e1e/1e1e/2e2e", "attributes"], "{cut}");
    }
    let mut input = Input::default();
    assert!(meanings(&mut input, b"\x1b]11;rgb:ff").is_empty());
    assert_eq!(meanings(&mut input, b"ff/ffff/ffff\x07q"), ["background rgb:ffff/ffff/ffff", "q"]);
}

proptest! {
    #[test]
    fn bytes_mean_the_same_in_any_two_reads(
        bytes in proptest::collection::vec(prop_oneof![
            Just(0x1b_u8), Just(b'['), Just(b']'), Just(b'<'), Just(b'M'), Just(7), any::<u8>()
        ], 0..60),
        cut in 0_usize..60,
    ) {
        let cut = cut.min(bytes.len());
        let mut whole = Input::default();
        let once: Vec<String> = whole.feed(&bytes).iter().map(meaning).collect();
        let mut parts = Input::default();
        let mut twice: Vec<String> = parts.feed(&bytes[..cut]).iter().map(meaning).collect();
        twice.extend(parts.feed(&bytes[cut..]).iter().map(meaning));
        prop_assert_eq!(once, twice);
    }
}
