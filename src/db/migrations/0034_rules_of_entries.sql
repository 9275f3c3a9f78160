-- Each entry names the version of the merge rules by which it was folded; null is from before they had versions: 1.
alter table ledger add column rules integer;

-- The version by which the shipment's last entry was folded, or that was found to make no difference of it.
alter table shipments add column rules integer not null default 1;

-- A program of before may still be at work beside newer ones: what it folds is of the first version again.
create function note_older_rules() returns trigger language plpgsql as $$
begin
  update shipments set rules = 1 where account_id = new.account_id and id = new.shipment_id and rules <> 1;
  return null;
end $$;
create trigger ledger_of_older_rules after insert on ledger for each row
  when (new.rules is null and new.shipment_id is not null) execute function note_older_rules();

-- How far each account's history has been brought up to mended readers (`readers`) and merge rules (`rules`).
create table mendings (
  account_id uuid not null references accounts(id) on delete cascade,
  kind text not null check (kind in ('readers', 'rules')),
  -- What it is brought up to. A program of an older version never takes it back.
  version integer not null,
  -- Requests or shipments up to this id are done.
  after_id uuid,
  looked_at integer not null default 0,
  changed integer not null default 0,
  failed integer not null default 0,
  lease_token uuid,
  leased_until timestamptz,
  -- Not gone on with before; whoever waits longest is next.
  not_before timestamptz not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (account_id, kind)
);
create index mendings_open on mendings (not_before) where ended_at is null;
