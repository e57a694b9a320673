// Amounts by project, model, agent and more. A click filters the page.

import { useSignal } from '@preact/signals';
import { type BarItem, BarList, type Colour, Legend } from '../charts';
import { useAnswer } from '../core/api';
import { address, sessionAddress } from '../core/base';
import { counted, projectName, shortId, shortModel, shortPath } from '../core/format';
import { change } from '../core/router';
import { Awaited, Empty, Panel } from '../parts/basics';
import type { UsageDocument, UsageRow } from '../schema';
import { here } from './controls';
import { amountOf, formatOf, isFilterable, keyName, partsOf } from './rows';
import { DIMENSIONS, FILTERS, type Filter, type Selection, sessionsQuery } from './selection';

const FIRST = 14;
const MOST = 100;

/** Fields of the Sessions page by dimension. */
const FIELDS: Record<string, string> = { project: 'project', model: 'model', branch: 'branch', agent: 'agent', tool: 'tool' };

export function Breakdown({ selection, models }: { selection: Selection; models: ReadonlyMap<string, Colour> }) {
  const { by, parameters } = selection;
  const answer = useAnswer<UsageDocument>('usage', { ...parameters, by, limit: MOST, models: 1 });
  const name = DIMENSIONS.find(([key]) => key === by)?.[1] ?? by;
  return (
    <Panel
      title={`By ${name.toLowerCase().replace('mcp', 'MCP')}`}
      tools={
        <>
          <label class="pick">
            <span class="out-of-sight">Dimension</span>
            <select value={by} onChange={event => change({ by: event.currentTarget.value === 'project' ? '' : event.currentTarget.value }, { replaces: true })}>
              {DIMENSIONS.map(([key, title]) => (
                <option key={key} value={key}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          <a class="button" href={address('api/1/usage', { ...parameters, by, format: 'csv' })} download={`usage-${by}.csv`}>
            CSV
          </a>
        </>
      }
    >
      <Awaited answer={answer}>{document => <Rows key={by} selection={selection} document={document} models={models} />}</Awaited>
    </Panel>
  );
}

function Rows({ selection, document, models }: { selection: Selection; document: UsageDocument; models: ReadonlyMap<string, Colour> }) {
  const { unit } = selection;
  const by = document.group_by[0] ?? selection.by;
  const isWhole = useSignal(false);
  const filter = FILTERS.find(name => name === by);
  const rows = [...document.rows].sort((one, other) => amountOf(other, unit) - amountOf(one, unit)).filter(row => amountOf(row, unit) > 0);
  if (rows.length === 0) return <Empty title="No calls in this period." />;
  const shown = isWhole.value ? rows : rows.slice(0, FIRST);
  const used = new Set(shown.flatMap(row => Object.keys(row.models ?? {})));
  const legend = [...models].filter(([model]) => used.has(model)).map(([model, colour]) => ({ key: model, name: shortModel(model), colour }));
  const hidden = rows.length - shown.length;
  return (
    <>
      {legend.length > 1 && selection.stack !== 'model' && <Legend series={legend} />}
      <BarList
        label={`By ${by}`}
        items={shown.map(row => itemOf(row, by, filter, selection, models, document.rows))}
        format={formatOf(unit)}
        total={amountOf(document.total, unit)}
        onPick={filter && (value => isFilterable(value) && change({ [filter]: selection.filters[filter] === value ? '' : value, at: '' }))}
      />
      {hidden > 0 && (
        <button type="button" class="quiet" onClick={() => (isWhole.value = true)}>
          {counted(hidden, 'more row')}
        </button>
      )}
      {document.note && <p class="soft small">Note: {document.note}.</p>}
    </>
  );
}

function itemOf(
  row: UsageRow,
  by: string,
  filter: Filter | undefined,
  selection: Selection,
  models: ReadonlyMap<string, Colour>,
  all: readonly UsageRow[],
): BarItem {
  const value = row.key[by];
  const isPath = by === 'project' || by === 'worktree';
  const name =
    by === 'session'
      ? row.title || shortId(keyName(value))
      : isPath && value
        ? projectName(
            value,
            all.map(other => other.key[by] ?? null),
          )
        : by === 'model'
          ? shortModel(keyName(value))
          : keyName(value);
  const field = FIELDS[by];
  const isKnown = isFilterable(value);
  return {
    key: value ?? '',
    name,
    title: `${isPath ? shortPath(value) : keyName(value)}: ${counted(row.calls, 'call')}`,
    parts: partsOf(row, selection.unit, models),
    href: by === 'session' && value ? sessionAddress(value) : undefined,
    isOn: !!filter && selection.filters[filter] === value,
    note: counted(row.calls, 'call'),
    tools: (
      <>
        {field && isKnown && (
          <a
            class="tool"
            href={address('sessions', { q: sessionsQuery(selection, { [field]: value }) })}
            title={`Sessions of ${name}`}
            aria-label={`Sessions of ${name}`}
          >
            ☰
          </a>
        )}
        <a class="tool" href={here({ explain: 'cost', explain_by: by, explain_of: value ?? '' })} title={`Explain ${name}`} aria-label={`Explain ${name}`}>
          ?
        </a>
      </>
    ),
  };
}
