// agentsview, measured in the same way where it is installed.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { firstPaint, launch, newPage, now, quiet, sleep } from './measure.mjs';
import { memory } from './server.mjs';

export async function measurePeer(program, store, folder, ids, runs) {
  const home = join(folder, 'agentsview');
  mkdirSync(home, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: store, CLAUDE_PROJECTS_DIR: join(store, 'projects'), AGENTSVIEW_DATA_DIR: join(home, 'data'), TZ: 'UTC' };
  const version = spawnSync(program, ['version'], { env, encoding: 'utf8' }).stdout.trim().split('\n')[0];
  const synced = spawnSync(program, ['sync'], { env: { ...env, AGENTSVIEW_NO_DAEMON: '1' }, stdio: 'ignore', timeout: 600_000 });
  if (synced.status !== 0) throw new Error('agentsview sync failed');
  const port = 20_000 + (process.pid % 10_000);
  const address = `http://127.0.0.1:${port}/`;
  const begun = now();
  const child = spawn(program, ['serve', '--port', String(port), '--no-browser', '--no-update-check'], { env, stdio: 'ignore' });
  const rows = {};
  try {
    for (let attempt = 0; ; attempt++) {
      if (await fetch(address).then(response => response.ok, () => false)) break;
      if (attempt > 3_000) throw new Error('agentsview does not answer');
      await sleep(10);
    }
    rows.start = [now() - begun];
    const browser = await launch();
    const add = (name, value) => (rows[name] ??= []).push(value);
    for (let run = 0; run < runs; run++) {
      const { context, page } = await newPage(browser);
      await page.goto(address, { waitUntil: 'commit' });
      add('homeComplete', await quiet(page, { pause: 1_000 }));
      add('homePaint', await firstPaint(page));
      await context.close();
      for (const [name, id] of [['medium', ids.medium], ['large', ids.large]]) {
        const { context, page } = await newPage(browser);
        await page.goto(`${address}sessions/${id}`, { waitUntil: 'commit' });
        // Its message rows have changed their names before; words of the session have not.
        const seen = await page.waitForFunction(() => (document.body?.innerText ?? '').includes('cargo test -p crate-') && performance.now(), null, { polling: 20, timeout: 30_000 }).then(handle => handle.jsonValue(), () => undefined);
        if (seen !== undefined) add(name, seen);
        await context.close();
      }
    }
    rows.memory = [memory(child.pid).most];
    await browser.close();
  } finally {
    child.kill('SIGTERM');
  }
  return { version, rows };
}
