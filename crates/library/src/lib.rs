//! The entry point for every surface.
//!
//! A [`Library`] is opened once from resolved [`Options`] and has a room for each kind of
//! question. Rooms stand on each other, in this order, and none knows one beside or above it:
//! stores, memory, redaction, catalog, sessions, facts, prompts; then search, usage, files,
//! archive, watch and health, which do not know each other. It returns data: nothing here prints,
//! or knows how an answer is displayed.
//!
//! Files that are gone from disk and in the archive are read as if they were on
//! disk, if the caller asks for that ([`Tier`](stores::Tier)).

pub mod archive;
pub mod catalog;
pub mod facts;
pub mod files;
pub mod health;
pub mod lines;
mod memory;
mod packing;
mod parallel;
pub mod pattern;
pub mod prompts;
pub mod redaction;
pub mod search;
pub mod session;
pub mod sessions;
pub mod stores;
pub mod time_expression;
pub mod usage;
pub mod watch;
pub mod window_limit;

pub use parallel::par_map;
pub use store::{progress, random_bytes};
pub use stores::{Options, apps};

use archive::{Actions, SessionArchive};
use catalog::Catalog;
use facts::Facts;
use files::TouchedFiles;
use health::Health;
use memory::Memory;
use prompts::Prompts;
use redact::Redactor;
use redaction::Redaction;
use redaction::session_values::KnownValues;
use search::Search;
use session::inline_agents::RecentInlineAgents;
use sessions::Sessions;
use std::sync::Arc;
use stores::Stores;
use usage::Usage;
use watch::Watch;

/// All sessions of all roots.
#[derive(Clone, Debug)]
pub struct Library {
    catalog: Arc<Catalog>,
    sessions: Arc<Sessions>,
    facts: Arc<Facts>,
    prompts: Arc<Prompts>,
    usage: Arc<Usage>,
    search: Arc<Search>,
    files: Arc<TouchedFiles>,
    archive: Arc<SessionArchive>,
    watch: Arc<Watch>,
    health: Arc<Health>,
    actions: Arc<Actions>,
}

impl Library {
    /// Opens the roots. A root that cannot be used is recorded with the reason;
    /// the others still work.
    pub fn open(options: Options) -> Library {
        built_on(Stores::open(options), RecentInlineAgents::default(), Arc::default())
    }

    /// The same library opened anew, for long-running processes: it sees what
    /// was archived or indexed meanwhile.
    #[must_use]
    pub fn reopened(&self) -> Library {
        let Catalog { stores, redaction, recent_inline_agents, .. } = &*self.catalog;
        let known_values = Arc::clone(&redaction.known_values);
        built_on(stores.reopened(), recent_inline_agents.clone(), known_values)
    }

    /// The same library, with secrets masked in its texts. Names of folders stay as they are,
    /// because sessions are found by them; the clones of the redactor mask the values in them
    /// once they are known.
    #[must_use]
    pub fn masking(self, redactor: Arc<Redactor>) -> Library {
        let redactor = Arc::unwrap_or_clone(redactor).for_texts();
        let Catalog { stores, redaction, recent_inline_agents, .. } = &*self.catalog;
        let mut stores = Stores::clone(stores);
        stores.redactor = Some(Arc::new(redactor));
        built_on(stores, recent_inline_agents.clone(), Arc::clone(&redaction.known_values))
    }

    /// The same library, called from this session.
    #[must_use]
    pub fn called_from(self, session: String) -> Library {
        let Catalog { stores, redaction, recent_inline_agents, .. } = &*self.catalog;
        let mut stores = Stores::clone(stores);
        stores.options.current_session = Some(session);
        built_on(stores, recent_inline_agents.clone(), Arc::clone(&redaction.known_values))
    }

    /// The sessions and projects, and how to find them.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Sessions, each read whole: conversations, agents, calls, plans.
    pub fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    /// What lists need to know of sessions.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The prompts of sessions, and what needs all of a session's prompts.
    pub fn prompts(&self) -> &Prompts {
        &self.prompts
    }

    /// Search for text, messages and calls in many sessions.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// Tokens and costs of API calls.
    pub fn usage(&self) -> &Usage {
        &self.usage
    }

    /// The files that sessions read and changed.
    pub fn files(&self) -> &TouchedFiles {
        &self.files
    }

    /// The archive, for reading.
    pub fn archive(&self) -> &SessionArchive {
        &self.archive
    }

    /// Sessions followed live.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// Problems of the stores, and sessions that will be deleted.
    pub fn health(&self) -> &Health {
        &self.health
    }

    /// Everything that writes.
    pub fn actions(&self) -> &Actions {
        &self.actions
    }
}

/// The rooms of a library on these stores.
fn built_on(
    stores: Stores,
    recent_inline_agents: RecentInlineAgents,
    known_values: Arc<KnownValues>,
) -> Library {
    let stores = Arc::new(stores);
    let memory = Arc::new(Memory::new(Arc::clone(&stores)));
    let redaction = Arc::new(Redaction {
        stores: Arc::clone(&stores),
        memory: Arc::clone(&memory),
        known_values,
        known_plans: Arc::default(),
    });
    let catalog = Arc::new(Catalog {
        stores: Arc::clone(&stores),
        memory: Arc::clone(&memory),
        redaction: Arc::clone(&redaction),
        recent_inline_agents,
    });
    let sessions = Arc::new(Sessions {
        stores: Arc::clone(&stores),
        redaction: Arc::clone(&redaction),
        catalog: Arc::clone(&catalog),
    });
    let facts = Arc::new(Facts {
        stores: Arc::clone(&stores),
        memory: Arc::clone(&memory),
        redaction: Arc::clone(&redaction),
        catalog: Arc::clone(&catalog),
        sessions: Arc::clone(&sessions),
    });
    let prompts = Arc::new(Prompts {
        stores: Arc::clone(&stores),
        memory: Arc::clone(&memory),
        redaction: Arc::clone(&redaction),
        catalog: Arc::clone(&catalog),
        sessions: Arc::clone(&sessions),
        facts: Arc::clone(&facts),
    });
    let archive = Arc::new(SessionArchive {
        stores: Arc::clone(&stores),
        memory: Arc::clone(&memory),
        catalog: Arc::clone(&catalog),
    });
    Library {
        usage: Arc::new(Usage {
            stores: Arc::clone(&stores),
            memory: Arc::clone(&memory),
            catalog: Arc::clone(&catalog),
            sessions: Arc::clone(&sessions),
            facts: Arc::clone(&facts),
            prompts: Arc::clone(&prompts),
        }),
        search: Arc::new(Search {
            stores: Arc::clone(&stores),
            memory: Arc::clone(&memory),
            redaction: Arc::clone(&redaction),
            catalog: Arc::clone(&catalog),
            sessions: Arc::clone(&sessions),
        }),
        files: Arc::new(TouchedFiles {
            stores: Arc::clone(&stores),
            redaction: Arc::clone(&redaction),
            sessions: Arc::clone(&sessions),
            facts: Arc::clone(&facts),
        }),
        watch: Arc::new(Watch {
            stores: Arc::clone(&stores),
            redaction: Arc::clone(&redaction),
            catalog: Arc::clone(&catalog),
            sessions: Arc::clone(&sessions),
        }),
        health: Arc::new(Health { stores, memory, redaction, catalog: Arc::clone(&catalog) }),
        actions: Arc::new(Actions { archive: Arc::clone(&archive) }),
        archive,
        catalog,
        sessions,
        facts,
        prompts,
    }
}
