// What the bundle consists of: which scripts a page loads, how large they are, and the table that
// the server embeds. How the bundle is made is in `build.mjs`.

import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The most that a page may load, in bytes after `gzip -9`. */
export const SCRIPT_BUDGET = 80_000;
export const STYLE_BUDGET = 15_000;

/** The script that every page begins with. */
const ENTRY = 'app.js';

/** The script that every page runs before anything is painted. */
export const EARLY = 'early.js';

/** The scripts that each page loads, the entry first. `groups` is the source of the table of pages. */
export function pageScripts(metafile, groups) {
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const reachable = (name, found = new Set()) => {
    if (found.has(name)) return found;
    found.add(name);
    for (const { path, kind } of outputs.get(name)?.imports ?? []) {
      if (kind === 'import-statement') reachable(basename(path), found);
    }
    return found;
  };
  const groupScript = group => {
    const found = [...outputs].find(([, output]) => output.entryPoint === `src/groups/${group}.tsx`);
    if (!found) throw new Error(`no script has the pages of ${group}`);
    return found[0];
  };
  const pages = new Map();
  for (const [, quoted, page = quoted, group] of groups.matchAll(/^ {2}(?:'(\w*)'|(\w+)): \(\) => import\('\.\/(\w+)'\),$/gm)) {
    pages.set(page, [EARLY, ...new Set([...reachable(ENTRY), ...reachable(groupScript(group))])]);
  }
  const used = new Set([...pages.values()].flat());
  const unused = [...outputs.keys()].filter(name => name.endsWith('.js') && !used.has(name));
  if (unused.length > 0) throw new Error(`no page loads ${unused.join(', ')}`);
  return pages;
}

/** The table of the bundle as Rust: every file, the other scripts of every page, and the bar above it. */
export function table(names, pages, headers) {
  if (headers.some(([, markup]) => markup.includes('"#'))) throw new Error('the bar contains the end of its text in Rust');
  const files = [...names].sort().map(name => `    (${JSON.stringify(name)}, include_bytes!(${JSON.stringify(name)})),`);
  const rows = [...pages].map(([page, scripts]) => {
    const names = scripts.filter(name => name !== ENTRY && name !== EARLY).map(name => JSON.stringify(name));
    return `    (${JSON.stringify(page)}, &[${names.join(', ')}]),`;
  });
  return `// Written by build.mjs.
const FILES: &[(&str, &[u8])] = &[
${files.join('\n')}
];
const PAGES: &[(&str, &[&str])] = &[
${rows.join('\n')}
];
const HEADERS: &[(&str, &str)] = &[
${headers.map(([page, markup]) => `    (${JSON.stringify(page)}, r#"${markup}"#),`).join('\n')}
];
`;
}

/** The sizes of the bundle as text, and what is over its budget. */
export function describe(contents, pages) {
  const sizes = new Map(Object.entries(contents).map(([name, bytes]) => [name, gzipSync(bytes, { level: 9 }).length]));
  const sum = names => names.reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
  const scripts = [...sizes.keys()].filter(name => name.endsWith('.js'));
  const styles = [...sizes.keys()].filter(name => name.endsWith('.css'));
  const rows = [...pages].map(([page, names]) => ({ what: `scripts of the page ${page || 'home'}`, bytes: sum(names), budget: SCRIPT_BUDGET }));
  rows.push({ what: 'styles', bytes: sum(styles), budget: STYLE_BUDGET });
  const line = ({ what, bytes }) => `${what}: ${bytes} bytes`;
  const text = [...rows.map(line), `all ${scripts.length} scripts: ${sum(scripts)} bytes (sizes after gzip -9)`].join('\n');
  return { text, excess: rows.filter(({ bytes, budget }) => bytes > budget).map(row => `${line(row)}, more than ${row.budget}`) };
}
