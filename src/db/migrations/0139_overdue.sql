-- What should happen next to each container, and until when (`Expectation` of src/domain/view/expectation.ts).
create table container_expectations (
  account_id uuid not null,
  container_id uuid not null,
  -- Null: not decided yet.
  expected jsonb,
  -- Something was stated since it was decided.
  is_asked boolean not null,
  -- When it is looked at again by itself, on the clock of the account's journeys: it is overdue then.
  due_at timestamptz,
  -- Since when it is reported as overdue. Null: it is not.
  overdue_at timestamptz,
  primary key (account_id, container_id),
  foreign key (account_id, container_id) references containers (account_id, id) on delete cascade
);
-- For the worker: what was asked, and what is due next, of all accounts.
create index container_expectations_asked on container_expectations (account_id, container_id) where is_asked;
create index container_expectations_due on container_expectations (due_at) where overdue_at is null and due_at is not null;
-- For the list of what needs attention.
create index container_expectations_overdue on container_expectations (account_id, overdue_at desc, container_id)
  where overdue_at is not null;

-- How long each step took that a container has behind it, from which the usual time of the next container follows.
create table step_times (
  account_id uuid not null,
  container_id uuid not null,
  step text not null,
  -- A container may pass two ports of transshipment.
  ordinal smallint not null,
  scac text not null,
  place text,
  hours real not null,
  ended_at timestamptz not null,
  primary key (account_id, container_id, step, ordinal),
  foreign key (account_id, container_id) references containers (account_id, id) on delete cascade
);
-- The newest of a line are read from the index alone.
create index step_times_newest on step_times (account_id, step, scac, ended_at desc) include (hours, place);

-- Whatever writes the projection of a container leaves word here.
create function note_expectation_of_container() returns trigger language plpgsql as $$
begin
  insert into public.container_expectations (account_id, container_id, is_asked) values (new.account_id, new.id, true)
  on conflict (account_id, container_id) do update set is_asked = true where not container_expectations.is_asked;
  return null;
end $$;
create trigger containers_expected after insert or update of projection on containers
  for each row execute function note_expectation_of_container();

-- Nothing is expected while a shipment is not tracked.
create function note_expectations_of_shipment() returns trigger language plpgsql as $$
begin
  insert into public.container_expectations (account_id, container_id, is_asked)
  select c.account_id, c.id, true from public.containers c
   where c.account_id = new.account_id and c.shipment_id = new.id
   order by c.id
  on conflict (account_id, container_id) do update set is_asked = true;
  return null;
end $$;
create trigger shipments_expected after update of tracking_stopped_at on shipments
  for each row when (old.tracking_stopped_at is distinct from new.tracking_stopped_at)
  execute function note_expectations_of_shipment();

-- Containers that are there already are decided after the upgrade; those that are back tell how long their steps took.
insert into container_expectations (account_id, container_id, is_asked)
select account_id, id, true from containers where status <> 'new';
