// Writes `src/schema.ts`: the types of the JSON documents, from docs/schema.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';

const here = dirname(fileURLToPath(import.meta.url));
const schemas = join(here, '../../../docs/schema');
const target = process.argv[2] ?? join(here, 'src/schema.ts');

/** The file with the objects that documents share. */
const shared = 'definitions.json';
/** Types that browsers and TypeScript have: ours of these names keep the word `Document`. */
const global = new Set(['File', 'Record', 'Window']);

// `usage-hours.json` becomes `UsageHoursDocument`, and an object in it, `UsageRowDocument`,
// `UsageRow`.
const documentName = file => `${file.replace(/\.json$/, '').replace(/(^|-)(\w)/g, (_, __, letter) => letter.toUpperCase())}Document`;
const objectName = name => {
  const plain = name.replace(/Document$/, '');
  return global.has(plain) ? name : plain;
};

const read = async file => JSON.parse(await readFile(join(schemas, file), 'utf8'));
const relinked = schema =>
  JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key === 'x-rows' || key === '$schema') return undefined;
    if (key === '$ref') return value.replace(/^.*\/\$defs\/(.*)/, (_, name) => `#/$defs/${objectName(name)}`);
    // A reference with a description would become a copy of what it refers to.
    if (value?.$ref && value.description) return { description: value.description, allOf: [{ $ref: value.$ref }] };
    return value;
  });

const types = {};
const add = (name, schema) => {
  if (types[name]) throw new Error(`two types are called ${name}`);
  types[name] = { ...relinked(schema), title: name };
};
for (const [name, schema] of Object.entries((await read(shared)).$defs)) add(objectName(name), schema);
for (const file of (await readdir(schemas)).filter(name => name.endsWith('.json') && name !== shared).sort()) {
  add(documentName(file), await read(file));
}
const text = await compile({ title: 'Documents', type: 'object', $defs: types }, 'Documents', {
  additionalProperties: false,
  bannerComment: '',
  format: false,
  unreachableDefinitions: true,
});
const short = text
  // The type that only holds the others.
  .replace(/^export interface Documents \{\s*\}\n/m, '')
  .replace(/^ \* ?\n \* This interface was referenced by `Documents`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/gm, '')
  .replace(/^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm, '$1/** $2 */');
await writeFile(target, `// The JSON documents. Written by \`cargo xtask web\` from docs/schema.\n\n${short.trim()}\n`);
