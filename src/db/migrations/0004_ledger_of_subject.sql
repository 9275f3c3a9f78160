-- What was read under one subject of one account, in order: a mended reader goes through it.
create index ledger_of_subject on ledger (account_id, subject_id, position) where subject_id is not null;
