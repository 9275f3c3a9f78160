-- One row for each tag and each reference number of a shipment, container or request, in the order of its list: a list by
-- a tag reads as many rows as it shows, however many have the tag. An index of values (GIN) has no order: all rows that
-- have the tag are gathered and sorted before the first is shown. The indexes of values stay for the version before,
-- which reads them, and for what is not labelled yet.
create table labels (
  account_id uuid not null,
  -- Of the shipment, container or request.
  id uuid not null,
  -- Whose it is (s: shipment, c: container, q: request), what it is (t: tag, r: reference), then its beginning. Containers
  -- have the tags of their shipment.
  term text collate "C" not null,
  -- What the list is sorted by when nobody says otherwise: `updated_at` of containers, `created_at` of the others.
  at timestamptz not null,
  primary key (account_id, id, term)
);
create index labels_in_order on labels (account_id, term, at desc, id);
-- How many rows a tag has is not the same in every account.
create statistics labels_by_account (mcv) on account_id, term from labels;

-- Longer values have the same term where they begin alike; lists compare those whole.
create function labels_of(owner text, tags text[], refs text[]) returns text[]
  language sql immutable parallel safe as $$
  select array(select owner || 't' || left(tag, 100) from unnest(tags) as tag where tag is not null
               union
               select owner || 'r' || left(upper(ref), 100) from unnest(refs) as ref where ref is not null)
$$;

-- Tables are named in full: a rebuild has tables of these names in a schema that it looks in first.
create function put_labels(account uuid, of_id uuid, terms text[], listed_at timestamptz) returns void
  language plpgsql as $$
begin
  delete from public.labels l where l.account_id = account and l.id = of_id and l.term <> all(terms);
  insert into public.labels as l (account_id, id, term, at)
  select account, of_id, term, listed_at from unnest(terms) as term
  on conflict (account_id, id, term) do update set at = excluded.at where l.at <> excluded.at;
end $$;

create function label_shipment() returns trigger language plpgsql as $$
begin
  perform public.put_labels(new.account_id, new.id, public.labels_of('s', new.tags, new.ref_numbers), new.created_at);
  if tg_op = 'UPDATE' and old.tags is distinct from new.tags then
    -- Whoever moves one of its boxes meanwhile is waited for.
    perform public.put_labels(c.account_id, c.id, public.labels_of('c', new.tags, c.ref_numbers), c.updated_at)
       from (select account_id, id, ref_numbers, updated_at from public.containers
              where account_id = new.account_id and shipment_id = new.id order by id for share) c;
  end if;
  return null;
end $$;
create function label_container() returns trigger language plpgsql as $$
declare
  shipment_tags text[];
begin
  -- Whoever changes the tags meanwhile is waited for.
  select s.tags into shipment_tags from public.shipments s
   where s.account_id = new.account_id and s.id = new.shipment_id for share;
  if tg_op = 'INSERT' and shipment_tags = '{}' and new.ref_numbers = '{}' then return null; end if;
  perform public.put_labels(new.account_id, new.id, public.labels_of('c', shipment_tags, new.ref_numbers), new.updated_at);
  return null;
end $$;
create function move_labels() returns trigger language plpgsql as $$
begin
  update public.labels l set at = new.updated_at
   where l.account_id = new.account_id and l.id = new.id and l.at <> new.updated_at;
  return null;
end $$;
create function label_tracking_request() returns trigger language plpgsql as $$
begin
  perform public.put_labels(new.account_id, new.id, public.labels_of('q', new.shipment_tags, new.ref_numbers), new.created_at);
  return null;
end $$;
create function unlabel() returns trigger language plpgsql as $$
begin
  delete from public.labels l where l.account_id = old.account_id and l.id = old.id;
  return null;
end $$;

-- Writers wait until all of them are there: what is written after that has its labels.
create trigger shipments_labelled after insert on shipments for each row
  when (new.tags <> '{}' or new.ref_numbers <> '{}') execute function label_shipment();
create trigger shipments_labelled_anew after update on shipments for each row
  when (old.tags is distinct from new.tags or old.ref_numbers is distinct from new.ref_numbers
        or old.created_at is distinct from new.created_at) execute function label_shipment();
create trigger shipments_unlabelled after delete on shipments for each row execute function unlabel();
create trigger containers_labelled after insert on containers for each row execute function label_container();
create trigger containers_labelled_anew after update on containers for each row
  when (old.shipment_id is distinct from new.shipment_id or old.ref_numbers is distinct from new.ref_numbers)
  execute function label_container();
create trigger containers_labels_moved after update on containers for each row
  when (old.updated_at is distinct from new.updated_at) execute function move_labels();
create trigger containers_unlabelled after delete on containers for each row execute function unlabel();
create trigger tracking_requests_labelled after insert on tracking_requests for each row
  when (new.shipment_tags <> '{}' or new.ref_numbers <> '{}') execute function label_tracking_request();
create trigger tracking_requests_labelled_anew after update on tracking_requests for each row
  when (old.shipment_tags is distinct from new.shipment_tags or old.ref_numbers is distinct from new.ref_numbers
        or old.created_at is distinct from new.created_at) execute function label_tracking_request();
create trigger tracking_requests_unlabelled after delete on tracking_requests for each row execute function unlabel();

-- Accounts whose older rows have no labels yet. A worker writes them, some hundred rows at a time, shipments first; until
-- an account has no row here, its lists are read by the indexes of values.
create table unlabelled (
  account_id uuid primary key references accounts (id),
  part text not null default 'shipments' check (part in ('shipments', 'tracking_requests')),
  after_id uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into unlabelled (account_id)
select id from accounts a
 where exists (select from shipments s where s.account_id = a.id)
    or exists (select from tracking_requests t where t.account_id = a.id);
