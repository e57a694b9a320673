// usage: node naming.mjs STORE OPERATIONS
// Gives sessions titles and tags through the official package. OPERATIONS is a JSON file of
// [id, "rename" or "tag", text or null]; printed is, for each, null or why it was refused.
import fs from 'node:fs';
import path from 'node:path';

const [store, operations] = process.argv.slice(2);
process.env.CLAUDE_CONFIG_DIR = path.resolve(store); // must be set before the import
const { renameSession, tagSession } = await import('@anthropic-ai/claude-agent-sdk');
const outcomes = [];
for (const [id, what, text] of JSON.parse(fs.readFileSync(operations, 'utf8'))) {
  try {
    await (what === 'rename' ? renameSession(id, text) : tagSession(id, text));
    outcomes.push(null);
  } catch (error) {
    outcomes.push(String(error));
  }
}
process.stdout.write(JSON.stringify(outcomes) + '\n', () => process.exit(0));
