// Characters that hide text or change its order, in every field of a store: as the server writes
// them, and as the pages show them. Each store has one such character and no other, so that
// none is found only because of another one beside it.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { closeBrowser, open, serve, signIn } from './support.mjs';

after(closeBrowser);

const here = dirname(fileURLToPath(import.meta.url));
const HARMFUL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
const SESSION = '0a1b2c3d-0000-4000-8000-000000000001';

/** A store in which every text has this character between two letters. */
function storeWith(character) {
  const root = mkdtempSync(join(tmpdir(), 'annals-harmless-'));
  const text = what => `${what} l${character}r`;
  const cwd = `/home/u/${text('folder')}`;
  const folder = join(root, 'projects', cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(join(folder, SESSION, 'subagents'), { recursive: true });
  let parent = null;
  let number = 0;
  const line = (type, content, more = {}) => {
    number += 1;
    const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const time = `2026-11-01T10:00:${String(number).padStart(2, '0')}.000Z`;
    const record = {
      parentUuid: parent, isSidechain: false, userType: 'external', cwd, sessionId: SESSION, version: text('version'), gitBranch: text('branch'), type, uuid,
      timestamp: time, message: { role: type, id: `msg_${number}`, model: text('model'), content, usage: { input_tokens: 1, output_tokens: 1 } }, requestId: `req_${number}`, ...more,
    };
    parent = uuid;
    return JSON.stringify(record);
  };
  const file = `${cwd}/${text('file')}.rs`;
  const call = (id, name, input, result, structured) => [
    line('assistant', [{ type: 'tool_use', id, name, input }]),
    line('user', [{ type: 'tool_result', tool_use_id: id, content: result }], { toolUseResult: structured }),
  ];
  const lines = [
    line('user', text('prompt')),
    line('assistant', [{ type: 'thinking', thinking: text('thought') }, { type: 'text', text: `# ${text('heading')}\n\n**${text('bold')}** \`${text('code')}\`` }]),
    ...call('t1', 'Write', { file_path: file, content: text('content') }, text('written'), { type: 'create', filePath: file, content: text('content'), structuredPatch: [] }),
    ...call('t2', text('tool'), { [text('name')]: text('value') }, text('result')),
    ...call('t3', 'Bash', { command: `git commit -m '${text('subject')}'`, description: text('description') }, `[main abc1234] ${text('subject')}`),
    ...call('t4', 'Task', { description: text('task'), prompt: text('agent prompt'), subagent_type: text('type') }, [{ type: 'text', text: text('agent result') }], { agentId: 'a1' }),
    ...call('t5', 'ExitPlanMode', { plan: `# ${text('plan')}` }, text('approved'), { plan: `# ${text('plan')}`, filePath: file }),
    ...call('t6', 'TodoWrite', { todos: [{ content: text('todo'), status: 'pending', activeForm: text('doing') }] }, text('done')),
    line('assistant', text('answer')),
    JSON.stringify({ type: 'custom-title', customTitle: text('title'), sessionId: SESSION }),
    JSON.stringify({ type: 'tag', tag: text('tag'), sessionId: SESSION }),
    JSON.stringify({ type: 'summary', summary: text('summary'), leafUuid: parent }),
  ];
  writeFileSync(join(folder, `${SESSION}.jsonl`), `${lines.join('\n')}\n`);
  parent = null;
  const agent = [line('user', text('agent prompt'), { isSidechain: true, agentId: 'a1' }), line('assistant', text('agent answer'), { isSidechain: true, agentId: 'a1' })];
  writeFileSync(join(folder, SESSION, 'subagents', 'agent-a1.jsonl'), `${agent.join('\n')}\n`);
  writeFileSync(join(root, 'history.jsonl'), `${JSON.stringify({ display: text('history'), pastedContents: {}, timestamp: 1_793_000_000_000, project: cwd, sessionId: SESSION })}\n`);
  return { root, file };
}

/** Every text and name of a value with its place. */
function* texts(value, place = '') {
  if (typeof value === 'string') yield [place, value];
  else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      yield [`${place} (name)`, name];
      yield* texts(inner, `${place}.${name}`);
    }
  }
}

