-- What users keep about their shipments: parties, custom fields, who changed what; and the index that finds numbers.

create table parties (
  account_id       uuid not null references accounts,
  id               uuid not null,
  company_name     text not null,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  -- {actor: {type, id}, at}, as on every table below and on shipments, containers and tracking requests.
  last_changed_by  jsonb not null,
  primary key (account_id, id)
);
create index parties_newest on parties (account_id, created_at desc, id);

alter table tracking_requests add column customer_id uuid;
alter table tracking_requests add column last_changed_by jsonb;
-- Some custom fields came with the request and wait for its shipment and containers.
alter table tracking_requests add column has_initial_fields boolean not null default false;
alter table shipments add column customer_id uuid;
alter table shipments add column last_changed_by jsonb;
alter table containers add column last_changed_by jsonb;

create table custom_field_definitions (
  account_id       uuid not null references accounts,
  id               uuid not null,
  entity_type      text not null check (entity_type in ('Shipment', 'Container', 'TrackingRequest')),
  api_slug         text not null,
  display_name     text not null,
  description      text,
  data_type        text not null check (data_type in
    ('short_text', 'number', 'date', 'datetime', 'boolean', 'enum', 'enum_multi', 'reference')),
  reference_type   text,
  validation       jsonb,
  default_format   text,
  default_value    jsonb,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  last_changed_by  jsonb not null,
  primary key (account_id, id),
  -- Two at the same moment: this lets one through.
  unique (account_id, entity_type, api_slug)
);
create index custom_field_definitions_newest on custom_field_definitions (account_id, created_at desc, id);

create table custom_field_options (
  account_id     uuid not null,
  id             uuid not null,
  definition_id  uuid not null,
  label          text not null,
  value          text not null,
  position       integer,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  primary key (account_id, id),
  unique (account_id, definition_id, value),
  foreign key (account_id, definition_id) references custom_field_definitions on delete cascade
);

-- Values. The entity is a row that the ledger yields, which a rebuild may write anew: so no foreign key to it.
create table custom_fields (
  account_id       uuid not null,
  id               uuid not null,
  definition_id    uuid not null,
  entity_id        uuid not null,
  value            jsonb not null,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  last_changed_by  jsonb not null,
  primary key (account_id, id),
  unique (account_id, entity_id, definition_id),
  foreign key (account_id, definition_id) references custom_field_definitions on delete cascade
);
create index custom_fields_of_definition on custom_fields (account_id, definition_id, created_at desc, id);
create index custom_fields_newest on custom_fields (account_id, created_at desc, id);

-- Values that came with a tracking request; number null: for its shipment, else for the container of that number.
create table initial_custom_fields (
  account_id           uuid not null,
  -- Becomes the id of the value.
  id                   uuid not null,
  tracking_request_id  uuid not null,
  definition_id        uuid not null,
  number               text,
  value                jsonb not null,
  created_at           timestamptz not null,
  last_changed_by      jsonb not null,
  primary key (account_id, id),
  foreign key (account_id, definition_id) references custom_field_definitions on delete cascade
);
create index initial_custom_fields_of_request on initial_custom_fields (account_id, tracking_request_id);
create index initial_custom_fields_of_definition on initial_custom_fields (account_id, definition_id);

-- Who changed what: written in the transaction of the change, never altered.
create table audit_events (
  account_id   uuid not null references accounts,
  id           uuid not null,
  -- Real clock.
  at           timestamptz not null,
  actor_type   text not null check (actor_type in ('user', 'api_key', 'oauth_client', 'system')),
  -- An OAuth client may be named by a URL.
  actor_id     text,
  action       text not null,
  target_type  text not null,
  target_id    uuid,
  request_id   text not null,
  ip           inet,
  user_agent   text,
  -- {field: [before, after]}; null where an action changes no field.
  diff         jsonb,
  primary key (account_id, id)
);
create index audit_events_newest on audit_events (account_id, at desc, id);
create index audit_events_of_target on audit_events (account_id, target_id, at desc) where target_id is not null;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger audit_events_append_only before update or delete on audit_events
  for each row execute function refuse_change();

-- The index of numbers and references: docs/decisions/0014-search.md says why it is made this way.
-- Without what people type in between the characters of a number, and in capitals.
create function search_tidy(given text) returns text language sql immutable parallel safe as
  $$ select translate(upper(given), E' \t\r\n-./\\_,:;#()', '') $$;

-- What a body is found by, each as a hash that is of this account and kind alone, so that nothing of another account is
-- ever looked through, however large it is: every three and every five neighbouring characters, and each line as a whole.
create function search_grams(account uuid, kind text, body text) returns bigint[]
language plpgsql immutable strict parallel safe as $$
declare
  seed bigint := uuid_hash_extended(account, hashtextextended(kind, 0));
  grams bigint[] := '{}';
  term text;
