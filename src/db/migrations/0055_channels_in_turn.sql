-- Which channel is asked next: workers take channels by `ready_at`, each under the lock of its row, and count for it alone.
create table channel_queue (
  channel_id uuid primary key references channels (id),
  lane text not null check (lane in ('looks', 'askings')),
  -- When it may have something to ask and may be asked, or sooner; null while nothing is planned.
  ready_at timestamptz,
  -- As many questions are under way as it allows: one that ends makes it ready.
  is_full boolean not null default false,
  -- Turns dealt so far, and the moment by which the last of them stands in line.
  dealt integer not null default 0,
  turned_at timestamptz not null default '-infinity',
  -- What its limits need to know of what was sent (src/core/request-budget.ts).
  spending jsonb not null default '{}',
  -- How many requests its last question took, where it is asked about many numbers at once.
  requests integer not null default 1,
  -- How often in a row it failed whatever it was asked.
  failures integer not null default 0
) with (fillfactor = 50);
create index channel_queue_ready on channel_queue (lane, ready_at) where ready_at is not null;

-- Within a channel the accounts of each class (0 new, 1 urgent, 2 near, 3 calm) have their turns one after the other.
create table channel_turns (
  channel_id uuid not null references channels (id),
  urgency smallint not null,
  account_id uuid not null,
  -- When something of it may be due, or sooner; after a turn the moment of that.
  ready_at timestamptz,
  primary key (channel_id, urgency, account_id)
) with (fillfactor = 50);
create index channel_turns_ready on channel_turns (channel_id, urgency, ready_at) where ready_at is not null;

-- Whoever plans something only adds a line here, so that nobody waits for a channel's row; whoever takes reads them first.
create table channel_bells (
  id bigint generated always as identity primary key,
  channel_id uuid not null,
  lane text not null,
  -- Null with the account: the channel has changed, or, with `at` infinite, a question to it has ended.
  urgency smallint,
  account_id uuid,
  at timestamptz not null
);

alter table subjects
  add column urgency smallint not null default 3,
  -- The account in whose turn it is asked; nobody's until it is planned next.
  add column dealt_to uuid not null default '00000000-0000-0000-0000-000000000000',
  -- How many requests the last look took.
  add column requests smallint not null default 1,
  -- Of the last answer, where the line gives one.
  add column etag text;
create index subjects_due_in_turn on subjects (credential_id, urgency, dealt_to, next_look_at)
  where next_look_at is not null;

alter table asked_numbers
  add column urgency smallint not null default 3,
  add column dealt_to uuid not null default '00000000-0000-0000-0000-000000000000';
create index asked_numbers_due_in_turn on asked_numbers (channel_id, urgency, dealt_to, next_ask_at);

-- The names in full: a rebuild has tables of these names in a schema that it looks in first.
create function ring_for_subjects() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into public.channel_bells (channel_id, lane, urgency, account_id, at)
    select credential_id, 'looks', urgency, dealt_to, min(next_look_at)
      from new_rows where next_look_at is not null group by credential_id, urgency, dealt_to;
  else
    insert into public.channel_bells (channel_id, lane, urgency, account_id, at)
    select n.credential_id, 'looks', n.urgency, n.dealt_to, min(n.next_look_at)
      from new_rows n join old_rows o on o.id = n.id
     where n.next_look_at is not null
       and (o.next_look_at is null or n.next_look_at < o.next_look_at or (n.urgency, n.dealt_to) <> (o.urgency, o.dealt_to)
            or (n.lease_token is null and o.lease_token is not null and n.next_look_at < o.leased_until))
     group by n.credential_id, n.urgency, n.dealt_to
     union all
    select distinct n.credential_id, 'looks', null::smallint, null::uuid, 'infinity'::timestamptz
      from new_rows n join old_rows o on o.id = n.id
     where n.lease_token is null and o.lease_token is not null;
  end if;
  return null;
end $$;
create trigger subjects_ring_new after insert on subjects
  referencing new table as new_rows for each statement execute function ring_for_subjects();
create trigger subjects_ring after update on subjects
  referencing new table as new_rows old table as old_rows for each statement execute function ring_for_subjects();

create function ring_for_asked_numbers() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into public.channel_bells (channel_id, lane, urgency, account_id, at)
    select channel_id, 'askings', urgency, dealt_to, min(next_ask_at)
      from new_rows group by channel_id, urgency, dealt_to;
  elsif tg_op = 'DELETE' then
    insert into public.channel_bells (channel_id, lane, at)
    select distinct channel_id, 'askings', 'infinity'::timestamptz from old_rows where lease_token is not null;
  else
    insert into public.channel_bells (channel_id, lane, urgency, account_id, at)
    select n.channel_id, 'askings', n.urgency, n.dealt_to, min(n.next_ask_at)
      from new_rows n join old_rows o on o.channel_id = n.channel_id and o.kind = n.kind and o.number = n.number
     where n.next_ask_at < o.next_ask_at or (n.urgency, n.dealt_to) <> (o.urgency, o.dealt_to)
        or (n.lease_token is null and o.lease_token is not null and n.next_ask_at < o.leased_until)
     group by n.channel_id, n.urgency, n.dealt_to
     union all
    select distinct n.channel_id, 'askings', null::smallint, null::uuid, 'infinity'::timestamptz
      from new_rows n join old_rows o on o.channel_id = n.channel_id and o.kind = n.kind and o.number = n.number
     where n.lease_token is null and o.lease_token is not null;
  end if;
  return null;
end $$;
create trigger asked_numbers_ring_new after insert on asked_numbers
  referencing new table as new_rows for each statement execute function ring_for_asked_numbers();
create trigger asked_numbers_ring after update on asked_numbers
  referencing new table as new_rows old table as old_rows for each statement execute function ring_for_asked_numbers();
create trigger asked_numbers_ring_gone after delete on asked_numbers
  referencing old table as old_rows for each statement execute function ring_for_asked_numbers();

-- How it is asked, or until when it is left alone, has changed.
create function ring_for_channel() returns trigger language plpgsql as $$
begin
  insert into public.channel_bells (channel_id, lane, at)
  values (new.id, case when new.is_asked then 'looks' else 'askings' end, '-infinity');
  return null;
end $$;
create trigger channels_ring after update of next_slot_at, left_alone_until, refusals, is_enabled, profile, asking on channels
  for each row execute function ring_for_channel();

-- What is planned already.
insert into channel_bells (channel_id, lane, urgency, account_id, at)
select credential_id, 'looks', urgency, dealt_to, min(next_look_at)
  from subjects where next_look_at is not null group by credential_id, urgency, dealt_to
union all
select channel_id, 'askings', urgency, dealt_to, min(next_ask_at) from asked_numbers group by channel_id, urgency, dealt_to;