async function loadParseHarmless() {
  const bundled = await build({ entryPoints: [join(here, '../../src/core/harmless.ts')], bundle: true, write: false, format: 'esm' });
  return (await import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].contents).toString('base64')}`)).parseHarmless;
}

/** The documents that pages ask for. */
const documents = file => [
  'state', 'home', 'sessions', 'projects', 'prompts', 'plans', 'marks', 'search?q=prompt', 'usage?by=project', 'usage?by=model', 'tools', 'files', `files/history?path=${encodeURIComponent(file)}`,
  'commits/abc1234', 'archive', 'doctor', `sql?q=${encodeURIComponent('SELECT * FROM sessions')}`, `sessions/${SESSION}`, `sessions/${SESSION}/outline`, `sessions/${SESSION}/agents`,
  `sessions/${SESSION}/records?from=1&to=9`, `sessions/${SESSION}/lanes`, `sessions/${SESSION}/usage`,
];

/** What a page shows to a person: its title, texts, and texts in attributes and fields. */
function shownTexts() {
  const attributes = ['title', 'aria-label', 'aria-description', 'placeholder', 'alt', 'label', 'value', 'data-tip'];
  const found = [['title of the tab', document.title]];
  for (const element of document.querySelectorAll('*')) {
    for (const name of attributes) if (element.hasAttribute(name)) found.push([`${element.localName} ${name}`, element.getAttribute(name)]);
    if ('value' in element && typeof element.value === 'string') found.push([`value of ${element.localName}`, element.value]);
    for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) found.push([element.localName, node.data]);
  }
  return found;
}

for (const [name, character, escape] of [
  ['a bidi override', '\u202e', '\\u202e'],
  ['a bidi isolate', '\u2066', '\\u2066'],
  ['an Arabic letter mark', '\u061c', '\\u061c'],
  ['a tag character', '\u{e0041}', '\\udb40\\udc41'],
  ['a control character of the second set', '\u009b', '\\u009b'],
]) {
  const shown = `\\u{${character.codePointAt(0).toString(16)}}`;
  test(`${name} acts in no field of the server's documents and on no page`, async t => {
    const { root, file } = storeWith(character);
    t.after(() => rmSync(root, { recursive: true, force: true }));
    const server = await serve(t, '--root', root);
    const { page, context, problems } = await signIn(t, server);
    const parseHarmless = await loadParseHarmless();
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const fields = new Set();
    for (const path of documents(file)) {
      const response = await fetch(`${server.origin}${server.base}api/1/${path}`, { headers: { cookie } });
      const bytes = await response.text();
      assert.equal(response.status, 200, `${path}: ${bytes}`);
      assert.ok(!bytes.includes(character), `${path} has the character itself`);
      const decoded = [...texts(JSON.parse(bytes))].filter(([, text]) => HARMFUL.test(text));
      if (bytes.includes(escape)) assert.ok(decoded.length > 0, path);
      for (const [place] of decoded) fields.add(`${path.split(/[/?]/)[0]}${place.replaceAll(/\.\d+/g, '[]')}`);
      for (const [place, text] of texts(parseHarmless(bytes))) assert.ok(!HARMFUL.test(text), `${path}${place}: ${text}`);
    }
    // Without such fields this test would prove nothing.
    assert.ok(fields.size > 40, `${fields.size}: ${[...fields].join('\n')}`);
    const pages = [
      '', 'sessions', 'prompts', 'plans', 'search?q=prompt', 'usage', 'tools', 'files', `files?path=${encodeURIComponent(file)}`, 'live', 'archive', 'doctor', 'settings', 'sql', 'commits/abc1234',
      `s/${SESSION}`, `s/${SESSION}?thinking=1`, `s/${SESSION}/a/a1`, `sessions?branch=${encodeURIComponent(`x${character}`)}`,
    ];
    let escaped = 0;
    for (const path of pages) {
      await open(page, server, path);
      await page.waitForTimeout(150);
      const all = await page.evaluate(shownTexts);
      const acting = all.filter(([place, text]) => HARMFUL.test(text) && !place.startsWith('value of input') && !place.startsWith('value of option'));
      assert.deepEqual(acting, [], path);
      escaped += all.filter(([, text]) => text.includes(shown)).length;
      if (path === `s/${SESSION}`) {
        assert.equal(await page.title(), `title l${shown}r · annals`);
        assert.equal(await page.locator('h1').first().innerText(), `title l${shown}r`);
      }
    }
    assert.ok(escaped > 40, `${escaped} texts show it escaped`);
    assert.deepEqual(problems.filter(problem => !problem.includes('404')), []);
  });
}
