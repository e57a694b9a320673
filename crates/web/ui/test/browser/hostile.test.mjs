// A store in which every field attacks the page.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closeBrowser, open, serve, signIn } from './support.mjs';

after(closeBrowser);

const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(2)>',
  '"><svg onload=alert(3)>',
  "javascript:alert('4')",
  '</script><script>alert(5)</script>',
  '{{constructor.constructor("alert(6)")()}}',
  '\u202Etxet\u202C\u2066\u200B',
  '\u001b]0;title\u0007\u001b[31m',
  '<iframe srcdoc="<script>parent.alert(7)</script>">',
  '<a href="data:text/html,<script>alert(8)</script>">x</a>',
  '<style>*{display:none}</style><base href=http://127.0.0.1:1/>',
];
const SESSION = '0a1b2c3d-0000-4000-8000-000000000001';

function hostileStore() {
  const root = mkdtempSync(join(tmpdir(), 'annals-hostile-'));
  const folder = join(root, 'projects', '-home-u-hostile');
  mkdirSync(folder, { recursive: true });
  const all = ATTACKS.join(' ');
  let parent = null;
  let number = 0;
  const lines = [];
  const add = (type, content, more = {}) => {
    number += 1;
    const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const second = String(number % 60).padStart(2, '0');
    const minute = String(Math.floor(number / 60)).padStart(2, '0');
    lines.push(
      JSON.stringify({
        parentUuid: parent, isSidechain: false, userType: 'external', cwd: `/home/u/${ATTACKS[1]}`, sessionId: SESSION, version: ATTACKS[0],
        gitBranch: ATTACKS[2], type, uuid, timestamp: `2026-11-01T10:${minute}:${second}.000Z`,
        message: { role: type, id: `msg_${number}`, model: ATTACKS[0], content, usage: { input_tokens: 1, output_tokens: 1 } }, requestId: `req_${number}`, ...more,
      }),
    );
    parent = uuid;
  };
  for (const attack of ATTACKS) {
    add('user', `${attack} **${attack}** [${attack}](${attack}) \`${attack}\``);
    add('assistant', [{ type: 'thinking', thinking: attack }, { type: 'text', text: `# ${attack}\n\n| ${attack} | b |\n|-|-|\n| ${attack} | c |\n\n\`\`\`html\n${attack}\n\`\`\`` }]);
    add('assistant', [{ type: 'tool_use', id: `t${number}`, name: attack, input: { command: attack, file_path: `/home/u/${attack}`, old_string: attack, new_string: `${attack}!` } }]);
    add('user', [{ type: 'tool_result', tool_use_id: `t${number - 1 + 1}`, content: attack, is_error: true }]);
    add('assistant', [{ type: 'tool_use', id: `e${number}`, name: 'Edit', input: { file_path: `/home/u/${attack}`, old_string: attack, new_string: `${attack}!` } }]);
    add('user', [{ type: 'image', source: { type: 'base64', media_type: attack, data: attack } }, { type: 'image', source: { type: 'base64', media_type: 'image/svg+xml', data: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(9)"/>').toString('base64') } }]);
  }
  add('user', `${'x'.repeat(1_000_000)} ${all}`);
  lines.push(JSON.stringify({ type: 'custom-title', customTitle: all, sessionId: SESSION }));
  lines.push(JSON.stringify({ type: 'tag', tag: ATTACKS[0], sessionId: SESSION }));
  writeFileSync(join(folder, `${SESSION}.jsonl`), `${lines.join('\n')}\n`);
  writeFileSync(join(root, 'history.jsonl'), `${JSON.stringify({ display: all, pastedContents: {}, timestamp: 1_793_000_000_000, project: ATTACKS[1], sessionId: SESSION })}\n`);
  return root;
}

test('a hostile store changes nothing but text', async t => {
  const root = hostileStore();
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const server = await serve(t, '--root', root);
  const { page, context, problems } = await signIn(t, server);
  await context.addInitScript(() => {
    globalThis.violations = [];
    addEventListener('securitypolicyviolation', event => globalThis.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
  });
  const query = encodeURIComponent('alert');
  const paths = ['', 'sessions', 'prompts', 'plans', 'marks', `search?q=${query}`, 'usage', 'tools', 'files', 'live', 'archive', 'doctor', 'settings', `s/${SESSION}`, `s/${SESSION}?thinking=1`];
  for (const path of paths) {
    await open(page, server, path);
    await page.waitForTimeout(200);
    const found = await page.evaluate(() => ({
      violations: globalThis.violations,
      scripts: [...document.scripts].filter(script => script.type !== 'application/json' && !/\/assets\/(app|early)-/.test(script.src)).map(script => script.outerHTML),
      handlers: [...document.querySelectorAll('*')].flatMap(element => [...element.attributes]).filter(attribute => /^on|^srcdoc$/.test(attribute.name)).map(attribute => attribute.name),
      frames: document.querySelectorAll('iframe, object, embed, base').length,
      links: [...document.querySelectorAll('a[href]')].map(link => link.href).filter(href => !/^(https?|mailto):/.test(href)),
      hidden: [...(document.body.textContent ?? '')].filter(character => /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(character)).length,
    }));
    assert.deepEqual(found, { violations: [], scripts: [], handlers: [], frames: 0, links: [], hidden: 0 }, path);
    assert.deepEqual(problems, [], path);
  }
  await open(page, server, `s/${SESSION}`);
  const text = await page.locator('main').innerText();
  assert.ok(text.includes('<script>alert(1)</script>') && text.includes('<img src=x onerror=alert(2)>'), 'the text is there, as text');
});
