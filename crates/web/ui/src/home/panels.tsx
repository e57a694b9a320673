// The panels of the home page: figures, cost by model, a year's activity, sessions, marks.

import { addDays, Bars, bucketLabel, bucketsBetween, bucketTitle, coloursOf, seriesOf, YearHeat } from '../charts';
import { address, sessionAddress } from '../core/base';
import { bytes, counted, day, lastPart, money, shortId, shortModel, whole } from '../core/format';
import { go } from '../core/router';
import { Empty, Figure, Panel, When } from '../parts/basics';
import type { HomeDocument, HomeOverview, MarkEntry, SessionRow } from '../schema';
import { BudgetBar } from '../usage/panels';
import { changeOf, tickOf } from '../usage/rows';

function Against({ now, before, name }: { now: string | null; before: string; name: string }) {
  const change = changeOf(Number(now ?? 0), Number(before));
  return (
    <>
      {change && <b>{change.text}</b>} {name}: {money(before)}
    </>
  );
}

export function HomeFigures({ home, overview }: { home: HomeDocument; overview: HomeOverview }) {
  const today = day(new Date().toISOString());
  return (
    <div class="figures">
      <Figure
        name="Today"
        value={home.cost_today_usd === null ? '–' : money(home.cost_today_usd)}
        note={<Against now={home.cost_today_usd} before={overview.cost_yesterday_so_far_usd} name="yesterday by now" />}
        href={address('usage', { since: today, until: today })}
      />
      <Figure
        name="This week"
        value={home.cost_week_usd === null ? '–' : money(home.cost_week_usd)}
        note={<Against now={home.cost_week_usd} before={overview.cost_last_week_so_far_usd} name="last week by now" />}
        href={address('usage', { period: '7d' })}
      />
      <Figure
        name="Last week"
        value={money(overview.cost_last_week_usd)}
        note={`yesterday: ${money(overview.cost_yesterday_usd)}`}
        href={address('usage', { period: '90d', bucket: 'week' })}
      />
      <Figure
        name="Sessions"
        value={whole(home.sessions)}
        note={`${counted(home.changed_today, 'session')} changed today · ${counted(home.projects, 'project')}`}
        href={address('sessions')}
      />
      <Figure
        name="Transcripts"
        value={bytes(home.bytes)}
        note={home.archive_only > 0 ? `${counted(home.archive_only, 'session')} only in the archive` : counted(home.agents, 'sub-agent')}
        href={address('archive')}
      />
      {home.budgets?.map(budget => (
        <div key={budget.period} class="figure">
          <span class="figure-name">Budget</span>
          <ul class="budgets">
            <BudgetBar budget={budget} />
          </ul>
        </div>
      ))}
    </div>
  );
}

/** Cost by day and model over 30 days. */
export function CostByModel({ overview }: { overview: HomeOverview }) {
  const today = day(new Date().toISOString());
  const days = bucketsBetween(addDays(today, -29), today, 'day');
  const position = new Map(days.map((name, index) => [name, index]));
  const totals = new Map<string, number>();
  for (const one of overview.models) totals.set(one.model, (totals.get(one.model) ?? 0) + Number(one.cost_usd));
  const series = seriesOf(
    days.length,
    overview.models.map(one => [position.get(one.date) ?? -1, one.model, Number(one.cost_usd)] as const),
    coloursOf(totals),
    shortModel,
  );
  return (
    <Panel title="Cost by model, 30 days" tools={<a href={address('usage')}>Usage</a>}>
      {overview.models.length === 0 ? (
        <Empty title="No calls in the last 30 days." />
      ) : (
        <Bars
          label="Cost by day and model over 30 days, at API prices."
          heading="day"
          labels={days.map(name => bucketLabel(name, 'day'))}
          titles={days.map(name => bucketTitle(name, 'day'))}
          series={series}
          format={money}
          formatTick={tickOf('cost')}
          height={190}
          onPick={at => go(address('usage', { since: days[at], until: days[at] }))}
          onRange={(from, to) => go(address('usage', { since: days[from], until: days[to] }))}
        />
      )}
      <p class="soft small">API-equivalent: what the API would charge, not what a subscription costs.</p>
    </Panel>
  );
}

/** A year of days, shaded by their calls. */
export function Activity({ overview }: { overview: HomeOverview }) {
  const byDay = new Map(overview.days.map(one => [one.date, one]));
  const note = (date: string) => {
    const one = byDay.get(date);
    return one ? `${counted(one.calls, 'call')}, ${money(one.cost_usd)}` : 'no calls';
  };
  return (
    <Panel title="Activity, one year">
      <YearHeat
        label={`Calls by day over a year: ${counted(overview.days.length, 'day')} with calls.`}
        days={new Map(overview.days.map(one => [one.date, one.calls]))}
        end={day(new Date().toISOString())}
        note={note}
        onPick={date => go(address('sessions', { q: `since:${date} until:${date}` }))}
      />
    </Panel>
  );
}

export function Latest({ sessions }: { sessions: readonly SessionRow[] }) {
  return (
    <Panel title="Latest sessions" tools={<a href={address('sessions')}>All</a>}>
      {sessions.length === 0 ? (
        <Empty title="No sessions yet." />
      ) : (
        <ul class="latest">
          {sessions.map(session => (
            <li key={session.id}>
              <a class="cut" href={sessionAddress(session.id)}>
                {session.title || shortId(session.id)}
              </a>
              <span class="soft cut">
                {lastPart(session.project)}
                {session.branch ? ` · ${session.branch}` : ''}
              </span>
              <span class="soft number">{session.turns ? counted(session.turns, 'turn') : ''}</span>
              <span class="number">{session.cost_usd ? money(session.cost_usd) : ''}</span>
              <span class="soft number">
                <When time={session.changed_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

export function Marks({ marks }: { marks: readonly MarkEntry[] }) {
  return (
    <Panel title="Marks" tools={<a href={address('marks')}>All</a>}>
      {marks.length === 0 ? (
        <p class="soft">
          No marks yet. Press <kbd>m</kbd> in a session to mark a turn.
        </p>
      ) : (
        <ul class="latest of-marks">
          {marks.map(mark => (
            <li key={mark.id}>
              <a class="cut" href={sessionAddress(mark.session_id, { agent: mark.agent_id, turn: mark.turn }, mark.uuid ? `m-${mark.uuid}` : '')}>
                {mark.note || mark.title || shortId(mark.session_id)}
              </a>
              <span class="soft cut">
                {mark.note ? mark.title : lastPart(mark.project)}
                {mark.turn !== null ? ` · turn ${mark.turn}` : ''}
              </span>
              <span class="soft number">
                <When time={mark.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
