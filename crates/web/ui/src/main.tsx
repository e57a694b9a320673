// The application starts here: one component per page, chosen by the path.

import './styles/app.css';
import { render } from 'preact';
import { startEvents } from './core/events';
import './core/first';
import { path } from './core/router';
import './core/theme';
import { Archive } from './pages/archive';
import { Commit } from './pages/commit';
import { Doctor } from './pages/doctor';
import { Files } from './pages/files';
import { Home } from './pages/home';
import { Live } from './pages/live';
import { Marks } from './pages/marks';
import { Plans } from './pages/plans';
import { Prompts } from './pages/prompts';
import { Search } from './pages/search';
import { Session } from './pages/session';
import { Sessions } from './pages/sessions';
import { Settings } from './pages/settings';
import { Sql } from './pages/sql';
import { Tools } from './pages/tools';
import { Unknown } from './pages/unknown';
import { Usage } from './pages/usage';
import { Shell } from './parts/shell';

function Page() {
  const [page = '', first = '', second = '', third = ''] = path.value;
  switch (page) {
    case '':
      return <Home />;
    case 'sessions':
      return <Sessions />;
    case 's':
      return <Session key={`${first} ${third}`} id={first} agent={second === 'a' ? third : ''} />;
    case 'search':
      return <Search />;
    case 'usage':
      return <Usage />;
    case 'tools':
      return <Tools />;
    case 'files':
      return <Files />;
    case 'commits':
      return <Commit key={first} hash={first} />;
    case 'live':
      return <Live />;
    case 'prompts':
      return <Prompts />;
    case 'plans':
      return <Plans />;
    case 'marks':
      return <Marks />;
    case 'archive':
      return <Archive />;
    case 'doctor':
      return <Doctor />;
    case 'settings':
      return <Settings />;
    case 'sql':
      return <Sql />;
    default:
      return <Unknown />;
  }
}

const root = document.getElementById('app');
if (root) {
  // The server puts the first turns of a session into the page; they are readable before this
  // script runs, and the page of a session takes them over.
  render(
    <Shell>
      <Page />
    </Shell>,
    root,
  );
  startEvents();
}
