//! The only code that writes below a root.
