//! Compares the pages that a reader uses with their digests.
//!
//! A command that reads whole tables checks those; a search checks the pages on the way to
//! the rows it reads; a query of a person, which may read anything, checks the whole file.
//! Once a day, any command checks the whole file first.
//!
//! While another process writes, and while pages are only in the write-ahead log, nothing is
//! checked: the digests describe the file as its last writer left it.

use crate::btree_page::TreePage;
use crate::database::IndexFolder;
use crate::failure::IndexError;
use crate::page_digests::{PAGE, PageDigest, PageDigests};
use crate::platform;
use crate::seal::{self, Seal};
use rusqlite::Connection;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::sync::Arc;

/// The deepest tree: a file with pages of this size cannot have a deeper one.
const DEEPEST: usize = 24;

/// The pages of an index, compared with their digests as they are used.
pub(crate) struct PageCheck {
    file: File,
    digests: PageDigests,
    /// The first pages of trees, by the names of the tree and of its table.
    roots: Vec<Root>,
    /// Inner pages that were compared.
    inner: RefCell<HashMap<u32, Arc<[u8]>>>,
    /// Other pages that were compared, with those that their rows continue in.
    leaves: RefCell<HashSet<u32>>,
}

struct Root {
    tree: String,
    table: String,
    page: u32,
}

