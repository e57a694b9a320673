// Text from transcripts, made harmless: control characters do nothing in a browser but hide, bidi
// controls change the visible order of text, and tag characters hide text. All are shown escaped,
// as the command line does.

const HARMFUL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** In JSON, control characters are escaped; the others may be written as they are. */
const HARMFUL_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|\\u00[01]|\\[bf]/u;

/** A text with harmful characters shown as `\u{1b}`. */
export function harmless(text: string): string {
  return text.replace(HARMFUL, character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A JSON document with its texts made harmless. */
export function parseHarmless(json: string): unknown {
  // Most documents have nothing to escape, and are read at full speed.
  if (!HARMFUL_JSON.test(json)) return JSON.parse(json);
  return JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? harmless(value) : value));
}
