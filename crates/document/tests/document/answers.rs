//! Answers that several surfaces give, on small stores.

mod choice;
mod files;
mod fragments;
mod html_check;
mod lanes_and_find;
mod lists;
mod messages;
mod outlines;
mod session_writer;
mod support;
mod tool_calls;
mod usage_details;
