// The page of a session: outline, timeline, conversation and details of a turn.

import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useAnswer } from '../core/api';
import { hash, query } from '../core/router';
import type { OutlineDocument } from '../schema';
import { ErrorNote } from '../parts/basics';
import { Bar } from '../session/bar';
import { Conversation } from '../session/conversation';
import { Details } from '../session/details';
import { Dialogs } from '../session/dialogs';
import { Explorer } from '../session/explorer';
import { Finder } from '../session/finder';
import { Heading } from '../session/heading';
import { useSessionKeys } from '../session/keys';
import { useLive } from '../session/live';
import { Notices } from '../session/notices';
import { Outline } from '../session/outline';
import { filledOutline } from '../session/outline_data';
import { Timeline } from '../session/timeline';

export function Session({ id, agent }: { id: string; agent: string }) {
  const held = useRef<{ explorer: Explorer; finder: Finder } | undefined>(undefined);
  if (!held.current) {
    const explorer = new Explorer(id, agent);
    const finder = new Finder(explorer);
    explorer.openAgent = name => finder.agentElement(name);
    held.current = { explorer, finder };
  }
  const { explorer, finder } = held.current;
  const live = useLive(explorer);
  const view = explorer.view.value;
  const answer = useAnswer<OutlineDocument>(`sessions/${encodeURIComponent(id)}/outline`, { agent, view: view.view === 'app' ? '' : view.view }, explorer.reload);
  useEffect(() => {
    if (!answer.data) return;
    explorer.outline.value = filledOutline(answer.data);
    explorer.show();
    live.draw();
  }, [answer.data]);
  useEffect(() => {
    if (explorer.outline.peek()) explorer.show();
  }, [view.part, view.view, view.tools, view.agents]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) explorer.folds.applyAll();
    isFirst.current = false;
  }, [view.diffs, view.outputs]);
  // Links within the page, and the way back.
  useSignalEffect(() => {
    query.value;
    hash.value;
    if (explorer.outline.peek()) explorer.follows(query.value, hash.value);
  });
  useEffect(() => {
    const before = history.scrollRestoration;
    history.scrollRestoration = 'manual';
    return () => {
      history.scrollRestoration = before;
      finder.end();
      explorer.close();
    };
  }, []);
  useSessionKeys(explorer, finder);
  if (answer.error && !answer.data && !explorer.title.value) return <ErrorNote error={answer.error} retry={answer.reload} />;
  return (
    <div class="session">
      <Heading explorer={explorer} />
      <Notices explorer={explorer} live={live} error={answer.error} retry={answer.reload} />
      <Timeline explorer={explorer} />
      <Bar explorer={explorer} finder={finder} />
      <div class="session-body">
        <nav class="session-outline" aria-label="Outline">
          <Outline explorer={explorer} />
        </nav>
        <Conversation explorer={explorer} />
        <aside class="session-details" aria-label="Details of the turn">
          <Details explorer={explorer} />
        </aside>
      </div>
      <Dialogs explorer={explorer} />
      <p class="toast" role="status">
        {explorer.notice.value}
      </p>
    </div>
  );
}
