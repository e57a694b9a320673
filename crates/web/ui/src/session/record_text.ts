// A record as text: the line of the transcript, indented.

import { harmless } from '../core/harmless';

/** The line indented; as it is if it is not JSON. */
export function recordText(raw: string): string {
  // Characters that were escaped for display (as `\u{202e}`) are text, not escapes of JSON.
  for (const line of [raw, raw.replaceAll('\\u{', '\\\\u{')]) {
    try {
      // The line is JSON in a text of JSON: decoding it brings back what it writes as `\\u202e`.
      return harmless(JSON.stringify(JSON.parse(line), null, 2));
    } catch {
      // Damaged lines are shown too.
    }
  }
  return raw;
}
