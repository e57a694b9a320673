// Home: what needs attention, what it costs, what runs, what was last.

import { computed } from '@preact/signals';
import { useAnswer } from '../core/api';
import { listVersion, runningVersion } from '../core/events';
import { state } from '../core/state';
import { Expiring } from '../home/expiring';
import { Activity, CostByModel, HomeFigures, Latest, Marks } from '../home/panels';
import { Running } from '../home/running';
import { Awaited, Empty, PageHeading, Panel } from '../parts/basics';
import type { HomeDocument } from '../schema';

/** Changes when the answer may have: sessions were written, started or ended, or the index was read. */
const version = computed(() => `${listVersion.value} ${runningVersion.value} ${state.value.index?.state}`);

export function Home() {
  const answer = useAnswer<HomeDocument>(state.value.has_store === false ? null : 'home', {}, version);
  return (
    <>
      <PageHeading title="Home" />
      {state.value.has_store === false ? (
        <NoStore />
      ) : (
        <Awaited answer={answer}>
          {home => (home.sessions + home.archive_only + home.prompts_only === 0 ? <FirstRun /> : <Overview home={home} reload={answer.reload} />)}
        </Awaited>
      )}
    </>
  );
}

function Overview({ home, reload }: { home: HomeDocument; reload: () => void }) {
  const { overview } = home;
  if (!overview) return <Empty title="This server does not give an overview." />;
  const index = state.value.index?.state;
  return (
    <>
      <Expiring home={home} overview={overview} onArchived={reload} />
      {(index === 'building' || index === 'none') && (
        <p class="note" role="status">
          The index is being built: costs and activity appear as it goes on. Sessions can be read meanwhile.
        </p>
      )}
      <HomeFigures home={home} overview={overview} />
      <Panel title="Running now">
        <Running sessions={overview.running} />
      </Panel>
      <div class="panels home-panels">
        <div class="stack">
          <CostByModel overview={overview} />
          <Latest sessions={overview.latest} />
        </div>
        <div class="stack">
          <Activity overview={overview} />
          <Marks marks={overview.marks} />
        </div>
      </div>
    </>
  );
}

function NoStore() {
  return (
    <Empty title="No Claude Code data found.">
      <p>Use Claude Code once on this machine; its sessions appear here.</p>
      <p>
        Data in another folder: <code>annals web --root DIR</code>. Made-up data to look around: <code>annals web --demo</code>.
      </p>
    </Empty>
  );
}

function FirstRun() {
  return (
    <Empty title="No sessions yet.">
      <p>
        Start <code>claude</code> in a project and ask something: the session appears here while it runs.
      </p>
      <p>
        Claude Code deletes sessions after 30 days. <code>annals setup</code> archives them by itself.
      </p>
    </Empty>
  );
}
