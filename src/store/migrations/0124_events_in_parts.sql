-- Events lie in parts of their ordinals: the order of writing, which an event has from the first and keeps. When a month
-- begins, the ordinals jump to the next part, which was made before. So a part has what was written in one month, whatever
-- time an event tells; no row ever moves, none is without a part, and parts are read one after the other. The part before
-- all others is the table as it was (`events_before`). The keys of the parts have no ordinal in them: that no event has an
-- id or a number twice, in one part or in two, is held by who writes and who numbers them, under locks.
create table event_parts (
  starts bigint primary key,
  name text not null unique,
  -- The start of the part before. What was written after this part was opened, or numbered then, lies from there on: a
  -- transaction that was under way may write to the part before.
  reads_from bigint not null,
  made_at timestamptz not null,
  -- Null: made ahead.
  opened_at timestamptz
);
-- The newest number of each account when a part was opened. The part, and those after it, have only later ones.
create table event_part_marks (
  account_id uuid not null,
  starts bigint not null,
  sequence bigint not null,
  primary key (account_id, starts)
);
-- Up to which number events are no longer kept, by account, and when that one was made. No row: all are kept.
create table events_gone (
  account_id uuid primary key,
  sequence bigint not null,
  last_at timestamptz not null
);

drop trigger told_arrival_numbered on events;
drop trigger told_arrival_inserted on events;
alter table events rename to events_before;
alter table events_before rename constraint events_pkey to events_before_pkey;
alter table events_before rename constraint events_account_id_fkey to events_before_account_id_fkey;
alter index events_by_time rename to events_before_by_time;
alter index events_in_sequence rename to events_before_in_sequence;
alter index events_of_request rename to events_before_of_request;
alter index events_of_shipment rename to events_before_of_shipment;
alter index events_unnumbered rename to events_before_unnumbered;

do $$
declare
  next constant bigint := (select case when is_called then last_value + 1 else last_value end from events_ordinal_seq);
begin
  alter table events_before alter ordinal drop identity;
  create table events (
    like events_before including defaults including constraints,
    foreign key (account_id) references accounts (id)
  ) partition by range (ordinal);
  alter table events alter ordinal add generated always as identity;
  if next > 1 then
    perform setval('events_ordinal_seq', next - 1);
  end if;
end $$;
create index events_by_time on events using brin (created_at);
create index events_of_request on events (account_id, tracking_request_id, sequence)
  where sequence is not null and tracking_request_id is not null;
create index events_of_shipment on events (account_id, shipment_id, sequence)
  where sequence is not null and shipment_id is not null;
create index events_unnumbered on events (ordinal) where sequence is null;

-- The room of a part: 9,000 parts until a number of JavaScript is too small.
create function event_part_width() returns bigint language sql immutable return 1000000000000;

insert into event_parts (starts, name, reads_from, made_at, opened_at) values (0, 'events_before', 0, now(), now());
-- Where there are rows, they are not read now: it is the default partition until a worker has checked what holds anyway.
do $$
begin
  if exists (select from events_before) then
    execute format('alter table events_before add constraint until_parts check (ordinal < %s) not valid', event_part_width());
    alter table events attach partition events_before default;
  else
    execute format('alter table events attach partition events_before for values from (minvalue) to (%s)', event_part_width());
  end if;
end $$;

-- Bounds of ordinals, for those who look for events. Where they may be called often, they have no settings of their own: with
-- them, each call took 27 microseconds.
grant select on event_parts to public;

-- Where to begin looking for events of an account with numbers after this one.
create function events_from(account uuid, after bigint) returns bigint
language plpgsql stable as $$
begin
  return coalesce((
    select p.reads_from from public.event_parts p
     where p.opened_at is not null
       and not exists (select from public.event_part_marks m
                        where m.account_id = account and m.starts = p.starts and m.sequence > after)
     order by p.starts desc limit 1), 0);
end $$;

-- Where to stop: numbers up to this one lie before.
create function events_until(account uuid, upto bigint) returns bigint
language plpgsql stable as $$
begin
  return coalesce((
    select m.starts from public.event_part_marks m where m.account_id = account and m.sequence >= upto
     order by m.starts limit 1), 9007199254740991);
end $$;

-- Where to begin looking for what was written after a moment of the account's clock. The sandbox has a clock of its own.
create function events_since(account uuid, at timestamptz) returns bigint
language plpgsql stable as $$
begin
  if (select a.is_fiction from public.accounts a where a.id = account) then
    return 0;
  end if;
  return coalesce((select p.reads_from from public.event_parts p where p.opened_at <= at order by p.starts desc limit 1), 0);
end $$;

-- Nothing is told of a shipment before it is there.
create function events_of_shipment_from(account uuid, shipment uuid) returns bigint
language plpgsql stable as $$
begin
  return public.events_since(account, coalesce(
    (select s.created_at from public.shipments s where s.account_id = account and s.id = shipment), '-infinity'));
end $$;

