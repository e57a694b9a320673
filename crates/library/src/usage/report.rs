//! API calls grouped by any dimension.

use crate::catalog::filter::Filter;
use crate::progress::Progress;
use crate::stores::Tier;
use crate::usage::dimension::Dimension;
use crate::usage::teams::{Team, TeamTable};
use crate::usage::{Usage, UsageSource};
use crate::window_limit::SYNTHETIC;
use ::apps::App;
use archive::RateLimitWindow;
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan, Zoned};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use usage::blocks::{Block, blocks, parse_reset_time};
use usage::{
    Call, CostMode, PicoUsd, Pricer, Prices, Report, ReportBuilder, RowKey, RowNumber, Sums,
    UnpricedReason, expired_tokens,
};

/// The options of a report.
#[derive(Clone, Debug)]
pub struct UsageOptions {
    /// The dimensions, the coarsest first.
    pub by: Vec<Dimension>,
    /// Which calls.
    pub filter: Filter,
    /// Where costs come from: logged or calculated.
    pub mode: CostMode,
    /// The prices.
    pub prices: Prices,
    /// The time zone of days.
    pub zone: TimeZone,
    /// The first day of the week.
    pub week_start: Weekday,
    /// The teams and cost centres of projects and people.
    pub teams: TeamTable,
}

/// A report, with notes on what it does not include.
#[derive(Debug, Default)]
pub struct UsageReport {
    /// The rows and their total.
    pub report: Report,
    /// Models without a price, with how many calls.
    pub unknown_models: BTreeMap<String, u64>,
    /// Other things without a price, with the number of calls.
    pub unpriced: BTreeSet<UnpricedReason>,
    /// Synthetic messages of the app, which are left out.
    pub synthetic: u64,
    /// The apps other than Claude Code that reported costs themselves. Of what calls log, the
    /// sums have only that ([`Sums::logged`]).
    pub reported_by: BTreeSet<App>,
    /// The costs of sessions, by id.
    pub by_session: HashMap<String, PicoUsd>,
    /// The five-hour blocks by their starts, if they were requested.
    pub blocks: Vec<Block>,
    /// The prompts of turns by session and moment, if they were requested.
    pub prompts: HashMap<(String, String), String>,
    /// The cost of a plain sum over all lines.
    pub naive_cost: PicoUsd,
}

impl UsageOptions {
    /// Calls grouped by these dimensions, at the built-in prices and the costs
    /// that the app logged; weeks begin on Monday.
    pub fn new(by: Vec<Dimension>, filter: Filter, zone: TimeZone) -> Self {
        UsageOptions {
            by,
            filter,
            mode: CostMode::Auto,
            prices: Prices::embedded(),
            zone,
            week_start: Weekday::Monday,
            teams: TeamTable::default(),
        }
    }

    /// Whether the types of agents are needed.
    pub fn needs_agents(&self) -> bool {
        self.filter.agent.is_some() || self.by.contains(&Dimension::Agent)
    }

    /// Whether sessions are needed.
    pub fn needs_sessions(&self) -> bool {
        self.needs_agents()
            || self.filter.project.is_some()
            || self.by.iter().any(|by| by.needs_sessions())
    }
}

impl Usage {
    /// Groups calls.
    pub fn report(
        &self,
        source: &UsageSource,
        options: &UsageOptions,
        progress: &dyn Progress,
    ) -> UsageReport {
        let mut grouping = Grouping::new(self, source, options);
        if options.by.contains(&Dimension::Block) {
            grouping.find_blocks();
        }
        if options.by.contains(&Dimension::Turn) {
            grouping.find_prompts(progress);
        }
        let names = &source.calls.names;
        let mut report = UsageReport::default();
        let mut adder = ReportBuilder::default();
        let mut rows = Vec::new();
        let mut add = |call: &Call, sums: &Sums, unpriced: Option<&UnpricedReason>| {
            if names.get(call.model) == Some(SYNTHETIC) {
                report.synthetic += sums.calls;
                return;
            }
            if !source.admits(call, &options.filter) {
                return;
            }
            match unpriced {
                Some(UnpricedReason::Model(model)) => {
                    *report.unknown_models.entry(model.clone()).or_default() += sums.calls;
                }
                Some(other) => {
                    report.unpriced.insert(other.clone());
                }
                None => {}
            }
            if let Some(session) = source.session_id(call) {
                match report.by_session.get_mut(session) {
                    Some(own) => *own = own.plus(sums.cost),
                    None => {
                        report.by_session.insert(session.to_owned(), sums.cost);
                    }
                }
            }
            grouping.rows(call, &mut adder, &mut rows);
            if sums.logged == PicoUsd::ZERO {
                adder.add(&rows, call.model, sums);
                return;
            }
            let mut sums = sums.clone();
            match source.app(call) {
                // It calculates with API prices as annals does.
                App::Claude => sums.logged = PicoUsd::ZERO,
                app => {
                    report.reported_by.insert(app);
                }
            }
            adder.add(&rows, call.model, &sums);
        };
        if let Some(groups) = &source.groups {
            for group in groups.by_time() {
                add(&group.call, &group.sums, group.unpriced.as_ref());
            }
        } else {
            let calls = &source.calls.calls;
            let mut pricer = Pricer::new(&options.prices, options.mode);
            for (call, expired) in calls.iter().zip(expired_tokens(calls)) {
                let cost = pricer.cost(call, names);
                add(call, &Sums::of(call, &cost, expired), cost.unpriced.as_ref());
            }
        }
        for group in &source.sums {
            add(&group.call, &group.sums, group.unpriced.as_ref());
        }
        report.report = adder.finish(names);
        report.naive_cost = naive_cost(source, &options.prices);
        report.blocks = grouping.blocks;
        report.prompts = grouping.texts;
        report
    }
}

