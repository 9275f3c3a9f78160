-- Looks are taken line by line: a line that is at its rate limit or its concurrency never stands before another's.
create index subjects_due_of_line on subjects (credential_id, next_look_at) where next_look_at is not null;
create index subjects_leased on subjects (credential_id) where lease_token is not null;
drop index subjects_due;
