// The first turns of a session, which the server put into the page. They are taken out of the
// document before the application draws, and the session's page puts them back in place.

const element = document.getElementById('first');

/** Whether the page has turns that can be read before the application draws. */
export const hasFirstTurns = element !== null;

/** Longest wait for a frame: a page in the background has none. */
const NO_FRAME_MS = 100;

/** Waits until what is in the page has been painted, so that starting the application does not delay it. */
export function painted(): Promise<void> {
  return new Promise(resolve => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, NO_FRAME_MS);
  });
}

export interface FirstTurns {
  content: DocumentFragment;
  /** Where to go on, if the server ended early. */
  nextTurn: string | undefined;
  nextStep: number;
}

/** Takes the turns, once. */
export function takeFirstTurns(): FirstTurns | undefined {
  if (!element?.childNodes.length) return undefined;
  const content = document.createDocumentFragment();
  content.append(...element.childNodes);
  return { content, nextTurn: element.dataset.nextTurn, nextStep: Number(element.dataset.nextStep ?? 0) };
}
