// The bar above every page. The build also renders it to text, which the server puts into its
// pages, so that it is on the screen before the scripts have run. Therefore it uses nothing of
// the browser: where it is and what its buttons do come from outside.

const MAIN = [
  ['', 'Home', 'h'],
  ['sessions', 'Sessions', 's'],
  ['search', 'Search', '/'],
  ['usage', 'Usage', 'u'],
  ['files', 'Files', 'f'],
  ['tools', 'Tools', 't'],
  ['live', 'Live', 'l'],
] as const;

const MORE = [
  ['archive', 'Archive', 'a'],
  ['doctor', 'Doctor', 'd'],
  ['sql', 'SQL', 'q'],
  ['settings', 'Settings', ','],
] as const;

/** The pages of the navigation: path, name, and the key after `g`. */
export const DESTINATIONS = [...MAIN, ...MORE];

/** Pages that belong to an entry of the navigation. */
const BELONGS: Record<string, string> = { s: 'sessions', prompts: 'sessions', plans: 'sessions', marks: 'sessions', commits: 'files' };

export interface HeaderProperties {
  /** What every address begins with. */
  base: string;
  /** The first part of the path of the page. */
  page: string;
  onPalette?: () => void;
  onTheme?: () => void;
  onHelp?: () => void;
}

export function Header({ base, page, onPalette, onTheme, onHelp }: HeaderProperties) {
  const link = ([path, name, key]: readonly [string, string, string]) => (
    <a key={path} href={base + path} aria-current={(BELONGS[page] ?? page) === path ? 'page' : undefined} title={`g ${key}`}>
      {name}
    </a>
  );
  return (
    <header class="top">
      <a class="brand" href={base}>
        annals
      </a>
      <nav aria-label="Pages">
        {MAIN.map(link)}
        <span class="more">{MORE.map(link)}</span>
      </nav>
      <div class="top-tools">
        <button type="button" onClick={onPalette} title="Ctrl+K">
          Go to… <kbd>Ctrl K</kbd>
        </button>
        <button type="button" onClick={onTheme} aria-label="Light or dark" title="Light or dark">
          ◐
        </button>
        <button type="button" onClick={onHelp} aria-label="Keys" title="Keys">
          ?
        </button>
      </div>
    </header>
  );
}
