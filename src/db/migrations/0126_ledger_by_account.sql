-- The key of the ledger leads with the account, as every read of the ledger does. Two indexes held the same positions
-- before; an entry is now written to one index less.

alter table ledger drop constraint ledger_pkey, add constraint ledger_pkey primary key (account_id, position);
drop index ledger_of_account;
