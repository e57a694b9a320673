// Conversation text arrives as HTML from the server, which escapes it. This module owns the
// page's only Trusted Types policy, and the policy accepts nothing but the body that was just
// read from a fragment route: no other code can turn text into elements.

import { send } from './api';
import { address, base, type Parameters } from './base';

let accepted: string | undefined;

interface Policy {
  createHTML(input: string): unknown;
}
interface Factory {
  createPolicy(name: string, rules: { createHTML(input: string): string }): Policy;
}

const rules = {
  createHTML(input: string): string {
    if (input !== accepted) throw new TypeError('only fragments of the server become elements');
    return input;
  },
};
const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const policy: Policy = factory ? factory.createPolicy('annals', rules) : rules;

export interface Fragment {
  /** The elements, not yet in the document. */
  content: DocumentFragment;
  /** The turn at which the next fragment begins, if this one ended early. */
  nextTurn: string | undefined;
  /** The step of that turn, if this fragment ended inside it. */
  nextStep: number;
}

/** Reads a fragment. `path` begins below `fragment/`. */
export async function readFragment(path: string, parameters: Parameters = {}, abort?: AbortSignal): Promise<Fragment> {
  return readFragmentAt(address(`fragment/${path}`, parameters), abort);
}

/** Reads the fragment at an address that the server gave. */
export async function readFragmentAt(url: string, abort?: AbortSignal): Promise<Fragment> {
  const target = new URL(url, location.href);
  if (target.origin !== location.origin || !target.pathname.startsWith(`${base}fragment/`)) {
    throw new TypeError(`not a fragment: ${target.pathname}`);
  }
  const response = await send(target.href, { headers: { accept: 'text/html' }, cache: 'no-store', signal: abort ?? null });
  const body = await response.text();
  const template = document.createElement('template');
  accepted = body;
  try {
    // The only place that parses HTML, guarded by the policy above.
    (template as unknown as { innerHTML: unknown }).innerHTML = policy.createHTML(body);
  } finally {
    accepted = undefined;
  }
  return {
    content: template.content,
    nextTurn: response.headers.get('x-next-turn') ?? undefined,
    nextStep: Number(response.headers.get('x-next-step') ?? 0),
  };
}
