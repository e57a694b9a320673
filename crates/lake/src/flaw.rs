//! Mistakes that the tests plant, to show that they would be noticed.

/// A mistake. Nothing but tests makes one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Flaw {
    /// Segments do not lie under the number of the manifest that first names them.
    NumbersAllSegmentsAlike,
    /// Unnamed segments stay.
    NeverDeletes,
    /// Rows that change their audience are removed in the step that adds them.
    RemovesBeforeAdding,
    /// A new installation does not read what the owner decided elsewhere.
    SkipsDecisionsOfOthers,
    /// What a manifest does not name is deleted even if the manifest is not the newest.
    DeletesWithoutLooking,
    /// What an administrator or another machine of the owner decided moves and removes nothing.
    ObeysOnlyOwnDecisions,
}
