-- Messages that come unasked teach whose box it is: a line's of its own (`told`), a terminal's or railway's of all that it
-- handles (`seen`). Code of before writes neither and reads all alike.
alter table inference_outcomes
  drop constraint inference_outcomes_source_check,
  add constraint inference_outcomes_source_check
    check (source in ('request', 'bill', 'told', 'seen', 'not_found', 'override', 'import'));

-- Which boxes travel under one bill or booking, where the message that says so does not tell of which line: judged together.
create table inference_companions (
  account_id uuid not null references accounts,
  bill text not null,
  number text not null,
  heard_at timestamptz not null,
  primary key (account_id, bill, number)
);
create index inference_companions_by_number on inference_companions (account_id, number);
create index inference_companions_age on inference_companions (heard_at);
