//! Pages for people: whole without script.
