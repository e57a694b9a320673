//! Tests of the list.
