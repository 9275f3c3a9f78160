-- What was told last of the charges of each box (`BoxTally` of src/core/charges/tally.ts), so that a change is told once,
-- and sums are made without counting every box anew. docs/decisions/0034.

-- Accounts that have terms or calendars on record. The row is locked by the one worker that tallies for the account.
create table charge_books (
  account_id uuid not null references accounts (id),
  worked_at timestamptz not null,
  -- All boxes are to be tallied anew, those after `sweep_after` still.
  sweep_at timestamptz,
  sweep_after uuid,
  -- Terms are recorded while boxes are written by others: a second sweep finds those that the first could not see.
  sweeps_left smallint not null default 0,
  primary key (account_id)
);

create table charge_tallies (
  account_id uuid not null,
  container_id uuid not null,
  shipment_id uuid not null,
  -- Null: not tallied yet.
  tally jsonb,
  -- Something was said since it was tallied.
  is_asked boolean not null,
  -- When something changes by itself, on the clock of the account's journeys.
  rings_at timestamptz,
  -- When the first charged day of a clock that runs begins; past for a box that costs already.
  costs_from timestamptz,
  primary key (account_id, container_id),
  foreign key (account_id, container_id) references containers (account_id, id) on delete cascade
);
create index charge_tallies_asked on charge_tallies (account_id, container_id) where is_asked;
create index charge_tallies_ringing on charge_tallies (account_id, rings_at) where rings_at is not null;
create index charge_tallies_costing on charge_tallies (account_id, costs_from, container_id) where costs_from is not null;
create index charge_tallies_of_shipment on charge_tallies (account_id, shipment_id);

-- Which issues are about last free days of which box. They are deleted when the days agree.
create table charge_issues (
  account_id uuid not null,
  container_id uuid not null,
  id uuid not null,
  primary key (account_id, container_id, id),
  foreign key (account_id, container_id) references containers (account_id, id) on delete cascade
);

-- Whatever writes a box, also a program from before this migration, leaves word here.
create function note_charges_of_box() returns trigger language plpgsql as $$
begin
  -- Without terms an account pays for no more than this look; comparing projections would cost more.
  if not exists (select from charge_books b where b.account_id = new.account_id) then return null; end if;
  if tg_op = 'UPDATE' and old.projection = new.projection and old.shipment_id = new.shipment_id then return null; end if;
  insert into charge_tallies (account_id, container_id, shipment_id, is_asked)
  values (new.account_id, new.id, new.shipment_id, true)
  on conflict (account_id, container_id) do update set is_asked = true, shipment_id = excluded.shipment_id;
  return null;
end $$;
create trigger containers_charges after insert or update on containers
  for each row execute function note_charges_of_box();

-- Terms may be for a bill, and the bill of a shipment may become known after its boxes.
create function note_charges_of_shipment() returns trigger language plpgsql as $$
begin
  if not exists (select from charge_books b where b.account_id = new.account_id) then return null; end if;
  if old.scac = new.scac and old.projection ->> 'billOfLadingNumber'
     is not distinct from new.projection ->> 'billOfLadingNumber' then return null; end if;
  insert into charge_tallies (account_id, container_id, shipment_id, is_asked)
  select c.account_id, c.id, c.shipment_id, true
    from containers c
   where c.account_id = new.account_id and c.shipment_id = new.id
   order by c.id
  on conflict (account_id, container_id) do update set is_asked = true;
  return null;
end $$;
create trigger shipments_charges after update on shipments
  for each row execute function note_charges_of_shipment();

-- Accounts that have terms already: their boxes are tallied after the upgrade.
insert into charge_books (account_id, worked_at, sweep_at, sweeps_left)
select account_id, now(), now(), 2 from charge_terms
 union
select account_id, now(), now(), 2 from charge_calendars;
