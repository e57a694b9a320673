// Bundles the application into `dist` (or the folder given): one script, one stylesheet.
// With `--watch` it builds again whenever a source changes.

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const watches = process.argv.includes('--watch');
const out = process.argv.slice(2).find(argument => !argument.startsWith('--')) ?? join(here, 'dist');

/**
 * d3-shape is one module whose curves assign their prototypes, which keeps all of them in the
 * bundle. Marked as pure, those that nobody uses are left out.
 */
const pureCurves = {
  name: 'pure-curves',
  setup(build) {
    build.onLoad({ filter: /d3-shape\.mjs$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8'))
        .replace(
          /^(function ([A-Z]\w*)\([^)]*\) \{\n[\s\S]*?\n\}\n\n\2\.prototype = \{\n[\s\S]*?\n\};)/gm,
          'const $2 = /* @__PURE__ */ (() => {\n$1\nreturn $2;\n})();',
        )
        .replace(/^var (\w+) = (\(function custom|\w+\()/gm, 'var $1 = /* @__PURE__ */ $2'),
      loader: 'js',
    }));
  },
};

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
  plugins: [pureCurves],
  alias: { 'd3-format': './src/charts/no_format.ts', 'd3-interpolate': './src/charts/interpolate.ts' },
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
};

if (watches) {
  await (await context(options)).watch();
} else {
  await build(options);
}
