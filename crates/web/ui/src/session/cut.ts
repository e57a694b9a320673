// Cutting a fragment where the chunk after it begins: both may have the same messages.

/** The id of the first message of a fragment. */
export function firstMessage(content: ParentNode): string | undefined {
  return content.querySelector('.m[id]')?.id;
}

/** Removes a message and what follows it. Returns whether the fragment has it. */
export function cutBefore(content: ParentNode, id: string): boolean {
  const message = content.querySelector(`[id="${CSS.escape(id)}"]`);
  if (!message) return false;
  for (let element: Element | null = message; element; element = element.parentElement) {
    while (element.nextSibling) element.nextSibling.remove();
  }
  message.remove();
  return true;
}
