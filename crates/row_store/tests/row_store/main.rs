//! Reading databases of OpenCode: live ones, hostile ones, damaged ones, and those that the
//! program wrote.

#![expect(clippy::disallowed_methods, reason = "tests make the databases they read")]
#![expect(clippy::unwrap_used, reason = "the functions of a test may fail it")]
#![expect(clippy::print_stdout, reason = "a skipped test says so")]

mod corpus;
mod failures;
mod helper_process;
mod hostile;
mod live;
mod place;
