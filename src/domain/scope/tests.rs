//! The proof by example.
