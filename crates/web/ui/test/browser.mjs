// The little of a browser that modules touch when they are loaded.
const element = { textContent: '{"zone":"UTC","home_folder":"/home/u"}', dataset: {}, style: {} };
globalThis.location ??= { pathname: '/0123456789abcdef0123456789abcdef/', href: 'http://127.0.0.1/0123456789abcdef0123456789abcdef/', origin: 'http://127.0.0.1' };
globalThis.document ??= { getElementById: () => element, documentElement: element, querySelector: () => null };
globalThis.addEventListener ??= () => {};
globalThis.matchMedia ??= () => ({ matches: false });
globalThis.history ??= { pushState() {}, replaceState() {} };