/// The resets of the five-hour limit that the ledger remembers. Each is
/// recorded more than once, and not always to the second.
fn recorded_resets(source: &UsageSource) -> Vec<Timestamp> {
    let own = source.rate_limits.iter().filter(|limit| limit.window == RateLimitWindow::FiveHours);
    let mut resets: Vec<Timestamp> = own.filter_map(|limit| limit.resets_at).collect();
    resets.sort_unstable();
    resets.dedup_by(|later, kept| later.duration_since(*kept) <= SignedDuration::from_mins(1));
    resets
}

/// The cost of a plain sum over all lines, at the newest prices.
fn naive_cost(source: &UsageSource, prices: &Prices) -> PicoUsd {
    let names = &source.calls.names;
    let costs = source.calls.naive.iter().filter_map(|(model, counters)| {
        let rates = prices.find(names.get(*model)?, None)?.rates;
        // As one call this would be a long prompt; the plain rates apply.
        let times = |count: u64, rate: i128| i128::from(count).saturating_mul(rate);
        Some(PicoUsd(
            times(counters.input, rates.input)
                .saturating_add(times(counters.output, rates.output))
                .saturating_add(times(counters.read, rates.read))
                .saturating_add(times(counters.write_5m, rates.write_5m))
                .saturating_add(times(counters.write_1h, rates.write_1h)),
        ))
    });
    costs.fold(PicoUsd::ZERO, PicoUsd::plus)
}

/// An hour, with its UTC offset.
pub(super) const HOUR: &str = "%Y-%m-%d %H:00%:z";

/// The days of moments, which mostly come in order.
pub(super) struct Calendar {
    zone: TimeZone,
    /// The last requested day, with its start and end.
    day: Option<(Timestamp, Timestamp, Date)>,
}

impl Calendar {
    pub(super) fn new(zone: &TimeZone) -> Self {
        Calendar { zone: zone.clone(), day: None }
    }

    /// The day of a moment.
    pub(super) fn date(&mut self, time: Timestamp) -> Date {
        if let Some((start, end, date)) = self.day
            && start <= time
            && time < end
        {
            return date;
        }
        let zoned = time.to_zoned(self.zone.clone());
        let date = zoned.date();
        // A day may begin later than midnight.
        let bounds =
            zoned.start_of_day().and_then(|start| Ok((start.tomorrow()?.start_of_day()?, start)));
        self.day = bounds.ok().map(|(end, start)| (start.timestamp(), end.timestamp(), date));
        date
    }
}

/// What calls are grouped by.
struct Grouping<'a> {
    usage: &'a Usage,
    source: &'a UsageSource,
    options: &'a UsageOptions,
    blocks: Vec<Block>,
    /// The moments of prompts by session, ascending.
    moments: HashMap<String, Vec<Timestamp>>,
    /// The texts of those prompts.
    texts: HashMap<(String, String), String>,
    calendar: Calendar,
    /// The numbers that identify the key of the last row, and of the row in
    /// question.
    last: Vec<u64>,
    numbers: Vec<u64>,
    /// Rows by the numbers that identify their keys, or by the keys if there
    /// are none.
    numbered: HashMap<Vec<u64>, RowNumber>,
    keyed: HashMap<RowKey, RowNumber>,
}

