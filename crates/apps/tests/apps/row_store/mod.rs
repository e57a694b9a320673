//! Reading databases of OpenCode: live ones, hostile ones, damaged ones, and those that the
//! program wrote.

mod corpus;
mod failures;
mod helper_process;
mod hostile;
mod live;
mod moved_rows;
mod place;
