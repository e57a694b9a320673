// Moving through messages by keys.

import { readingLine } from './anchor';
import type { Explorer } from './explorer';

function isShown(element: Element): boolean {
  return element.getClientRects().length > 0 && !element.parentElement?.closest('details:not([open])');
}

/** The messages that can be reached, in order. */
function blocks(explorer: Explorer, selector: string): HTMLElement[] {
  return (explorer.window?.loaded() ?? []).flatMap(chunk => [...chunk.querySelectorAll<HTMLElement>(selector)]).filter(isShown);
}

/** The element after or before the current message, or after the reading line. */
function next(explorer: Explorer, among: HTMLElement[], by: 1 | -1): HTMLElement | undefined {
  const at = explorer.block.peek();
  if (at?.isConnected) {
    const wanted = by > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
    const rest = among.filter(element => element !== at && (at.compareDocumentPosition(element) & wanted) !== 0);
    // A message inside the current one follows it, but the one around it does not precede it.
    return by > 0 ? rest[0] : rest.filter(element => !element.contains(at)).at(-1);
  }
  const line = readingLine();
  const tops = among.map(element => element.getBoundingClientRect().top);
  return by > 0 ? among[tops.findIndex(top => top >= line - 2)] : among[tops.findLastIndex(top => top < line - 2)];
}

/** Selects a message and shows it. */
async function show(explorer: Explorer, element: HTMLElement): Promise<void> {
  explorer.isFollowing.value = false;
  explorer.select(element);
  const box = element.getBoundingClientRect();
  const line = readingLine();
  if (box.top < line || box.top > innerHeight * 0.7 || (box.bottom > innerHeight && box.height < innerHeight * 0.6)) await explorer.scrollTo(element);
}

/** The next or previous message. */
export async function moveBlock(explorer: Explorer, by: 1 | -1): Promise<void> {
  const found = next(explorer, blocks(explorer, '.m'), by);
  if (found) await show(explorer, found);
  else await moveTurn(explorer, by);
}

/** The next or previous prompt: turns that are not in the document are read. */
export async function moveTurn(explorer: Explorer, by: 1 | -1): Promise<void> {
  const planned = explorer.turns();
  const { part, turn } = explorer.at.peek();
  const at = planned.findIndex(other => other.turn === turn && other.part === part);
  let to = planned[at < 0 ? 0 : at + by];
  if (by < 0 && at >= 0) {
    // In the middle of a turn, the previous prompt is its own.
    const here = await explorer.window?.turn(turn, part);
    if (here && here.getBoundingClientRect().top < readingLine() - 40) to = planned[at];
  }
  if (!to) return;
  explorer.select(undefined);
  const section = await explorer.goTo(to);
  const prompt = section?.querySelector<HTMLElement>('.m.p') ?? section?.querySelector<HTMLElement>('.m');
  if (prompt && isShown(prompt)) explorer.select(prompt);
}

/** The next or previous error: in the document, or in the next turn that has one. */
export async function moveError(explorer: Explorer, by: 1 | -1): Promise<void> {
  const outline = explorer.outline.peek();
  const planned = explorer.turns();
  const { part, turn } = explorer.at.peek();
  const here = planned.findIndex(other => other.turn === turn && other.part === part);
  const section = await explorer.window?.turn(turn, part);
  const inTurn = section ? errorsIn(section) : [];
  const found = explorer.block.peek() ? next(explorer, inTurn, by) : by > 0 ? inTurn[0] : undefined;
  if (found) {
    explorer.folds.reveal(found);
    await show(explorer, found);
    return;
  }
  for (let at = here + by; at >= 0 && at < planned.length; at += by) {
    const place = planned[at];
    if (!place || !explorer.turnOf(place)?.errors) continue;
    const target = await explorer.goTo(place);
    const errors = target ? errorsIn(target) : [];
    const error = by > 0 ? errors[0] : errors.at(-1);
    if (error) {
      explorer.folds.reveal(error);
      await show(explorer, error);
    }
    return;
  }
  explorer.say(outline?.totals.errors ? (by > 0 ? 'No error after this one.' : 'No error before this one.') : 'No errors in this session.');
}

function errorsIn(section: Element): HTMLElement[] {
  return [...section.querySelectorAll<HTMLElement>('.m.e')].filter(error => !error.closest('.b, .g'));
}

/** Opens or closes the fold of the current message. */
export function toggleFold(explorer: Explorer): void {
  const block = explorer.block.peek();
  const fold = block?.closest('details') ?? block?.querySelector('details');
  if (fold) {
    fold.open = !fold.open;
    explorer.folds.choose(fold, fold.open);
  } else explorer.say(block ? 'This message has nothing to fold.' : 'Choose a message with j and k first.');
}
