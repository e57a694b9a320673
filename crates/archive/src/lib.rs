//! Every byte of every session, kept.
