-- The log of looks lies by days (UTC, of the real clock), so that a day goes as a whole. Its rows of before stay where they
-- are, in a table that nobody writes any more: nothing is read, checked or written anew here, however many they are.
alter table looks rename to looks_before;
alter table looks_before rename constraint looks_pkey to looks_before_pkey;
-- Subjects are never deleted; a key to them would lock them all whenever a day is made or dropped.
alter table looks_before drop constraint looks_subject_id_fkey;
alter index looks_latest rename to looks_before_latest;
alter index looks_of_line rename to looks_before_of_line;

create table day_looks (
  like looks_before including defaults,
  primary key (subject_id, ended_at, id)
) partition by range (ended_at);
create index day_looks_of_line on day_looks (credential_id, ended_at desc) where events_told > events_aside;
-- What no day was made for yet; a look is never lost for want of one.
create table day_looks_default partition of day_looks default;

-- All that stand, under the old name; a program of before that is still at work writes here as well.
create view looks as
  select subject_id, id, started_at, ended_at, duration_ms, outcome, status_code, detail, snapshot_id, is_unchanged,
         attempted_at, credential_id, events_told, events_aside, events_understood, events_lost, unread
    from day_looks
  union all
  select subject_id, id, started_at, ended_at, duration_ms, outcome, status_code, detail, snapshot_id, is_unchanged,
         attempted_at, credential_id, events_told, events_aside, events_understood, events_lost, unread
    from looks_before;
create function insert_look() returns trigger language plpgsql as $$
begin
  insert into public.day_looks
    (subject_id, id, started_at, ended_at, duration_ms, outcome, status_code, detail, snapshot_id, is_unchanged,
     attempted_at, credential_id, events_told, events_aside, events_understood, events_lost, unread)
  values
    (new.subject_id, new.id, new.started_at, new.ended_at, new.duration_ms, new.outcome, new.status_code, new.detail,
     new.snapshot_id, new.is_unchanged, new.attempted_at, new.credential_id, new.events_told, new.events_aside,
     new.events_understood, new.events_lost, new.unread);
  return new;
end $$;
create trigger looks_insert instead of insert on looks for each row execute function insert_look();

-- What is left of looks that have gone: when a subject was asked on that day, on the journey clock, and with what luck.
create table look_days (
  subject_id uuid not null,
  day date not null,
  succeeded_at timestamptz[] not null,
  failed_at timestamptz[] not null,
  primary key (subject_id, day)
);

-- The parts of the log: each day that was made (20261123), and what was there before days were made.
create table look_parts (
  part text primary key check (part ~ '^\d{8}$' or part = 'before'),
  -- The looks of it ended before.
  ends_at timestamptz not null,
  -- The looks of subjects until this one are in `look_days`; of all when it was folded.
  folded_to uuid not null default '00000000-0000-0000-0000-000000000000',
  folded_at timestamptz,
  dropped_at timestamptz
);
create index look_parts_standing on look_parts (ends_at) where dropped_at is null;
insert into look_parts (part, ends_at)
select 'before', (date_trunc('day', now() at time zone 'UTC') + interval '1 day') at time zone 'UTC'
 where exists (select from looks_before);

-- Whether the answer was one.
create function look_succeeded(outcome text) returns boolean language sql immutable
return outcome not in ('unreachable', 'unrecognized', 'internal_error');

create function merge_instants(ones timestamptz[], others timestamptz[]) returns timestamptz[] language sql immutable
return coalesce((select array_agg(distinct at order by at) from unnest(ones || others) as at), '{}');

-- A look that comes to a day which is being folded, or is folded, is folded with it.
create function fold_late_look() returns trigger language plpgsql as $$
declare
  at constant timestamptz := coalesce(new.attempted_at, new.started_at);
begin
  insert into public.look_days as d (subject_id, day, succeeded_at, failed_at)
  values (new.subject_id, (new.ended_at at time zone 'UTC')::date,
          case when public.look_succeeded(new.outcome) then array[at] else '{}' end,
          case when public.look_succeeded(new.outcome) then '{}' else array[at] end)
  on conflict (subject_id, day) do update
     set succeeded_at = public.merge_instants(d.succeeded_at, excluded.succeeded_at),
         failed_at = public.merge_instants(d.failed_at, excluded.failed_at);
  return null;
end $$;

-- Days are made, closed and dropped by functions that run as their owner (as months of positions, 0020). None of them waits
-- long for a lock, for whoever looks would wait behind it: it fails, and is tried again.
create function make_looks_day(day date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '1s' as $$
declare
  day_start constant timestamptz := day::timestamp at time zone 'UTC';
  day_end constant timestamptz := (day + 1)::timestamp at time zone 'UTC';
  part_name constant text := to_char(day, 'YYYYMMDD');
  name constant text := 'day_looks_' || part_name;
begin
  -- One maker at a time; whoever waited sees the table.
  perform pg_advisory_xact_lock(7116100058);
  if exists (select from pg_class c where c.relname = name and c.relnamespace = 'public'::regnamespace) then
    return;
  end if;
  execute format('create table public.%I (like public.day_looks including defaults including constraints including indexes)',
                 name);
  -- What had gone to the default partition meanwhile moves over; what would go there just now waits.
  lock table public.day_looks_default in access exclusive mode;
  execute format('with moved as (delete from public.day_looks_default'
                 '                where ended_at >= %L and ended_at < %L returning *)'
                 'insert into public.%I select * from moved', day_start, day_end, name);
  execute format('alter table public.day_looks attach partition public.%I for values from (%L) to (%L)',
                 name, day_start, day_end);
  insert into public.look_parts (part, ends_at) values (part_name, day_end)
  on conflict (part) do update
     set folded_to = '00000000-0000-0000-0000-000000000000', folded_at = null, dropped_at = null;
end $$;

-- From now on what comes to the part is folded as it comes; what came before can be seen when this is committed.
create function close_looks_part(which text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '1s' as $$
declare
  name constant text := 'day_looks_' || which;
begin
  if which = 'before' or exists (select from pg_trigger t join pg_class c on c.oid = t.tgrelid
                                  where c.relname = name and c.relnamespace = 'public'::regnamespace and t.tgname = 'late')
  then
    return;
  end if;
  execute format('create trigger late after insert on public.%I for each row execute function public.fold_late_look()', name);
end $$;

-- Only what is folded goes.
create function drop_looks_part(which text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '1s' as $$
begin
  if not exists (select from public.look_parts p where p.part = which and p.folded_at is not null) then
    raise exception 'the looks of % are not folded', which;
  end if;
  if which = 'before' then
    truncate public.looks_before;
  else
    execute format('drop table public.%I', 'day_looks_' || which);
  end if;
end $$;

revoke execute on function make_looks_day(date), close_looks_part(text), drop_looks_part(text) from public;

-- When a line that is asked last told of something, to the minute: its looks of then may have gone.
alter table channels add column heard_at timestamptz;
update channels c
   set heard_at = (select ended_at from looks_before
                    where credential_id = c.id and events_told > events_aside
                    order by ended_at desc limit 1)
 where is_asked;

-- A channel is looked at, or told: never both. So no answer to a look is ever what a message brought.
alter table channels add constraint channels_way_check check (not (is_asked and is_told));
