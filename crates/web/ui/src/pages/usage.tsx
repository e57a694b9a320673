// Usage: what was spent, on what, when, and how that is known.

import { type Colour, coloursOf } from '../charts';
import { type Answer, useAnswer } from '../core/api';
import { useKeys } from '../core/keys';
import { change, parameter } from '../core/router';
import { Awaited, Empty, PageHeading } from '../parts/basics';
import { Later } from '../parts/later';
import type { UsageDocument } from '../schema';
import { Cumulative, MainChart } from '../usage/bars';
import { Blocks } from '../usage/blocks';
import { Breakdown } from '../usage/breakdown';
import { Chips, Controls, goBack, goForward, here } from '../usage/controls';
import { Explain } from '../usage/explain';
import { Figures } from '../usage/figures';
import { Budgets, Cache, Hours, Tokens } from '../usage/panels';
import { amountOf, stacked, UNITS, type Unit } from '../usage/rows';
import { readSelection, type Selection } from '../usage/selection';
import { Checks, TopPrompts, TopSessions, Unused } from '../usage/top';

export function Usage() {
  const selection = readSelection();
  const { bucket, stack, parameters, before, unit } = selection;
  const main = useAnswer<UsageDocument>('usage', { ...parameters, by: stack ? `${bucket},${stack}` : bucket });
  const earlier = useAnswer<UsageDocument>(before ? 'usage' : null, { ...parameters, by: bucket, since: before?.since, until: before?.until });
  useKeys('Usage', {
    '[': { does: 'The period before', run: () => goBack(selection) },
    ']': { does: 'The period after', run: () => goForward(selection) },
    u: { does: 'Cost, tokens or calls', run: () => change({ unit: nextUnit(unit) }) },
    e: { does: 'Explain the cost', run: () => change({ explain: 'cost' }) },
  });
  return (
    <>
      <PageHeading title="Usage">
        <Controls selection={selection} />
      </PageHeading>
      <Chips selection={selection} />
      <Awaited answer={main}>{document => <Report selection={selection} document={document} earlier={earlier} />}</Awaited>
      <Explain selection={selection} />
    </>
  );
}

function nextUnit(unit: Unit): string {
  const next = UNITS[(UNITS.findIndex(([key]) => key === unit) + 1) % UNITS.length]?.[0];
  return next === 'cost' ? '' : (next ?? '');
}

/** Colours of models, alike in all panels of the page. */
function modelColours(document: UsageDocument, unit: Unit): Map<string, Colour> {
  return coloursOf(new Map(Object.entries(document.models).map(([model, sums]) => [model, amountOf(sums, unit)])));
}

function Report({ selection, document, earlier }: { selection: Selection; document: UsageDocument; earlier: Answer<UsageDocument> }) {
  const { bucket, stack, unit, period } = selection;
  if (document.total.calls === 0) return <NoCalls selection={selection} />;
  const before = selection.before ? earlier.data : undefined;
  // While another grouping is on its way, the answer at hand still has the old one.
  const shownBucket = (['day', 'week', 'month'] as const).find(one => document.group_by.includes(one)) ?? bucket;
  const shownStack = document.group_by.find(one => one !== shownBucket) ?? '';
  const shown = { ...selection, bucket: shownBucket, stack: shownStack === stack ? stack : shownStack };
  const data = stacked(document, shownBucket, shownStack, unit, period.since, period.until);
  const colours = shownStack === 'model' ? data.colours : modelColours(document, unit);
  return (
    <>
      <Figures selection={selection} document={document} before={before} />
      <MainChart selection={shown} document={document} before={before} data={data} />
      <div class="panels usage-panels">
        <Breakdown selection={selection} models={colours} />
        <div class="stack">
          <Cumulative selection={shown} document={document} before={before} data={data} />
          <Cache selection={shown} document={document} buckets={data.buckets} />
        </div>
        <div class="stack">
          <Later>
            <Blocks selection={selection} />
            <Hours selection={selection} />
          </Later>
        </div>
        <Later>
          <TopSessions selection={selection} />
        </Later>
        <Later>
          <TopPrompts selection={selection} />
        </Later>
        <div class="stack">
          <Tokens document={document} />
          <Budgets budgets={document.budgets} />
        </div>
        <Later>
          <Unused selection={selection} />
        </Later>
        <Later>
          <Checks />
        </Later>
      </div>
    </>
  );
}

function NoCalls({ selection }: { selection: Selection }) {
  const hasFilter = Object.keys(selection.filters).length > 0;
  return (
    <Empty title="No calls in this period.">
      <p>
        {hasFilter && (
          <>
            <a href={here({ project: '', model: '', branch: '', agent: '', tool: '' })}>Remove the filters</a>{' '}
          </>
        )}
        {parameter('period') !== 'all' && <a href={here({ period: 'all', since: '', until: '' })}>Show all that is known</a>}
      </p>
    </Empty>
  );
}