impl<'a> Grouping<'a> {
    fn new(usage: &'a Usage, source: &'a UsageSource, options: &'a UsageOptions) -> Self {
        Grouping {
            usage,
            source,
            options,
            blocks: Vec::new(),
            moments: HashMap::new(),
            texts: HashMap::new(),
            calendar: Calendar::new(&options.zone),
            last: Vec::new(),
            numbers: Vec::new(),
            numbered: HashMap::new(),
            keyed: HashMap::new(),
        }
    }

    /// The blocks of all calls, without the filter: it does not change when a
    /// limit began.
    fn find_blocks(&mut self) {
        let calls = &self.source.calls;
        let noticed = calls.limits.iter().filter_map(|limit| parse_reset_time(&limit.notice));
        let resets: Vec<Timestamp> = noticed.chain(recorded_resets(self.source)).collect();
        let real = calls.calls.iter().filter(|call| calls.names.get(call.model) != Some(SYNTHETIC));
        self.blocks = blocks(real.filter_map(|call| call.time), &resets);
    }

    fn find_prompts(&mut self, progress: &dyn Progress) {
        // Each session's prompts, even if a fork repeats them: the calls belong
        // to the original.
        let (prompts, _) =
            self.usage.prompts.prompts_of_each(Tier::DiskAndArchive, &Filter::default(), progress);
        for prompt in self.usage.prompts.mask_prompts(prompts) {
            let (Some(session), Some(time)) = (prompt.session_id, prompt.time) else { continue };
            self.texts.insert((session.clone(), time.to_string()), prompt.text);
            self.moments.entry(session).or_default().push(time);
        }
        for moments in self.moments.values_mut() {
            moments.sort_unstable();
        }
    }

    /// Finds the rows of a call, with its share of each. `rows` has those of
    /// the previous call until they are replaced.
    fn rows(&mut self, call: &Call, adder: &mut ReportBuilder, rows: &mut Vec<(RowNumber, u64)>) {
        if self.find_numbers(call) {
            // Calls are ordered by time: usually it is the same row.
            if rows.len() == 1 && self.numbers == self.last {
                return;
            }
            rows.clear();
            let known = self.numbered.get(&self.numbers).copied();
            let row = known.unwrap_or_else(|| {
                adder.row(self.options.by.iter().map(|by| self.value(call, *by)).collect())
            });
            if known.is_none() {
                self.numbered.insert(self.numbers.clone(), row);
            }
            std::mem::swap(&mut self.last, &mut self.numbers);
            rows.push((row, 1));
            return;
        }
        rows.clear();
        for (key, share) in self.keys(call) {
            let row = *self.keyed.entry(key).or_insert_with_key(|key| adder.row(key.clone()));
            rows.push((row, share));
        }
    }

    /// Finds the numbers that identify the key of a call's row. Returns `false`
    /// if only the key itself does.
    fn find_numbers(&mut self, call: &Call) -> bool {
        let options = self.options;
        self.numbers.clear();
        options.by.iter().all(|by| match self.number(call, *by) {
            Some(number) => {
                self.numbers.push(number);
                true
            }
            None => false,
        })
    }

    /// A number that identifies the value of a dimension without building it,
    /// if there is one.
    fn number(&mut self, call: &Call, by: Dimension) -> Option<u64> {
        let place = &call.attribution;
        let name = match by {
            Dimension::Day | Dimension::Week | Dimension::Month => {
                let Some(date) = call.time.map(|time| self.calendar.date(time)) else {
                    return Some(u64::MAX);
                };
                let month = i64::from(date.year()) * 12 + i64::from(date.month());
                return Some((month * 31 + i64::from(date.day())).cast_unsigned());
            }
            Dimension::Worktree => place.cwd,
            Dimension::Model => call.model,
            Dimension::Branch => place.branch,
            Dimension::Skill => place.skill,
            Dimension::Plugin => place.plugin,
            Dimension::Mcp => place.mcp,
            Dimension::Effort => place.effort,
            Dimension::Entrypoint => place.entrypoint,
            Dimension::Version => place.version,
            Dimension::Hour
            | Dimension::Session
            | Dimension::Turn
            | Dimension::Project
            | Dimension::Agent
            | Dimension::Tool
            | Dimension::Block
            | Dimension::App
            | Dimension::Owner
            | Dimension::Team
            | Dimension::CostCenter => return None,
        };
        Some(name.number().into())
    }

