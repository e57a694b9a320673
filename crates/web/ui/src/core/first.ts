// The first turns of a session, which the server put into the page. They are taken out of the
// document before the application draws, and the session's page puts them back in place.

const element = document.getElementById('first');

/** Whether the page has turns that can be read before the application draws. */
export const hasFirstTurns = element !== null;

/** Makes room for the application. */
export function detachFirstTurns(): void {
  element?.remove();
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
