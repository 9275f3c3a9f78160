-- The sequencer numbers the events of one account after the other, so what waits for a number is found by its account.
create index events_waiting on events (account_id, ordinal) where sequence is null;
drop index events_unnumbered;
