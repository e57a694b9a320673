// Runs the unit tests: bundles each file of test/unit with esbuild and hands it to `node --test`.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, 'unit');
const out = mkdtempSync(join(tmpdir(), 'annals-ui-'));
try {
  const files = readdirSync(folder).filter(name => name.endsWith('.test.ts') || name.endsWith('.test.tsx'));
  await build({
    absWorkingDir: dirname(here),
    entryPoints: files.map(name => join(folder, name)),
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // Modules of the page read the address and the state when they are loaded.
    banner: {
      js: "globalThis.location ??= new URL('http://127.0.0.1/base/'); globalThis.document ??= { getElementById: () => null }; globalThis.addEventListener ??= () => {};",
    },
    logLevel: 'warning',
  });
  const built = readdirSync(out)
    .filter(name => name.endsWith('.mjs'))
    .map(name => join(out, name));
  process.exitCode = spawnSync(process.execPath, ['--test', ...built], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
