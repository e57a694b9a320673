// The server that is measured: its start, its answers, its memory and CPU.

import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { now, percentile, sleep } from './measure.mjs';

/** Starts `annals serve`, and notes how long it took to print its address. */
export async function serve(binary, store, home) {
  mkdirSync(home, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, ANNALS_HOME: join(home, 'annals'), TZ: 'UTC' };
  const begun = now();
  const child = spawn(binary, ['serve', '--port', '0', '--root', store], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', line => {
      const found = line.match(/http:\/\/127\.0\.0\.1:\d+\/\S+/);
      if (found) resolve(found[0]);
    });
    child.on('exit', status => reject(new Error(`the server ended with ${status}`)));
  });
  const started = now() - begun;
  const run = readdirSync(join(home, 'annals/web')).filter(name => name === `${new URL(url).port}.json`);
  const { token } = JSON.parse(readFileSync(join(home, 'annals/web', run[0]), 'utf8'));
  const base = new URL(url).pathname.split('/').slice(0, 2).join('/') + '/';
  return {
    url,
    started,
    pid: child.pid,
    address: new URL(url).origin + base,
    token,
    stop: () =>
      new Promise(resolve => {
        child.on('exit', resolve);
        child.kill('SIGTERM');
      }),
  };
}

export async function get(server, path) {
  const begun = now();
  const response = await fetch(server.address + path, { headers: { authorization: `Bearer ${server.token}`, 'accept-encoding': 'identity' } });
  const bytes = (await response.arrayBuffer()).byteLength;
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return { time: now() - begun, bytes };
}

/** Waits until the index is up to date: everything after this is measured with a warm one. */
export async function warm(server) {
  for (let attempt = 0; attempt < 1200; attempt++) {
    const response = await fetch(`${server.address}api/1/state`, { headers: { authorization: `Bearer ${server.token}` } });
    const { index } = await response.json();
    if (index.state === 'fresh') return;
    await fetch(`${server.address}api/1/home`, { headers: { authorization: `Bearer ${server.token}` } });
    await sleep(500);
  }
  throw new Error('the index was not built within ten minutes');
}

/** Lists and aggregates, with the parameters of the pages that ask for them. */
const since = days => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
export const routes = ids => [
  'home',
  'sessions?limit=200',
  'sessions?q=fix&limit=200',
  'projects',
  'running',
  'prompts?limit=200',
  'marks',
  'search?q=test&limit=50',
  'search/facets?q=test',
  `usage?by=day,model&since=${since(30)}`,
  `usage?by=project&since=${since(30)}`,
  'usage?by=month',
  'usage/blocks',
  'usage/hours',
  'usage/limits',
  'usage/unused',
  'tools?limit=200',
  'tools/stats',
  'files?limit=200',
  'archive',
  'configuration',
  `sessions/${ids.large}`,
  `sessions/${ids.large}/outline`,
  `sessions/${ids.large}/lanes?width=1200`,
  `sessions/${ids.large}/context?points=500`,
  `sessions/${ids.large}/tools?limit=200`,
  `sessions/${ids.large}/find?q=offset`,
  `sessions/${ids.turn}/outline`,
];

/** The 95th percentile of a route's times, and its size. */
export async function askRoute(server, route, runs) {
  const answers = [];
  await get(server, `api/1/${route}`);
  for (let run = 0; run < runs; run++) answers.push(await get(server, `api/1/${route}`));
  return { p95: percentile(answers.map(({ time }) => time), 0.95), bytes: Math.max(...answers.map(({ bytes }) => bytes)) };
}

/** Memory of a process in bytes: now, and at most. */
export function memory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = name => Number(status.match(new RegExp(`${name}:\\s+(\\d+)`))?.[1] ?? 0) * 1024;
  return { now: of('VmRSS'), most: of('VmHWM') };
}

/** CPU milliseconds of a process so far. */
export function cpu(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** What the scripts and styles of a page are after `gzip -9`. */
export async function assetSizes(page, address) {
  const names = await page.evaluate(() => performance.getEntriesByType('resource').map(entry => entry.name));
  const sizes = { scripts: 0, styles: 0 };
  for (const name of new Set(names.filter(name => name.startsWith(`${address}assets/`)))) {
    const body = await page.evaluate(async url => (await fetch(url)).text(), name);
    sizes[name.endsWith('.css') ? 'styles' : 'scripts'] += gzipSync(body, { level: 9 }).length;
  }
  return sizes;
}
