// Bundles the application into `dist` (or the folder given): the script that starts it, a script
// for each group of pages and for what they share, one stylesheet, and the table by which the
// server finds them. Fails if a page loads more than its budget.
// With `--watch` it builds again whenever a source changes.

import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';
import { describe, EARLY, pageScripts, table } from './bundle.mjs';

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

/** What scripts have in common. */
const common = {
  absWorkingDir: here,
  bundle: true,
  target: ['chrome120', 'firefox121', 'safari17.4'],
  minify: true,
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
};

const options = {
  ...common,
  entryPoints: { app: 'src/main.tsx' },
  outdir: out,
  format: 'esm',
  splitting: true,
  chunkNames: '[name]-[hash]',
  metafile: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  plugins: [pureCurves],
  alias: { 'd3-format': './src/charts/no_format.ts', 'd3-interpolate': './src/charts/interpolate.ts' },
};

/** The script that runs before anything is painted: a plain one, which a browser does not put off. */
const buildEarly = () => build({ ...common, entryPoints: { early: 'src/early.ts' }, outdir: out, format: 'iife' });

/** The bar above each page as text. `{base}` stands for what every address begins with. */
async function renderHeaders(pages) {
  const { outputFiles } = await build({
    ...common,
    entryPoints: ['src/parts/header.tsx'],
    write: false,
    format: 'esm',
    // As an option it would be overruled by the file.
    tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', jsxImportSource: 'markup' } },
    alias: { 'markup/jsx-runtime': './markup.mjs' },
  });
  const { Header } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
  return pages.map(page => [page, Header({ base: '{base}', page }).text]);
}

/** Writes the table, and removes the scripts of earlier builds. */
const finish = {
  name: 'finish',
  setup(build) {
    build.onEnd(async ({ errors, metafile }) => {
      if (errors.length > 0) return;
      const pages = pageScripts(metafile, await readFile(join(here, 'src/groups/index.ts'), 'utf8'));
      await buildEarly();
      const built = [...Object.keys(metafile.outputs).map(path => basename(path)), EARLY];
      for (const name of await readdir(out)) {
        if (/\.(js|css)$/.test(name) && !built.includes(name)) await rm(join(out, name));
      }
      await writeFile(join(out, 'table.rs'), table(built, pages, await renderHeaders([...pages.keys()])));
      const contents = Object.fromEntries(await Promise.all(built.map(async name => [name, await readFile(join(out, name))])));
      const { text, excess } = describe(contents, pages);
      console.log(text);
      if (excess.length > 0 && !watches) throw new Error(excess.join('\n'));
    });
  },
};

await mkdir(out, { recursive: true });
const all = { ...options, plugins: [...options.plugins, finish] };
if (watches) {
  await (await context(all)).watch();
} else {
  await build(all);
}
