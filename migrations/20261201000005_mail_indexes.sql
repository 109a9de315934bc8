-- A lane's mail is kept as a record for good: whoever reads its inbox, or hands mail over, looks at what still counts.
create index messages_readable on messages (lane_id, id) where body is not null;
create index messages_given_up on messages (lane_id) where failed_with is not null;

-- What was typed into a pane is found by orders_texts, which has the same columns and more rows.
drop index orders_typed;
