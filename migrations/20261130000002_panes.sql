-- What a pane client sees at the foot of a screen, when it looks like a menu and no rule knows it.

alter table panes add column drift text;
