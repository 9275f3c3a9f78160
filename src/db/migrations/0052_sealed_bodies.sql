-- What came unasked is sealed: `sealed_body` has it in the place of `body`.
alter table snapshots rename to kept_snapshots;
-- Without a check that one of them is there: it would be held against each row of the largest table while all wait.
alter table kept_snapshots
  alter column body drop not null,
  add column sealed_body bytea;
-- Under the old name for a program of before that is still at work: what it cannot open is gone for it, so that it leaves the
-- task to one that can, instead of hearing noise.
create view snapshots as
  select id, subject_id, content_hash, status, content_type, body, recorded_at from kept_snapshots where body is not null;
alter table inbound_messages
  add column sealed_body bytea,
  add constraint inbound_messages_body_check check (num_nonnulls(body, sealed_body) <= 1);
-- What came before, or through a program of before, is sealed in the background.
create index inbound_messages_in_clear on inbound_messages (id) where body is not null;