-- Unnumbered events lie from there on: no part is opened while some lie before.
create function events_unnumbered_from() returns bigint
language plpgsql stable as $$
begin
  return coalesce((select p.reads_from from public.event_parts p where p.opened_at is not null
                    order by p.starts desc limit 1), 0);
end $$;

-- `ends_at` of the part that is written to is null.
create or replace function time_parts(whole text) returns table (name text, starts_at timestamptz, ends_at timestamptz)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select c.relname::text,
         coalesce((regexp_match(b.bound, 'FROM \(''([^'']+)''\)'))[1]::timestamptz, '-infinity'),
         (regexp_match(b.bound, 'TO \(''([^'']+)''\)'))[1]::timestamptz
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
   cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
   where i.inhparent = to_regclass(format('public.%I', whole)) and whole <> 'events'
   union all
  select p.name, p.opened_at, lead(p.opened_at) over (order by p.starts)
    from public.event_parts p where whole = 'events' and p.opened_at is not null
$$;

-- The two steps that make a part of what there was: its check, which reads it while others read and write, and the exchange,
-- which takes milliseconds. Returns the name of the step; null when nothing is left to do.
create function cut_event_parts() returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '300ms' as $$
declare
  is_checked boolean;
begin
  perform pg_advisory_xact_lock(7116100113);
  select k.convalidated into is_checked
    from pg_constraint k where k.conrelid = to_regclass('public.events_before') and k.conname = 'until_parts';
  if not found then
    return null;
  end if;
  if not is_checked then
    alter table public.events_before validate constraint until_parts;
    return 'checked';
  end if;
  lock table public.accounts in share row exclusive mode;
  lock table public.events in access exclusive mode;
  alter table public.events detach partition public.events_before;
  -- The constraint spares PostgreSQL reading the rows.
  execute format('alter table public.events attach partition public.events_before for values from (minvalue) to (%s)',
                 public.event_part_width());
  alter table public.events_before drop constraint until_parts;
  return 'cut';
end $$;