    /// The keys of a call's rows, with its share of each.
    fn keys(&self, call: &Call) -> Vec<(RowKey, u64)> {
        let tool_place = self.options.by.iter().position(|by| *by == Dimension::Tool);
        let key: RowKey = self.options.by.iter().map(|by| self.value(call, *by)).collect();
        let Some(place) = tool_place.filter(|_| !call.tools.is_empty()) else {
            return vec![(key, 1)];
        };
        let mut tools: Vec<(String, u64)> = call
            .tools
            .iter()
            .map(|(tool, count)| {
                let tool = self.source.calls.names.get(*tool).unwrap_or_default();
                (tool.to_owned(), *count)
            })
            .collect();
        // So that the remainder always goes to the same tool.
        tools.sort();
        let keys = tools.into_iter().map(|(tool, count)| {
            let mut own = key.clone();
            own[place] = Some(tool);
            (own, count)
        });
        keys.collect()
    }

    fn value(&self, call: &Call, by: Dimension) -> Option<String> {
        let names = &self.source.calls.names;
        let place = &call.attribution;
        let name = |name| names.get(name).map(str::to_owned);
        match by {
            Dimension::Day => self.zoned(call).map(|time| time.date().to_string()),
            Dimension::Week => self.zoned(call).map(|time| self.week(&time)),
            Dimension::Month => self.zoned(call).map(|time| time.strftime("%Y-%m").to_string()),
            Dimension::Hour => self.zoned(call).map(|time| time.strftime(HOUR).to_string()),
            Dimension::Session => self.source.session_id(call).map(str::to_owned),
            Dimension::Turn => self.turn(call),
            Dimension::Project => {
                if let Some(key) = self.project_key(call) {
                    return Some(key.to_owned());
                }
                let session = self.source.session(call);
                let known = session.and_then(|session| session.project.clone());
                let project =
                    known.or_else(|| names.get(place.cwd).map(|cwd| self.usage.project_of(cwd)));
                project.map(|project| self.usage.stores.lake_project(project))
            }
            Dimension::App => Some(self.source.app(call).name().to_owned()),
            Dimension::Owner => self.source.owner(call).map(str::to_owned),
            Dimension::Team => self.team(call).map(|team| team.team.clone()),
            Dimension::CostCenter => self.team(call).and_then(|team| team.cost_center.clone()),
            Dimension::Worktree => name(place.cwd),
            Dimension::Model => name(call.model),
            Dimension::Branch => name(place.branch),
            Dimension::Agent => Some(self.source.agent_type(call).unwrap_or("(main)").to_owned()),
            Dimension::Skill => name(place.skill),
            Dimension::Plugin => name(place.plugin),
            Dimension::Mcp => name(place.mcp),
            // Calls with tools are shared between them.
            Dimension::Tool => None,
            Dimension::Effort => name(place.effort),
            Dimension::Entrypoint => name(place.entrypoint),
            Dimension::Version => name(place.version),
            Dimension::Block => {
                let time = call.time?;
                let after = self.blocks.partition_point(|block| block.first <= time);
                let block = self.blocks.get(after.checked_sub(1)?)?;
                Some(block.start.to_string())
            }
        }
    }

    /// The key of the project of a call in the lake.
    fn project_key(&self, call: &Call) -> Option<&str> {
        self.usage.stores.project_key(&self.source.file(call)?.path)
    }

    /// What the administrator's table says about a call.
    fn team(&self, call: &Call) -> Option<&Team> {
        let cwd = self.source.calls.names.get(call.attribution.cwd);
        let key = self.project_key(call).map(str::to_owned);
        let project = key.or_else(|| cwd.map(|cwd| self.usage.stores.lake_project(cwd.to_owned())));
        self.options.teams.find(project.as_deref(), self.source.owner(call))
    }

    fn zoned(&self, call: &Call) -> Option<Zoned> {
        call.time.map(|time| time.to_zoned(self.options.zone.clone()))
    }

    /// The first day of the week.
    fn week(&self, time: &Zoned) -> String {
        let date = time.date();
        let back = date.weekday().since(self.options.week_start);
        let first = date.checked_sub(i64::from(back).days()).unwrap_or(date);
        first.to_string()
    }

    /// The moment of the last prompt before a call.
    fn turn(&self, call: &Call) -> Option<String> {
        let session = self.source.session_id(call)?;
        let moments = self.moments.get(session)?;
        let after = moments.partition_point(|moment| call.time.is_none_or(|time| *moment <= time));
        moments.get(after.checked_sub(1)?).map(ToString::to_string)
    }
}
