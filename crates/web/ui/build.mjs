// Bundles the application into `dist` (or the folder given): one script, one stylesheet.
// With `--watch` it builds again whenever a source changes.

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const watches = process.argv.includes('--watch');
const out = process.argv.slice(2).find(argument => !argument.startsWith('--')) ?? join(here, 'dist');

const options = {
  absWorkingDir: here,
  entryPoints: { app: 'src/main.tsx' },
  outdir: out,
  bundle: true,
  format: 'esm',
  target: ['chrome120', 'firefox121', 'safari17.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  alias: { 'd3-interpolate': './src/charts/interpolate.ts' },
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
};

if (watches) {
  await (await context(options)).watch();
} else {
  await build(options);
}
