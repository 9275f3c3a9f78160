-- Whether what an account's requests teach may help others, and how often that or its outcomes were taken back: every
-- process compares the sum with what it has learnt by.
alter table accounts add column shares_outcomes boolean not null default true;
alter table accounts add column unlearnt integer not null default 0;

-- What carriers confirmed and denied: which line had which number. `sequence` is given after the commit, by one at a
-- time, so that a process that has read up to a number has read all below it. `bill` says which boxes came together.
create table inference_outcomes (
  account_id uuid not null references accounts,
  id uuid not null,
  sequence bigint,
  number text not null,
  node text not null,
  scac text not null,
  weight real not null,
  month integer not null,
  bill text,
  source text not null check (source in ('request', 'bill', 'not_found', 'override', 'import')),
  confirmed_at timestamptz not null,
  primary key (account_id, id)
) with (fillfactor = 80);
create index inference_outcomes_unnumbered on inference_outcomes (account_id) where sequence is null;
create unique index inference_outcomes_in_sequence on inference_outcomes (sequence) where sequence is not null;
create index inference_outcomes_by_number on inference_outcomes (account_id, number);

-- What was predicted for an account's number before its line was known, and what the line turned out to be.
create table inference_predictions (
  account_id uuid not null references accounts,
  number text not null,
  scac text not null,
  confidence real not null,
  decision text not null check (decision in ('auto_select', 'needs_confirmation', 'no_prediction')),
  number_type text not null check (number_type in ('container', 'bill_of_lading', 'booking')),
  nodes text[] not null,
  predicted_at timestamptz not null,
  confirmed_scac text,
  is_right boolean,
  confirmed_at timestamptz,
  primary key (account_id, number)
) with (fillfactor = 80);
create index inference_predictions_age on inference_predictions (predicted_at);
create index inference_predictions_confirmed on inference_predictions (confirmed_at) where confirmed_at is not null;
