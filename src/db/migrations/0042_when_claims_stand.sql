-- Since when a claim stands, where that is not since it was recorded: when the message that says so was written. Null is
-- since it was recorded: what is asked for, and all rows from before. Adding these rewrites no row.
alter table claims add column stands_at timestamptz;
-- `relayed`: another passes on what the source said.
alter table claims add column hand text not null default 'first' check (hand in ('first', 'relayed'));
-- The sender's own id of the message by which it stands.
alter table claims add column delivery_key text;