/// Which trees to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trees<'n> {
    /// A table and its indexes.
    Table(&'n str),
    /// A table without its indexes, or one index.
    Tree(&'n str),
}

impl PageCheck {
    /// The check of an index that was sealed with its digests; `None` if it was not, or if
    /// pages are only in the log. It begins a transaction, in which no writer copies pages
    /// from the log to the file.
    pub(crate) fn open(
        folder: &IndexFolder,
        connection: &Connection,
    ) -> Result<Option<PageCheck>, IndexError> {
        if connection.is_autocommit() {
            connection.execute_batch("BEGIN")?;
        }
        let roots = roots(connection)?;
        let Some(seal) = Seal::read(folder).filter(Seal::has_digests) else { return Ok(None) };
        if folder.has_log() {
            return Ok(None);
        }
        let Some(digests) = PageDigests::read(folder) else { return Ok(None) };
        // A writer may have replaced both between the two looks.
        if Seal::read(folder).as_ref() != Some(&seal) {
            return Ok(None);
        }
        let check = PageCheck {
            file: File::open(folder.database())?,
            digests,
            roots,
            inner: RefCell::default(),
            leaves: RefCell::default(),
        };
        check.tree(1)?;
        Ok(Some(check))
    }

    /// Checks the whole file.
    pub(crate) fn everything(&self) -> Result<(), IndexError> {
        let pages = usize::try_from(self.file.metadata()?.len()).unwrap_or_default() / PAGE;
        if pages != self.digests.pages() {
            return Err(seal::damaged_page(1));
        }
        match self.digests.find_damage(&self.file)? {
            Some(page) => Err(seal::damaged_page(page)),
            None => Ok(()),
        }
    }

    /// Checks whole trees.
    pub(crate) fn trees(&self, trees: &[Trees<'_>]) -> Result<(), IndexError> {
        for root in &self.roots {
            let is_asked = trees.iter().any(|tree| match tree {
                Trees::Table(name) => root.table == *name,
                Trees::Tree(name) => root.tree == *name,
            });
            if is_asked {
                self.tree(root.page)?;
            }
        }
        Ok(())
    }

    /// Checks the pages of the rows of a tree whose keys begin with integers from `first` to
    /// `last`.
    pub(crate) fn range(&self, tree: &str, first: &[i64], last: &[i64]) -> Result<(), IndexError> {
        let Some(root) = self.roots.iter().find(|root| root.tree == tree) else { return Ok(()) };
        let mut buffer = [0; PAGE];
        let mut pending = vec![(root.page, 0)];
        while let Some((number, depth)) = pending.pop() {
            if self.leaves.borrow().contains(&number) {
                continue;
            }
            let known = self.tree_page(number, &mut buffer)?;
            let Some(page) = TreePage::parse(known.as_deref().unwrap_or(&buffer), number) else {
                return Err(seal::damaged_page(number));
            };
            if !page.is_inner() {
                self.check_leaf(&page)?;
                self.leaves.borrow_mut().insert(number);
                continue;
            }
            let from = first_cell(&page, first, Ordering::is_ge);
            let to = first_cell(&page, last, Ordering::is_gt);
            let (Some(from), Some(to), true) = (from, to, depth < DEEPEST) else {
                return Err(seal::damaged_page(number));
            };
            for place in from..=to {
                let child = match page.cell(place) {
                    Some(cell) => cell.child,
                    None => page.last_child(),
                };
                let Some(child) = child else { return Err(seal::damaged_page(number)) };
                pending.push((child, depth + 1));
            }
        }
        Ok(())
    }

    /// Checks a row, or the rows whose keys begin with these integers.
    pub(crate) fn key(&self, tree: &str, key: &[i64]) -> Result<(), IndexError> {
        self.range(tree, key, key)
    }

    /// Checks a whole tree.
    fn tree(&self, root: u32) -> Result<(), IndexError> {
        let mut buffer = [0; PAGE];
        let mut pending = vec![(root, 0)];
        while let Some((number, depth)) = pending.pop() {
            if self.leaves.borrow().contains(&number) {
                continue;
            }
            let known = self.tree_page(number, &mut buffer)?;
            let Some(page) = TreePage::parse(known.as_deref().unwrap_or(&buffer), number) else {
                return Err(seal::damaged_page(number));
            };
            self.check_leaf(&page)?;
            if !page.is_inner() {
                self.leaves.borrow_mut().insert(number);
                continue;
            }
            if depth == DEEPEST {
                return Err(seal::damaged_page(number));
            }
            let cells = (0..page.len()).filter_map(|place| page.cell(place)?.child);
            pending.extend(cells.chain(page.last_child()).map(|child| (child, depth + 1)));
        }
        Ok(())
    }

    /// Checks the pages in which the rows of a page continue.
    fn check_leaf(&self, page: &TreePage<'_>) -> Result<(), IndexError> {
        let mut bytes = None;
        for place in 0..page.len() {
            let mut next = page.cell(place).and_then(|cell| cell.overflow);
            let mut count = 0;
            while let Some(number) = next {
                let bytes = bytes.get_or_insert([0; PAGE]);
                self.page(number, bytes)?;
                count += 1;
                if count > self.digests.pages() {
                    return Err(seal::damaged_page(number));
                }
                let following = bytes.first_chunk().map_or(0, |next| u32::from_be_bytes(*next));
                next = (following != 0).then_some(following);
            }
        }
        Ok(())
    }

    /// A page of a tree. Inner pages are read once and returned, leaves are read into the
    /// buffer: there are thousands of them, and each is looked at once.
    fn tree_page(
        &self,
        number: u32,
        buffer: &mut [u8; PAGE],
    ) -> Result<Option<Arc<[u8]>>, IndexError> {
        if let Some(known) = self.inner.borrow().get(&number) {
            return Ok(Some(known.clone()));
        }
        self.page(number, buffer)?;
        if !TreePage::parse(&*buffer, number).is_some_and(|page| page.is_inner()) {
            return Ok(None);
        }
        let page: Arc<[u8]> = Arc::from(buffer.as_slice());
        self.inner.borrow_mut().insert(number, page.clone());
        Ok(Some(page))
    }

    /// Reads a page as it is in the file, and compares it with its digest.
    fn page(&self, number: u32, bytes: &mut [u8; PAGE]) -> Result<(), IndexError> {
        let at = u64::from(number).saturating_sub(1) * PAGE as u64;
        let is_read = platform::read_exact_at(&self.file, bytes, at).is_ok();
        if !is_read || self.digests.find(number) != Some(PageDigest::of(bytes)) {
            return Err(seal::damaged_page(number));
        }
        Ok(())
    }
}

/// The first pages of all trees. This takes the read lock of the transaction.
fn roots(connection: &Connection) -> Result<Vec<Root>, IndexError> {
    let mut statement = connection
        .prepare("SELECT name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage > 0")?;
    let rows = statement.query_map([], |row| {
        Ok(Root { tree: row.get(0)?, table: row.get(1)?, page: row.get(2)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The first cell of an inner page whose key compares with integers as asked; the number of
/// cells if there is none.
fn first_cell(page: &TreePage<'_>, key: &[i64], is: impl Fn(Ordering) -> bool) -> Option<usize> {
    let (mut from, mut to) = (0, page.len());
    while from < to {
        let middle = usize::midpoint(from, to);
        let cell = page.cell(middle)?;
        if is(page.compare(&cell, key)?) {
            to = middle;
        } else {
            from = middle + 1;
        }
    }
    Some(from)
}