-- Makes the next part, unless it is there. Nobody waits for it but whoever changes accounts.
create function make_event_part(at timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '300ms' as $$
declare
  width constant bigint := public.event_part_width();
  last public.event_parts;
  part_start bigint;
  part_name text;
begin
  perform pg_advisory_xact_lock(7116100113);
  select p.* into strict last from public.event_parts p order by p.starts desc limit 1;
  if last.opened_at is null
     or exists (select from pg_partitioned_table p where p.partrelid = 'public.events'::regclass and p.partdefid <> 0) then
    return false;
  end if;
  part_start := last.starts + width;
  part_name := 'events_' || lpad((part_start / width)::text, 4, '0');
  execute format('create table public.%I (like public.%I including defaults including constraints including indexes)',
                 part_name, last.name);
  execute format('alter table public.events attach partition public.%I for values from (%s) to (%s)',
                 part_name, part_start, part_start + width);
  insert into public.event_parts (starts, name, reads_from, made_at) values (part_start, part_name, last.starts, at);
  return true;
end $$;

-- Opens the part that was made ahead, in the first moment of a month in which that is safe. It was made a day ago: no
-- statement is running that does not know it. The one before was opened a day ago, and all before that are numbered: so
-- nothing is written to them any more.
create function open_event_part(at timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '300ms' as $$
declare
  part public.event_parts;
  before public.event_parts;
begin
  perform pg_advisory_xact_lock(7116100113);
  select p.* into part from public.event_parts p where p.opened_at is null;
  select p.* into strict before from public.event_parts p where p.opened_at is not null order by p.starts desc limit 1;
  if part.starts is null
     or date_trunc('month', before.opened_at at time zone 'UTC') >= date_trunc('month', at at time zone 'UTC')
     or greatest(part.made_at, before.opened_at) > at - interval '1 day'
     or (select s.last_value from public.events_ordinal_seq s) < before.starts
     or exists (select from public.events e where e.sequence is null and e.ordinal < before.starts) then
    return false;
  end if;
  update public.event_parts set opened_at = at where starts = part.starts;
  insert into public.event_part_marks (account_id, starts, sequence)
  select c.account_id, part.starts, c.last_sequence from public.event_counters c;
  return true;
end $$;

-- From now on ordinals are of the part that was opened last. It must be a transaction after that which opened it: the jump
-- is seen at once, and not undone with its transaction.
create function enter_event_part() returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '300ms' as $$
declare
  part_start constant bigint := (select max(p.starts) from public.event_parts p where p.opened_at is not null);
begin
  perform pg_advisory_xact_lock(7116100113);
  if (select s.last_value from public.events_ordinal_seq s) >= part_start then
    return false;
  end if;
  perform setval('public.events_ordinal_seq', part_start);
  return true;
end $$;

-- Drops the oldest part, and notes how far the numbers of each account are gone; false when it is not there.
create function drop_event_part(part text) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '300ms' as $$
declare
  dropped public.event_parts;
  next public.event_parts;
begin
  perform pg_advisory_xact_lock(7116100113);
  select p.* into dropped from public.event_parts p where p.name = part;
  if dropped.starts is null then
    return false;
  end if;
  select p.* into next from public.event_parts p where p.starts > dropped.starts and p.opened_at is not null
   order by p.starts limit 1;
  if next.starts is null or exists (select from public.event_parts p where p.starts < dropped.starts) then
    raise exception '% is not the oldest part of events, or is written to', part;
  end if;
  if (select s.last_value from public.events_ordinal_seq s) < next.starts
     or exists (select from public.events e where e.sequence is null and e.ordinal < next.starts) then
    raise exception '% has events without a number', part;
  end if;
  execute format('insert into public.events_gone as g (account_id, sequence, last_at)'
                 ' select c.account_id, e.sequence, e.created_at from public.event_counters c'
                 '  cross join lateral (select l.sequence, l.created_at from public.%I l'
                 '                       where l.account_id = c.account_id and l.sequence is not null'
                 '                       order by l.sequence desc limit 1) e'
                 ' on conflict (account_id) do update set sequence = greatest(g.sequence, excluded.sequence),'
                 '                                       last_at = greatest(g.last_at, excluded.last_at)', part);
  delete from public.event_parts where starts = dropped.starts;
  delete from public.event_part_marks where starts = dropped.starts;
  -- Its rows refer to accounts.
  lock table public.accounts in share row exclusive mode;
  lock table public.events in access exclusive mode;
  execute format('drop table public.%I', part);
  return true;
end $$;

revoke execute on function cut_event_parts(), make_event_part(timestamptz), open_event_part(timestamptz),
  enter_event_part(), drop_event_part(text) from public;

-- As before (0099), in the parts that may have events of these shipments. PostgreSQL plans it for these parts each time: beside
-- 60 parts that takes 1.6 ms, and a plan for any 4.6 ms.
create or replace function note_told_arrivals(account uuid, shipments uuid[]) returns void
  language plpgsql as $$
declare
  low constant bigint := events_since(account, (
    select min(coalesce(s.created_at, '-infinity')) from unnest(shipments) as k (id)
      left join shipments s on s.account_id = account and s.id = k.id));
begin
  delete from told_moves where account_id = account and shipment_id = any(shipments);
  delete from told_ships where account_id = account and shipment_id = any(shipments);
  with told as (
    select e.shipment_id, coalesce(e.payload ->> 'location_locode', '') as locode, e.sequence, e.created_at,
           (e.payload ->> 'estimated_timestamp')::timestamptz as eta
      from events e
     where e.account_id = account and e.shipment_id = any(shipments) and e.sequence is not null and e.ordinal >= low
       and e.name = 'shipment.estimated.arrival'
  ), steps as (
    select shipment_id, locode, lead(created_at) over w as next_at,
           coalesce(eta, first_value(eta) over w) as eta,
           last_value(eta) over (w rows between unbounded preceding and unbounded following) as last_eta
      from told window w as (partition by shipment_id, locode order by sequence)
  )
  insert into told_moves (account_id, shipment_id, locode, moved_at)
  select account, shipment_id, locode, max(next_at) from steps
   where eta <= last_eta - interval '1 day' and next_at is not null group by shipment_id, locode
  on conflict (account_id, shipment_id, locode) do update set moved_at = excluded.moved_at;
  insert into told_ships (account_id, shipment_id, told_at)
  select account, shipment_id, told_at from (
    select e.shipment_id, max(e.created_at) as told_at,
           (array_agg(e.payload ->> 'vessel_imo' order by e.sequence) filter (where e.payload ->> 'vessel_imo' is not null))[1] as first_imo,
           (array_agg(e.payload ->> 'vessel_imo' order by e.sequence desc) filter (where e.payload ->> 'vessel_imo' is not null))[1] as imo,
           (array_agg(e.payload ->> 'voyage_number' order by e.sequence) filter (where e.payload ->> 'voyage_number' is not null))[1] as first_voyage,
           (array_agg(e.payload ->> 'voyage_number' order by e.sequence desc) filter (where e.payload ->> 'voyage_number' is not null))[1] as voyage
      from events e
     where e.account_id = account and e.shipment_id = any(shipments) and e.sequence is not null and e.ordinal >= low
       and e.name = 'shipment.estimated.arrival'
     group by e.shipment_id) t
   where first_imo <> imo or first_voyage <> voyage
  on conflict (account_id, shipment_id) do update set told_at = excluded.told_at;
end $$;
create trigger told_arrival_numbered after update of sequence on events for each row
  when (new.sequence is not null and old.sequence is null and new.shipment_id is not null
        and new.name = 'shipment.estimated.arrival')
  execute function note_told_arrival();
create trigger told_arrival_inserted after insert on events for each row
  when (new.sequence is not null and new.shipment_id is not null and new.name = 'shipment.estimated.arrival')
  execute function note_told_arrival();
