// JSX as text: what the build renders for the server. Elements without state and components that
// are plain functions; handlers are left out. `markup/jsx-runtime` in `build.mjs` is this file.

class Markup {
  constructor(text) {
    this.text = text;
  }
}

const escaped = text => String(text).replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);

function render(child) {
  if (child instanceof Markup) return child.text;
  if (Array.isArray(child)) return child.map(render).join('');
  return child === undefined || child === null || typeof child === 'boolean' ? '' : escaped(child);
}

export const Fragment = ({ children }) => new Markup(render(children));

export function jsx(type, { children, ...properties }) {
  if (typeof type === 'function') return type({ children, ...properties });
  const shown = Object.entries(properties).filter(([name, value]) => value !== undefined && value !== false && !name.startsWith('on'));
  const attributes = shown.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
  return new Markup(`<${type}${attributes}>${render(children)}</${type}>`);
}

export { jsx as jsxs };
