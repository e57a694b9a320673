// Text from transcripts, made harmless: control characters do nothing in a browser but hide, bidi
// controls change the visible order of text, and tag characters hide text. All are shown escaped,
// as the command line does.

const HARMFUL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** What most texts consist of. */
const PLAIN = /^[ -~]*$/;

/** A text with harmful characters shown as `\u{1b}`. */
export function harmless(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(HARMFUL, character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/**
 * A JSON document with its texts and names made harmless. They are looked at after decoding: JSON
 * writes a character in several ways (raw, `\u202e`, `\u202E`, `\b`, two surrogates), and only
 * the decoded text is what a page would show.
 */
export function parseHarmless(json: string): unknown {
  const whole = [JSON.parse(json) as unknown];
  const open: object[] = [whole];
  // Rows repeat their names.
  const safeNames = new Set<string>();
  // Not recursive: documents may be nested deeply.
  for (let next = open.pop(); next; next = open.pop()) {
    if (Array.isArray(next)) {
      for (let at = 0; at < next.length; at++) next[at] = safe(next[at], open);
      continue;
    }
    const holder = next as Record<string, unknown>;
    let isRenamed = false;
    for (const name of Object.keys(holder)) {
      const value = holder[name];
      const shown = safe(value, open);
      if (shown !== value) holder[name] = shown;
      if (safeNames.has(name)) continue;
      if (harmless(name) === name) safeNames.add(name);
      else isRenamed = true;
    }
    if (isRenamed) rename(holder);
  }
  return whole[0];
}

/** A value as it is shown. What is in it is put aside for later. */
function safe(value: unknown, open: object[]): unknown {
  if (typeof value === 'string') return harmless(value);
  if (typeof value === 'object' && value !== null) open.push(value);
  return value;
}

/** Makes the names of an object harmless, in their order. */
function rename(holder: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(holder)) {
    delete holder[name];
    Object.defineProperty(holder, harmless(name), { value, configurable: true, enumerable: true, writable: true });
  }
}
