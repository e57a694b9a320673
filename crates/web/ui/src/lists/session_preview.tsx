// A session in a few lines: its first prompt, its figures, its files.

import { useAnswer } from '../core/api';
import { sessionAddress } from '../core/base';
import { counted, duration, money, shortPath } from '../core/format';
import type { OutlineDocument } from '../schema';
import { Awaited } from '../parts/basics';

const MOST_PROMPTS = 5;
const MOST_FILES = 6;

export function SessionPreview({ id }: { id: string }) {
  const outline = useAnswer<OutlineDocument>(`sessions/${encodeURIComponent(id)}/outline`);
  return (
    <div class="preview">
      <Awaited answer={outline}>
        {session => {
          const took = session.started_at && session.ended_at ? Date.parse(session.ended_at) - Date.parse(session.started_at) : null;
          return (
            <>
              <p class="soft">
                {[
                  counted(session.totals.turns, 'turn'),
                  counted(session.agents.length, 'agent'),
                  counted(session.totals.errors, 'error'),
                  duration(took),
                  money(session.totals.cost_usd),
                ].join(' · ')}
              </p>
              <ol class="plain">
                {session.turns.slice(0, MOST_PROMPTS).map(turn => (
                  <li key={turn.turn}>
                    <a href={sessionAddress(id, { turn: turn.turn })}>
                      <span class="soft number">{turn.turn}</span> {turn.prompt}
                    </a>
                  </li>
                ))}
              </ol>
              {session.turns.length > MOST_PROMPTS && <p class="soft">and {counted(session.turns.length - MOST_PROMPTS, 'more turn')}</p>}
              {session.files.length > 0 && (
                <p class="mono soft">
                  {session.files
                    .slice(0, MOST_FILES)
                    .map(file => shortPath(file.path))
                    .join(' · ')}
                </p>
              )}
            </>
          );
        }}
      </Awaited>
    </div>
  );
}
