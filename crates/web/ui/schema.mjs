// Writes `src/schema.ts`: the types of the JSON documents, from docs/schema.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';

const here = dirname(fileURLToPath(import.meta.url));
const schemas = join(here, '../../../docs/schema');
const target = process.argv[2] ?? join(here, 'src/schema.ts');

// Each document is compiled alone, because definitions of the same name may differ between
// documents. Each becomes a namespace-like prefix: `Outline.Turn` is `OutlineTurn`.
const pascal = name => name.replace(/(^|[-_ ])(\w)/g, (_, __, letter) => letter.toUpperCase());

let text = '// The JSON documents. Written by `cargo xtask web` from docs/schema.\n';
for (const file of (await readdir(schemas)).filter(name => name.endsWith('.json')).sort()) {
  const prefix = pascal(file.replace(/\.json$/, ''));
  const schema = JSON.parse(await readFile(join(schemas, file), 'utf8'));
  schema.title = `${prefix}Document`;
  const definitions = schema.$defs ?? {};
  // `RunningDocument` has `RunningSessionDocument` and `SessionDocument`: the prefix is not
  // repeated, except where two names would become one.
  const plain = name => prefix + name.replace(/Document$/, '');
  const short = name => prefix + name.replace(/Document$/, '').replace(new RegExp(`^${prefix}(?=.)`), '');
  const isTaken = name => Object.keys(definitions).some(other => other !== name && plain(other) === short(name));
  const rename = name => (isTaken(name) ? plain(name) : short(name));
  schema.$defs = Object.fromEntries(Object.entries(definitions).map(([name, value]) => [rename(name), { ...value, title: rename(name) }]));
  const relinked = JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === '$ref' && typeof value === 'string' ? value.replace(/#\/\$defs\/(.*)/, (_, name) => `#/$defs/${rename(name)}`) : value,
    ),
  );
  text +=
    '\n' +
    (
      await compile(relinked, `${prefix}Document`, {
        additionalProperties: false,
        bannerComment: '',
        declareExternallyReferenced: true,
        format: false,
        unreachableDefinitions: false,
      })
    ).trim() +
    '\n';
}
await writeFile(target, text);
