// The bookmarks.

import { act, useAnswer } from '../core/api';
import { sessionAddress } from '../core/base';
import { counted, lastPart, shortId } from '../core/format';
import { state } from '../core/state';
import { ListTabs } from '../lists/tabs';
import { Awaited, Empty, PageHeading, When } from '../parts/basics';
import type { MarkEntry, MarksDocument } from '../schema';

export function Marks() {
  const marks = useAnswer<MarksDocument>('marks');
  const remove = async (mark: MarkEntry) => {
    await act('mark', { session: mark.session_id, agent: mark.agent_id, turn: mark.turn === null ? null : String(mark.turn), remove: true });
    marks.reload();
  };
  return (
    <>
      <PageHeading title="Marks">
        <span class="soft number">{marks.data && counted(marks.data.total, 'mark')}</span>
      </PageHeading>
      <ListTabs />
      <Awaited answer={marks}>
        {({ marks: all }) =>
          all.length === 0 ? (
            <Empty title="Nothing is marked yet.">
              In a session, press <kbd>m</kbd> to mark the turn you are reading.
            </Empty>
          ) : (
            <div class="x">
              <table class="rows">
                <thead>
                  <tr>
                    <th>Marked</th>
                    <th>Note</th>
                    <th>Session</th>
                    <th>Turn</th>
                    <th>Project</th>
                    <th>
                      <span class="skip">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {all.map(mark => (
                    <tr key={mark.id}>
                      <td>
                        <When time={mark.at} />
                      </td>
                      <td>{mark.note}</td>
                      <td>
                        <a href={sessionAddress(mark.session_id, { agent: mark.agent_id, turn: mark.turn }, mark.uuid ? `m-${mark.uuid}` : '')}>
                          {mark.title ?? shortId(mark.session_id)}
                        </a>
                      </td>
                      <td class="r">{mark.turn}</td>
                      <td>{lastPart(mark.project)}</td>
                      <td>
                        {!state.value.read_only && (
                          <button type="button" onClick={() => void remove(mark)}>
                            Remove
                          </button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Awaited>
    </>
  );
}
