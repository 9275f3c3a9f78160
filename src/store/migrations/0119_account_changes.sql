-- Counts the transactions that changed what an account sees, so that a read replica can be asked whether it has them
-- (docs/decisions/0037). Written only while a read replica is in use. Several rows for an account, so that its
-- transactions do not wait for each other. The row of the account 00000000-… is for changes that may concern everybody.
create table account_changes (
  account_id uuid not null,
  slot smallint not null,
  changes bigint not null,
  primary key (account_id, slot)
) with (fillfactor = 50);
