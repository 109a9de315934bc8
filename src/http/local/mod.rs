//! The admin's handlers, mounted on the Unix socket alone.