begin
  -- Line by line, so that a long list of references costs no more than its length.
  foreach term in array string_to_array(trim(both E'\n' from body), E'\n') loop
    term := E'\n' || term || E'\n';
    grams := grams || hashtextextended(term, seed);
    for place in 1 .. length(term) - 2 loop
      grams := grams || hashtextextended(substr(term, place, 3), seed);
    end loop;
    for place in 1 .. length(term) - 4 loop
      grams := grams || hashtextextended(substr(term, place, 5), seed);
    end loop;
  end loop;
  return grams;
end $$;

-- What a body must have to contain this part of one line, which has a line break where it is the beginning or the end.
-- Fives where there are some: few bodies share one, so a long part is found at once.
create function search_part(account uuid, kind text, part text) returns bigint[]
language plpgsql immutable strict parallel safe as $$
declare
  seed bigint := uuid_hash_extended(account, hashtextextended(kind, 0));
  size integer := case when length(part) >= 5 then 5 else 3 end;
  grams bigint[] := '{}';
begin
  if left(part, 1) = E'\n' and right(part, 1) = E'\n' then return array[hashtextextended(part, seed)]; end if;
  for place in 1 .. length(part) - size + 1 loop
    grams := grams || hashtextextended(substr(part, place, size), seed);
  end loop;
  return grams;
end $$;

create table search_entries (
  account_id  uuid not null,
  kind        text not null check (kind in ('shipment', 'container', 'tracking_request')),
  -- Of the shipment, container or request.
  id          uuid not null,
  -- Its numbers and references, each on a line of its own, with a line break before the first and after the last.
  body        text not null,
  created_at  timestamptz not null,
  primary key (account_id, kind, id)
);
create index search_entries_newest on search_entries (account_id, kind, created_at desc, id);

create function search_put(account uuid, of_kind text, of_id uuid, numbers text[], made_at timestamptz)
returns void language plpgsql as $$
begin
  insert into search_entries (account_id, kind, id, body, created_at)
  select account, of_kind, of_id, coalesce(E'\n' || string_agg(distinct term, E'\n') || E'\n', ''), made_at
    from (select search_tidy(n) as term from unnest(numbers) as n) as t where term <> ''
  on conflict (account_id, kind, id) do update set body = excluded.body;
end $$;

-- Triggers, so that whoever writes a number (a projection, a repair, a fill) keeps the index.
create function search_shipment() returns trigger language plpgsql as $$
begin
  perform search_put(new.account_id, 'shipment', new.id,
                     array[new.bill_of_lading_number, new.normalized_number] || new.ref_numbers, new.created_at);
  return null;
end $$;
create function search_container() returns trigger language plpgsql as $$
begin
  perform search_put(new.account_id, 'container', new.id, array[new.number] || new.ref_numbers, new.created_at);
  return null;
end $$;
create function search_tracking_request() returns trigger language plpgsql as $$
begin
  perform search_put(new.account_id, 'tracking_request', new.id,
                     array[new.request_number, new.number] || new.ref_numbers, new.created_at);
  return null;
end $$;
create function search_gone() returns trigger language plpgsql as $$
begin
  delete from search_entries where account_id = old.account_id and kind = tg_argv[0] and id = old.id;
  return null;
end $$;

create trigger shipments_searched after insert on shipments for each row execute function search_shipment();
create trigger shipments_searched_anew after update of bill_of_lading_number, normalized_number, ref_numbers on shipments
  for each row when (old.bill_of_lading_number is distinct from new.bill_of_lading_number
                     or old.normalized_number is distinct from new.normalized_number
                     or old.ref_numbers is distinct from new.ref_numbers)
  execute function search_shipment();
create trigger shipments_search_gone after delete on shipments
  for each row execute function search_gone('shipment');
create trigger containers_searched after insert on containers for each row execute function search_container();
create trigger containers_searched_anew after update of number, ref_numbers on containers
  for each row when (old.number is distinct from new.number or old.ref_numbers is distinct from new.ref_numbers)
  execute function search_container();
create trigger containers_search_gone after delete on containers
  for each row execute function search_gone('container');
create trigger tracking_requests_searched after insert on tracking_requests
  for each row execute function search_tracking_request();
create trigger tracking_requests_searched_anew after update of request_number, number, ref_numbers on tracking_requests
  for each row when (old.request_number is distinct from new.request_number
                     or old.number is distinct from new.number or old.ref_numbers is distinct from new.ref_numbers)
  execute function search_tracking_request();
create trigger tracking_requests_search_gone after delete on tracking_requests
  for each row execute function search_gone('tracking_request');

do $$
begin
  perform search_put(account_id, 'shipment', id, array[bill_of_lading_number, normalized_number] || ref_numbers, created_at) from shipments;
  perform search_put(account_id, 'container', id, array[number] || ref_numbers, created_at) from containers;
  perform search_put(account_id, 'tracking_request', id, array[request_number, number] || ref_numbers, created_at) from tracking_requests;
end $$;

-- Without fastupdate: its list of what is not yet sorted in would be read through by every search.
create index search_entries_grams on search_entries using gin (search_grams(account_id, kind, body))
  with (fastupdate = off);
