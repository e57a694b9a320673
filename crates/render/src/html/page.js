(() => {
'use strict';
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const root = document.documentElement, main = $('main'), note = $('#note');
$('#bar').hidden = false;

// Light and dark. The choice is not stored: a local file has no storage.
const turnLights = () => {
  const chosen = root.dataset.theme;
  const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
};
$('#lights').addEventListener('click', turnLights);

let noteTimer;
const showNote = words => {
  note.textContent = words;
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => { note.textContent = ''; }, 2500);
};

// The list of sessions.
const filter = $('#filter');
if (filter) {
  const rows = $$('tbody tr').map(row => [row, row.textContent.toLowerCase()]);
  filter.hidden = false;
  filter.addEventListener('input', () => {
    const words = filter.value.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const [row, text] of rows) {
      row.hidden = !words.every(word => text.includes(word));
      shown += !row.hidden;
    }
    note.textContent = filter.value ? `${shown} of ${rows.length}` : '';
  });
  addEventListener('keydown', event => {
    if (event.key === '/' && event.target !== filter) { event.preventDefault(); filter.focus(); }
    if (event.key === 'Escape' && event.target === filter) { filter.value = ''; filter.dispatchEvent(new Event('input')); }
  });
  return;
}

// Filters: a pressed button shows its kind of message, and hides what is of no pressed kind.
// The task of a sub-agent is not a prompt that somebody typed.
const kinds = { p: '.m.p:not(.a .p)', c: '.m.c', e: '.m.e' };
const filters = $$('#filters button');
const applyFilters = () => {
  for (const element of $$('main .off')) element.classList.remove('off');
  const pressed = filters.filter(button => button.getAttribute('aria-pressed') === 'true');
  if (!pressed.length) return;
  const wanted = pressed.map(button => kinds[button.value]).join();
  for (const element of $$('main .m, main .a, main .b, main .g, main .w, main section'))
    if (!element.matches(wanted) && !$(wanted, element)) element.classList.add('off');
};
const clearFilters = () => {
  for (const button of filters) button.setAttribute('aria-pressed', 'false');
  applyFilters();
};
for (const button of filters) {
  const count = $$(`main ${kinds[button.value]}`).length;
  button.textContent += ` ${count}`;
  button.disabled = !count;
  button.addEventListener('click', () => {
    button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
    applyFilters();
  });
}

// Branches: an abandoned branch is shown in place of the turns that follow it.
const put = new Set();
const groups = $$('.w').map(box => {
  const group = { box, ways: $$(':scope > .b', box), chosen: 0 };
  const row = document.createElement('div');
  row.className = 'ways';
  row.setAttribute('role', 'radiogroup');
  row.setAttribute('aria-label', 'Branches');
  const names = ['Current branch', ...group.ways.map(way => way.firstElementChild.textContent)];
  group.buttons = names.map((name, at) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('role', 'radio');
    button.textContent = name;
    button.addEventListener('click', () => { group.chosen = at; arrange(); });
    row.append(button);
    return button;
  });
  row.addEventListener('keydown', event => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    group.chosen = (group.chosen + by + names.length) % names.length;
    arrange();
    group.buttons[group.chosen].focus();
  });
  group.ways.forEach((way, at) => way.addEventListener('beforematch', () => { group.chosen = at + 1; arrange(); }));
  box.prepend(row);
  return group;
});
const arrange = () => {
  for (const element of put) element.hidden = false;
  put.clear();
  for (const group of groups) {
    group.buttons.forEach((button, at) => {
      button.setAttribute('aria-checked', String(at === group.chosen));
      button.tabIndex = at === group.chosen ? 0 : -1;
    });
    group.ways.forEach((way, at) => {
      const on = at === group.chosen - 1;
      way.classList.toggle('on', on);
      way.open = on;
      if (on) way.removeAttribute('hidden'); else way.setAttribute('hidden', 'until-found');
    });
    if (!group.chosen || group.box.closest('[hidden]')) continue;
    for (let inner = group.box; inner !== main; inner = inner.parentElement)
      for (let next = inner.nextElementSibling; next; next = next.nextElementSibling)
        if (!next.hidden) { next.hidden = true; put.add(next); }
  }
};
arrange();

// Opens all folds around an element.
const reveal = element => {
  if (element.closest('.off')) clearFilters();
  if (element.closest('[hidden]')) {
    for (const group of groups) {
      const at = group.ways.findIndex(way => way.contains(element));
      if (at >= 0) group.chosen = at + 1;
      else if (group.box.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) group.chosen = 0;
    }
    arrange();
  }
  for (let fold = element.closest('details'); fold; fold = fold.parentElement.closest('details'))
    if (fold === element || !fold.firstElementChild.contains(element)) fold.open = true;
};

// Links to messages.
const arrive = () => {
  const element = location.hash && document.getElementById(location.hash.slice(1));
  if (!element) return;
  reveal(element);
  element.scrollIntoView();
};
addEventListener('hashchange', arrive);
for (const message of $$('.m[id]')) {
  const link = document.createElement('button');
  link.type = 'button';
  link.className = 'l';
  link.title = 'Copy a link to this message';
  link.setAttribute('aria-label', link.title);
  if (message.localName === 'details') message.firstElementChild.append(link); else message.prepend(link);
}
const copy = (words, done, failed) => {
  if (navigator.clipboard) navigator.clipboard.writeText(words).then(() => showNote(done), failed);
  else failed();
};
main.addEventListener('click', event => {
  const link = event.target.closest('.l');
  if (!link) return;
  event.preventDefault();
  location.hash = link.closest('.m[id]').id;
  copy(location.href, 'Link copied', () => showNote('The link is in the address bar'));
});

