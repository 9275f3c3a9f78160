-- Up to which of an account's events a credential was briefed: its next brief begins there.
create table brief_positions (
  account_id uuid not null references accounts (id) on delete cascade,
  -- The key, the app or the person.
  credential text not null,
  sequence bigint not null,
  -- On the clock of the account's journeys.
  at timestamptz not null,
  primary key (account_id, credential)
);
