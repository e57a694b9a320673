// The lines of a file as they are now, each with the prompt and the session behind it.

import { useAnswer } from '../core/api';
import { sessionAddress } from '../core/base';
import { day, percent, shortId } from '../core/format';
import { Awaited, Panel } from '../parts/basics';
import type { BlameDocument, BlameLine } from '../schema';

/** Adjacent lines with the same author share one note. */
function isSame(one: BlameLine | undefined, other: BlameLine): boolean {
  return one !== undefined && one.session_id === other.session_id && one.tool_use_id === other.tool_use_id && one.reason === other.reason;
}

export function Blame({ path }: { path: string }) {
  const blame = useAnswer<BlameDocument>('files/blame', { path });
  return (
    <Awaited answer={blame}>
      {document => (
        <Panel title={`${percent(document.explained, document.total)} of ${document.total} lines come from recorded changes`}>
          {document.is_coarse && <p class="soft">Not all lines were compared, because too many changed at once.</p>}
          <div class="x tall">
            <table class="blame">
              <tbody>
                {document.lines.map((line, index) => (
                  <tr key={line.number} class={isSame(document.lines[index - 1], line) ? '' : 'first'}>
                    <td class="soft cut">
                      {!isSame(document.lines[index - 1], line) &&
                        (line.session_id ? (
                          <a href={sessionAddress(line.session_id, { uuid: line.prompt?.uuid, agent: line.agent_id })} title={line.prompt?.text ?? ''}>
                            {day(line.timestamp)} {shortId(line.session_id)} {line.prompt?.text.trim().split('\n', 1)[0]}
                          </a>
                        ) : (
                          (line.reason ?? '').replaceAll('_', ' ')
                        ))}
                    </td>
                    <td class="r soft">{line.number}</td>
                    <td>
                      <code>{line.text}</code>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Panel>
      )}
    </Awaited>
  );
}
