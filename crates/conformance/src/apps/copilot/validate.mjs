// Checks the lines of files against a JSON schema: node validate.mjs AJV SCHEMA FILE…
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [validator, schema, ...files] = process.argv.slice(2);
const { default: Ajv } = createRequire(import.meta.url)(validator);
const ajv = new Ajv({ strict: false, validateFormats: false });
const document = JSON.parse(readFileSync(schema, "utf8"));
// One schema per type of event: of a list of alternatives, the errors of all would be reported.
const types = new Map();
ajv.addSchema(document, "events");
for (const [name, definition] of Object.entries(document.definitions)) {
  const type = definition.properties?.type?.const;
  if (type && definition.properties.parentId) {
    types.set(type, ajv.getSchema(`events#/definitions/${name}`));
  }
}
const invalid = [];
let count = 0;
for (const file of files) {
  readFileSync(file, "utf8").split("\n").forEach((line, at) => {
    if (!line) return;
    count += 1;
    const event = JSON.parse(line);
    const validate = types.get(event.type);
    if (!validate) invalid.push({ file, line: at + 1, type: event.type, error: "no such type" });
    else if (!validate(event)) {
      const { instancePath, message, params } = validate.errors[0];
      invalid.push({ file, line: at + 1, type: event.type, instancePath, message, params });
    }
  });
}
console.log(JSON.stringify({ count, invalid }));