// Copy buttons on code, outputs and commands. Where the clipboard is closed, the text is selected.
for (const code of $$('main pre, header code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.setAttribute('aria-label', 'Copy');
  if (code.localName === 'pre') code.prepend(button); else code.after(button);
}
document.addEventListener('click', event => {
  const button = event.target.closest('.copy');
  if (!button) return;
  const code = button.closest('pre') || button.previousElementSibling;
  copy(code.textContent, 'Copied', () => {
    getSelection().selectAllChildren(code);
    showNote('Selected: press Ctrl+C to copy');
  });
});

// Moving between turns.
const turns = $$('main > section');
const step = by => {
  const shown = turns.filter(turn => !turn.hidden && !turn.classList.contains('off'));
  const tops = shown.map(turn => turn.getBoundingClientRect().top);
  const next = by > 0 ? tops.findIndex(top => top > 80) : tops.findLastIndex(top => top < 40);
  if (next < 0) return;
  shown[next].scrollIntoView();
  $('h2 a', shown[next])?.focus({ preventScroll: true });
};
const links = new Map($$('nav a').map(link => [link.hash.slice(1), link]));
let at;
const seen = new IntersectionObserver(entries => {
  for (const entry of entries) if (entry.isIntersecting) {
    at?.classList.remove('at');
    at = links.get(entry.target.id);
    at?.classList.add('at');
  }
}, { rootMargin: '-10% 0px -85%' });
for (const turn of turns) seen.observe(turn);
const outline = $('nav details');
if (outline && matchMedia('(max-width:1099px)').matches) outline.open = false;

// Finding text, also in folds, which are then opened.
const box = $('#find'), words = $('#find input'), hits = $('#hits');
const blocks = 'p,li,pre,td,th,h1,h2,h3,h4,h5,h6,summary,div,section';
let text, starts, nodes, found = [], now = -1, waiting;
const gather = () => {
  const pieces = [], walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  let length = 0, block;
  starts = []; nodes = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest('.ways,.b>summary')) continue;
    const own = node.parentElement.closest(blocks);
    if (own !== block) { pieces.push('\n'); length += 1; block = own; }
    const lower = node.data.toLowerCase();
    starts.push(length); nodes.push(node);
    pieces.push(lower.length === node.data.length ? lower : node.data);
    length += node.data.length;
  }
  text = pieces.join('');
};
const place = offset => {
  let low = 0, high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= offset) low = middle; else high = middle - 1;
  }
  return [nodes[low], Math.min(Math.max(offset - starts[low], 0), nodes[low].length)];
};
const range = start => {
  const whole = document.createRange();
  whole.setStart(...place(start));
  const [node, offset] = place(start + words.value.length - 1);
  whole.setEnd(node, Math.min(offset + 1, node.length));
  return whole;
};
const paint = () => {
  hits.textContent = words.value ? (found.length ? `${now + 1} of ${found.length}` : 'not found') : '';
  if (!window.CSS || !CSS.highlights) return;
  CSS.highlights.clear();
  if (!found.length) return;
  CSS.highlights.set('hit', new Highlight(...found.slice(0, 2000).map(range)));
  if (now >= 0) {
    const current = new Highlight(range(found[now]));
    current.priority = 1;
    CSS.highlights.set('now', current);
  }
};
const go = by => {
  if (!found.length) return;
  now = (now + by + found.length) % found.length;
  const hit = range(found[now]), element = hit.startContainer.parentElement;
  reveal(element);
  element.scrollIntoView({ block: 'center' });
  if (!window.CSS || !CSS.highlights) {
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(hit);
  }
  paint();
};
const search = () => {
  const wanted = words.value.toLowerCase();
  found = []; now = -1;
  if (wanted) {
    if (!text) gather();
    for (let from = text.indexOf(wanted); from >= 0; from = text.indexOf(wanted, from + wanted.length)) found.push(from);
  }
  if (found.length) go(1); else paint();
};
const openFind = () => { box.hidden = false; words.focus(); words.select(); };
const closeFind = () => { box.hidden = true; words.value = ''; search(); $('#search').focus(); };
words.addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(search, 120); });
words.addEventListener('keydown', event => {
  if (event.key === 'Enter') { event.preventDefault(); go(event.shiftKey ? -1 : 1); }
  if (event.key === 'Escape') closeFind();
});
$('#search').addEventListener('click', () => { if (box.hidden) openFind(); else closeFind(); });
$('#previous').addEventListener('click', () => go(-1));
$('#next').addEventListener('click', () => go(1));

// Keys.
const help = $('dialog');
$('#help').addEventListener('click', () => help.showModal());
$('button', help).addEventListener('click', () => help.close());
const unfold = () => {
  const folds = $$('main details:not(.b)'), open = !folds.every(fold => fold.open);
  for (const fold of folds) fold.open = open;
  $('#unfold').textContent = open ? 'Collapse all' : 'Expand all';
};
$('#unfold').addEventListener('click', unfold);
const keys = { j: () => step(1), n: () => step(1), k: () => step(-1), p: () => step(-1), '/': openFind, '?': () => help.showModal(), t: turnLights, o: unfold };
addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input,dialog')) return;
  const deed = keys[event.key];
  if (deed) { event.preventDefault(); deed(); }
});
arrive();
})();
