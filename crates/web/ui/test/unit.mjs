// Runs the unit tests: each file in `unit` is bundled with the code it tests, and Node's test
// runner runs the bundles.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = mkdtempSync(join(tmpdir(), 'annals-web-unit-'));
try {
  const tests = readdirSync(join(here, 'unit')).filter(name => name.endsWith('.test.ts') || name.endsWith('.test.tsx'));
  await build({
    absWorkingDir: here,
    entryPoints: tests.map(name => `unit/${name}`),
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    inject: [join(here, 'browser.mjs')],
    define: { SOURCES: JSON.stringify(join(here, '../src')) },
    logLevel: 'warning',
  });
  const bundles = readdirSync(out).filter(name => name.endsWith('.mjs')).map(name => join(out, name));
  const { status } = spawnSync(process.execPath, ['--test', ...bundles], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
