// The first turns of a session, which the server put into the page. They are taken out of the
// document before the application draws, and the session's page puts them back in place.

const element = document.getElementById('first');
element?.remove();

/** Takes the turns, once. */
export function takeFirstTurns(): DocumentFragment | undefined {
  if (!element?.childNodes.length) return undefined;
  const turns = document.createDocumentFragment();
  turns.append(...element.childNodes);
  return turns;
}
