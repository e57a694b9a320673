// Where the application is served. Every page and route lies below one random path, so that
// the cookie is sent to no other server on this machine.

/** The path that everything lies below, with slashes at both ends. */
export const base = `/${location.pathname.split('/')[1] ?? ''}/`;

export type Parameters = Record<string, string | number | boolean | undefined | null>;

/** The query string of parameters, with a leading `?`; empty ones are left out. */
export function queryString(parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null || value === '' || value === false) continue;
    query.set(name, value === true ? '1' : String(value));
  }
  const text = query.toString();
  return text ? `?${text}` : '';
}

/** The address of a page, a route or a fragment below the base. */
export function address(path: string, parameters: Parameters = {}): string {
  return base + path + queryString(parameters);
}

/** The address of a session's page. */
export function sessionAddress(session: string, place: Parameters & { agent?: string | null } = {}, hash = ''): string {
  const { agent, ...parameters } = place;
  const path = `s/${encodeURIComponent(session)}${agent ? `/a/${encodeURIComponent(agent)}` : ''}`;
  return address(path, parameters) + (hash ? `#${hash}` : '');
}
