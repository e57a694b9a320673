//! Rules of the whole repository: which room knows which, what packages hold, and which words
//! people read.

mod library_api;
mod packages;
mod plain_english;
mod rooms;
