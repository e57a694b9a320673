import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
// @ts-expect-error: a script of the build, without types
import { describe, pageScripts, SCRIPT_BUDGET, table } from '../../bundle.mjs';

const statement = (path: string) => ({ path: `out/${path}`, kind: 'import-statement' });
const dynamic = (path: string) => ({ path: `out/${path}`, kind: 'dynamic-import' });
const metafile = {
  outputs: {
    'out/app.js': { entryPoint: 'src/main.tsx', imports: [statement('core.js'), dynamic('home.js'), dynamic('lists.js')] },
    'out/app.css': { imports: [] },
    'out/core.js': { imports: [] },
    'out/home.js': { entryPoint: 'src/groups/home.tsx', imports: [statement('core.js'), statement('charts.js')] },
    'out/charts.js': { imports: [statement('core.js')] },
    'out/lists.js': { entryPoint: 'src/groups/lists.tsx', imports: [statement('core.js')] },
  },
};
const groups = "const loads = {\n  '': () => import('./home'),\n  sessions: () => import('./lists'),\n  marks: () => import('./lists'),\n};\n";

test('a page loads the entry, its group and what these import, but no other group', () => {
  const pages = pageScripts(metafile, groups);
  assert.deepEqual([...pages], [
    ['', ['early.js', 'app.js', 'core.js', 'home.js', 'charts.js']],
    ['sessions', ['early.js', 'app.js', 'core.js', 'lists.js']],
    ['marks', ['early.js', 'app.js', 'core.js', 'lists.js']],
  ]);
});

test('a script that no page loads is an error', () => {
  assert.throws(() => pageScripts(metafile, groups.replace(/ {2}'.*\n/, '')), /no page loads home\.js, charts\.js/);
});

test('the table names every file and the scripts of every page', () => {
  const rust = table(['app.js', 'app.css', 'core.js'], new Map([['', ['early.js', 'app.js', 'core.js']]]), [['', '<b>"</b>']]);
  assert.match(rust, /\("core\.js", include_bytes!\("core\.js"\)\),/);
  assert.match(rust, /\("", &\["core\.js"\]\),/);
  assert.match(rust, /\("", r#"<b>"<\/b>"#\),/);
});

test('a page over the budget is an error, however small its single scripts are', () => {
  const half = randomBytes(SCRIPT_BUDGET / 2 + 1);
  const contents = { 'app.js': half, 'home.js': half, 'lists.js': Buffer.from(''), 'app.css': Buffer.from('') };
  const pages = new Map([['', ['app.js', 'home.js']], ['sessions', ['app.js', 'lists.js']]]);
  const { excess } = describe(contents, pages);
  assert.equal(excess.length, 1);
  assert.match(excess[0], /^scripts of the page home: \d+ bytes, more than 80000$/);
});
