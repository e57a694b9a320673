// Questions in SQL over the public views of the index. Queries only read.

import { useSignal } from '@preact/signals';
import { get, useAnswer } from '../core/api';
import { address } from '../core/base';
import { counted } from '../core/format';
import { change, parameter } from '../core/router';
import { Awaited, Empty, ErrorNote, PageHeading, Panel } from '../parts/basics';
import { type Column, Table } from '../parts/table';
import { IndexNote } from '../search/states';
import type { SqlDocument, SqlRow, SqlSchemaDocument } from '../schema';

const USUAL = 'SELECT * FROM session LIMIT 20';

function columnsOf(document: SqlDocument): Column<{ row: SqlRow; number: number }>[] {
  return document.columns.map(name => ({
    key: name,
    name,
    width: 'minmax(7rem, max-content)',
    isNumber: document.rows.length > 0 && document.rows.every(row => typeof row[name] === 'number' || row[name] === null),
    cell: ({ row }) => (row[name] === null || row[name] === undefined ? <span class="soft">null</span> : String(row[name])),
  }));
}

export function Sql() {
  const asked = parameter('q');
  const text = useSignal(asked || USUAL);
  const schema = useAnswer<SqlSchemaDocument>('sql/schema');
  const answer = useAnswer<SqlDocument>(asked ? 'sql' : null, { q: asked });
  const run = () => {
    if (text.value === asked) answer.reload();
    else change({ q: text.value });
  };
  const complete = async () => {
    // The first view of this store is a better start than a fixed one.
    const views = (await get<SqlSchemaDocument>('sql/schema')).views;
    if (!asked && text.peek() === USUAL && views[0]) text.value = `SELECT * FROM ${views[0].name} LIMIT 20`;
  };
  if (!asked && text.peek() === USUAL) void complete().catch(() => undefined);
  return (
    <>
      <PageHeading title="SQL" />
      <div class="split sql">
        <Panel title="Views">
          <Awaited answer={schema}>
            {document => (
              <>
                {document.views.map(view => (
                  <details key={view.name}>
                    <summary>
                      <b>{view.name}</b> {view.meaning}
                    </summary>
                    <dl>
                      {view.columns.map(column => (
                        <div key={column.name} class="column">
                          <dt class="mono">{column.name}</dt>
                          <dd>{column.meaning}</dd>
                        </div>
                      ))}
                    </dl>
                  </details>
                ))}
              </>
            )}
          </Awaited>
        </Panel>
        <div class="grow">
          <textarea
            class="mono query"
            aria-label="Query"
            rows={6}
            spellcheck={false}
            value={text.value}
            onInput={event => {
              text.value = event.currentTarget.value;
            }}
            onKeyDown={event => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
                event.preventDefault();
                run();
              }
            }}
          />
          <div class="bar">
            <button type="button" class="primary" onClick={run}>
              Run <kbd>Ctrl ↵</kbd>
            </button>
            {answer.isLoading && asked && <span class="soft">Running…</span>}
            {asked && answer.data && (
              <>
                <span class="soft">{counted(answer.data.rows.length, 'row')}</span>
                <a href={address('api/1/sql', { q: asked, format: 'csv' })} download="query.csv">
                  CSV
                </a>
              </>
            )}
          </div>
          {asked && answer.data && !answer.error && <IndexNote document={answer.data} />}
          {asked && answer.error && <ErrorNote error={answer.error} />}
          {asked && answer.data && !answer.error && answer.data.rows.length === 0 && <Empty title="The query returned no rows." />}
          {asked && answer.data && !answer.error && answer.data.rows.length > 0 && (
            <Table
              label="Result"
              rows={answer.data.rows.map((row, number) => ({ row, number }))}
              columns={columnsOf(answer.data)}
              rowKey={({ number }) => String(number)}
            />
          )}
        </div>
      </div>
    </>
  );
}
