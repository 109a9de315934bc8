//! Line diffs as data for pages.
