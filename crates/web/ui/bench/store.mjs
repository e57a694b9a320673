// The store that is measured: the files of the given store, and made-up sessions of fixed sizes
// beside them. Nothing is written below the given store: its files are linked, or copied where
// that is not possible, and never opened for writing.

import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const WORDS = 'the parser should return every record with its offset because a torn line is normal while writing please check tests and fix the failing case'.split(' ');
const PROJECT = '/home/u/work/made-up';
const START = Date.parse('2026-10-30T09:00:00Z');

/** The sessions that the measurements need. */
export const SESSIONS = {
  /** 4.2 MB. */
  medium: { id: '00000000-0000-4000-8000-0000000000a1', lines: 5_600, bytes: 4_200_000, callsOfTurn: 12 },
  /** 15 MB with 20,000 lines. */
  large: { id: '00000000-0000-4000-8000-0000000000a2', lines: 20_000, bytes: 15_000_000, callsOfTurn: 24 },
  /** One turn with 3,000 calls. */
  turn: { id: '00000000-0000-4000-8000-0000000000a3', lines: 9_001, bytes: 6_000_000, callsOfTurn: 3_000 },
};

function link(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) link(source, target);
    else if (entry.isFile()) {
      try {
        linkSync(source, target);
      } catch {
        copyFileSync(source, target);
      }
    }
  }
}

/** Always the same numbers. */
function randomNumbers() {
  let state = 1;
  return bound => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Writes the lines of one session, each chained to the one before. */
export class Author {
  constructor(id, random = randomNumbers()) {
    this.id = id;
    this.random = random;
    this.number = 0;
    this.parent = null;
    this.time = START;
  }

  text(bytes) {
    let text = '';
    while (text.length < bytes) text += `${WORDS[this.random(WORDS.length)]}${this.random(12) === 0 ? '\n' : ' '}`;
    return text.slice(0, bytes);
  }

  record(type, message, more = {}) {
    this.number++;
    this.time += 1_500;
    const uuid = `${this.number.toString(16).padStart(8, '0')}-0000-4000-8000-${this.id.slice(-12)}`;
    const record = {
      parentUuid: this.parent,
      isSidechain: false,
      userType: 'external',
      cwd: PROJECT,
      sessionId: this.id,
      version: '2.1.81',
      gitBranch: 'main',
      type,
      message,
      ...more,
      uuid,
      timestamp: new Date(this.time).toISOString(),
    };
    this.parent = uuid;
    return `${JSON.stringify(record)}\n`;
  }

  prompt(text) {
    return this.record('user', { role: 'user', content: text });
  }

  answer(block) {
    const id = `msg_${this.id.slice(-2)}${this.number.toString(16).padStart(16, '0')}`;
    const usage = { input_tokens: 4, cache_creation_input_tokens: 900, cache_read_input_tokens: 20_000 + this.random(90_000), output_tokens: 20 + this.random(600) };
    return this.record('assistant', { model: 'claude-opus-4-6', id, type: 'message', role: 'assistant', content: [block], stop_reason: 'tool_use', usage }, { requestId: `req_${id}` });
  }

  /** A text, a call and its result: three lines. */
  call(bytes) {
    const id = `toolu_${this.id.slice(-2)}${this.number.toString(16).padStart(18, '0')}`;
    const command = `cargo test -p crate-${this.random(40)}`;
    return (
      this.answer({ type: 'text', text: this.text(60 + this.random(120)) }) +
      this.answer({ type: 'tool_use', id, name: 'Bash', input: { command, description: this.text(30) } }) +
      this.record('user', { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content: this.text(bytes), is_error: this.random(50) === 0 }] })
    );
  }
}

/** The size of a call's three lines without its result. */
const FRAME = 1_900;

function session({ id, lines, bytes, callsOfTurn }) {
  const author = new Author(id);
  const result = Math.max(Math.round((bytes / lines) * 3 - FRAME), 40);
  let text = '';
  while (author.number < lines) {
    text += author.prompt(author.text(200));
    for (let call = 0; call < callsOfTurn && author.number < lines; call++) text += author.call(Math.round(result * (0.5 + author.random(1_000) / 1_000)));
  }
  return text;
}

/** Makes the store in a folder, and returns the paths of its made-up sessions. */
export function makeStore(given, folder) {
  const store = join(folder, 'store');
  rmSync(store, { recursive: true, force: true });
  link(given, store);
  const project = join(store, 'projects', PROJECT.replaceAll('/', '-'));
  mkdirSync(project, { recursive: true });
  const paths = {};
  for (const [name, wanted] of Object.entries(SESSIONS)) {
    paths[name] = join(project, `${wanted.id}.jsonl`);
    if (!existsSync(paths[name])) writeFileSync(paths[name], session(wanted));
    utimesSync(paths[name], START / 1000, START / 1000);
  }
  return { store, project, paths };
}
