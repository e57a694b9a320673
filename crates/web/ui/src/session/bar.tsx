// The bar that stays above the conversation: where the reader is, what is shown, and find.

import { appOf, counted } from '../core/format';
import type { Outline } from './outline_data';
import { Choice } from '../parts/basics';
import type { Explorer } from './explorer';
import { FindField } from './find_field';
import type { Finder } from './finder';
import { Menu } from './menu';
import type { Agents, Tools } from './place';

const REASONS: Record<string, string> = { edit: 'edited', rewind: 'rewound', retry: 'retried' };

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function Parts({ explorer, outline }: { explorer: Explorer; outline: Outline }) {
  const { part } = explorer.view.value;
  if (outline.branches.length + outline.orphans.length === 0 && outline.generations.length < 2) return null;
  return (
    <select aria-label="Branch or generation" value={part} onChange={event => explorer.setView({ part: event.currentTarget.value })}>
      <option value="main">Current branch</option>
      {outline.generations.length > 1 && (
        <optgroup label="Only one generation">
          {outline.generations.map(generation => (
            <option key={generation.number} value={`gen:${generation.number}`}>
              Generation {generation.number}: turns {generation.first_turn}–{generation.last_turn}
            </option>
          ))}
        </optgroup>
      )}
      {outline.branches.length > 0 && (
        <optgroup label="Abandoned branches">
          {outline.branches.map(branch => (
            <option key={branch.number} value={`b${branch.number}`}>
              {branch.number}, {REASONS[branch.reason] ?? branch.reason}: {cut(branch.prompt, 50)} ({counted(branch.messages, 'message')})
            </option>
          ))}
        </optgroup>
      )}
      {outline.orphans.length > 0 && (
        <optgroup label="Orphaned segments">
          {outline.orphans.map(orphan => (
            <option key={orphan.number} value={`o${orphan.number}`}>
              {orphan.number}: {cut(orphan.prompt, 50)} ({counted(orphan.messages, 'message')})
            </option>
          ))}
        </optgroup>
      )}
    </select>
  );
}

const TOOLS: readonly (readonly [Tools, string])[] = [
  ['full', 'Full'],
  ['brief', 'Brief'],
  ['none', 'Hidden'],
];
const AGENTS: readonly (readonly [Agents, string])[] = [
  ['inline', 'Open'],
  ['fold', 'Folded'],
  ['none', 'Hidden'],
];
const VIEWS = [
  ['app', 'As Claude Code shows it'],
  ['sdk', 'As the SDK returns it'],
] as const;

function Switch({ label, keyName, isOn, onChange }: { label: string; keyName?: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <button type="button" aria-pressed={isOn} title={keyName ? `${label} (${keyName})` : label} onClick={() => onChange(!isOn)}>
      {label}
    </button>
  );
}

export function Bar({ explorer, finder }: { explorer: Explorer; finder: Finder }) {
  const outline = explorer.outline.value;
  const view = explorer.view.value;
  const turn = explorer.turn.value;
  const last = outline?.turns.at(-1)?.turn;
  return (
    <div class="session-bar" role="toolbar" aria-label="Conversation">
      <button type="button" class="narrow-only" aria-label="Outline" title="Outline" onClick={() => (explorer.dialog.value = { kind: 'outline' })}>
        ☰
      </button>
      <button type="button" class="session-place medium-only" onClick={() => (explorer.dialog.value = { kind: 'details' })}>
        {turn ? `Turn ${turn.turn}${last ? ` of ${last}` : ''}` : 'Turn'}
      </button>
      <span class="session-place wide-only number">{turn ? `Turn ${turn.turn}${last ? ` of ${last}` : ''}` : ''}</span>
      {outline && <Parts explorer={explorer} outline={outline} />}
      <span class="spread" />
      {finder.isOpen.value ? (
        <FindField finder={finder} />
      ) : (
        <button type="button" onClick={() => finder.open()} title="Find in this session (/)">
          Find
        </button>
      )}
      <div class="choice wide-switches" role="group" aria-label="Open or show">
        <Switch label="Diffs" keyName="d" isOn={view.diffs} onChange={diffs => explorer.setView({ diffs })} />
        <Switch label="Outputs" isOn={view.outputs} onChange={outputs => explorer.setView({ outputs })} />
        <Switch label="Thinking" keyName="t" isOn={view.thinking} onChange={thinking => explorer.setView({ thinking })} />
      </div>
      <Menu label="View" align="end">
        <div class="view-options" onClick={event => event.stopPropagation()}>
          <div class="narrow-switches">
            <span>Show</span>
            <div class="choice" role="group" aria-label="Open or show">
              <Switch label="Diffs" isOn={view.diffs} onChange={diffs => explorer.setView({ diffs })} />
              <Switch label="Outputs" isOn={view.outputs} onChange={outputs => explorer.setView({ outputs })} />
              <Switch label="Thinking" isOn={view.thinking} onChange={thinking => explorer.setView({ thinking })} />
            </div>
          </div>
          <span>Tool calls</span>
          <Choice label="Tool calls" value={view.tools} options={TOOLS} onChange={tools => explorer.setView({ tools })} />
          <span>Sub-agents</span>
          <Choice label="Sub-agents" value={view.agents} options={AGENTS} onChange={agents => explorer.setView({ agents })} />
          {appOf(explorer.id) === 'claude' && (
            <>
              <span>Conversation</span>
              <select aria-label="Conversation" value={view.view} onChange={event => explorer.setView({ view: event.currentTarget.value as 'app' | 'sdk' })}>
                {VIEWS.map(([value, name]) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
              </select>
            </>
          )}
        </div>
      </Menu>
      <button type="button" aria-pressed={explorer.isFollowing.value} title="Go to the end and stay there (.)" onClick={() => explorer.follow()}>
        Follow
      </button>
    </div>
  );
}
