import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordText } from '../../src/session/record_text';

test('a record is indented, with escaped characters as text, and a damaged one is shown as it is', () => {
  assert.equal(recordText('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}');
  assert.equal(recordText('{"a":"x\\u{202e}y"}'), '{\n  "a": "x\\\\u{202e}y"\n}');
  assert.equal(recordText('{"a":"x\\u202Ey"}'), '{\n  "a": "x\\u{202e}y"\n}', 'an escape of the record itself');
  assert.equal(recordText('{"torn'), '{"torn');
});
