-- One episode in which a person is needed has a beginning: an unknown menu that comes back is another one.

alter table panes add column drift_since timestamptz;
-- What was seen before began before there were episodes: the next report begins one.
update panes set drift = null;
