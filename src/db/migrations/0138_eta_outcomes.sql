-- How good estimates of the arrival at the port of discharge were: a row for each that was told before the ship came.
-- Derived from claims, shipment_etas and the arrival of the shipment (src/domain/scorecards/eta-outcomes.ts).
create table eta_outcomes (
  account_id    uuid not null,
  shipment_id   uuid not null,
  -- first: the carrier's first estimate. line, terminal: their estimates. vessel: from the ship's positions alone.
  -- own: our combined estimate.
  kind          text not null check (kind in ('first', 'line', 'terminal', 'vessel', 'own')),
  source_code   text not null,
  -- When we received or made it, on the journey clock.
  told_at       timestamptz not null,
  scac          text not null,
  -- UN/LOCODE; null when nobody states where the shipment was loaded.
  pol           text,
  pod           text not null,
  -- From told_at to the estimate.
  days_ahead    real not null,
  -- Arrival minus estimate: positive when the ship came later than told.
  error_hours   real not null,
  arrived_at    timestamptz not null,
  -- The kind of source that reported the arrival; null when it is not known.
  arrival_by    text,
  -- Whether the told range held; null for an estimate without a range.
  is_within     boolean,
  -- Against what the same speaker told before; null for its first estimate.
  moved_hours   real,
  primary key (account_id, shipment_id, kind, source_code, told_at)
);

-- Shipments whose rows are to be made again. A worker deletes the row when it has made them.
create table eta_outcomes_due (
  account_id   uuid not null,
  shipment_id  uuid not null,
  primary key (account_id, shipment_id)
);

-- Whatever writes a shipment that has arrived, also a program from before this migration, leaves word here. The update
-- waits for a worker that is about to delete the row: it has read the shipment as it was before.
create function note_etas_due(account uuid, shipment uuid) returns void language sql as $$
  insert into public.eta_outcomes_due (account_id, shipment_id) values (account, shipment)
  on conflict (account_id, shipment_id) do update set account_id = excluded.account_id
$$;

create function note_etas_of_shipment() returns trigger language plpgsql as $$
begin
  perform note_etas_due(new.account_id, new.id);
  return null;
end $$;
create trigger shipments_etas_new after insert on shipments for each row
  when (new.projection #>> '{portOfDischarge,ata}' is not null)
  execute function note_etas_of_shipment();
create trigger shipments_etas after update on shipments for each row
  when (new.projection #>> '{portOfDischarge,ata}' is not null or old.projection #>> '{portOfDischarge,ata}' is not null)
  execute function note_etas_of_shipment();

-- A request that joins a shipment brings the estimates that were told about its number.
create function note_etas_of_request() returns trigger language plpgsql as $$
begin
  perform note_etas_due(new.account_id, new.shipment_id) from public.shipments s
    where s.account_id = new.account_id and s.id = new.shipment_id
      and s.projection #>> '{portOfDischarge,ata}' is not null;
  return null;
end $$;
create trigger tracking_requests_etas after update on tracking_requests for each row
  when (new.shipment_id is not null and old.shipment_id is distinct from new.shipment_id)
  execute function note_etas_of_request();

insert into eta_outcomes_due (account_id, shipment_id)
select account_id, id from shipments where projection #>> '{portOfDischarge,ata}' is not null;

-- Whether the account's figures count in the scorecard of all accounts of the installation.
alter table accounts add column shares_scorecards boolean not null default false;
