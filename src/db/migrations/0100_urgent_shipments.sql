-- The day by which somebody has to act on the first of a shipment's boxes, so that a list of shipments can be in that
-- order too. Infinity: all its boxes are out or returned. A day far ahead: nobody has to, as far as is known.
alter table shipments add column acts_on date not null default '2199-12-31';

create or replace function gather_boxes(account uuid, shipment uuid) returns void
  language plpgsql as $$
begin
  -- Named in full: a rebuild has tables of these names in a schema that it looks in first.
  update public.shipments s set container_ids = k.ids, container_statuses = k.statuses, acts_on = k.acts_on
    from (select coalesce(array_agg(c.id order by c.number, c.trip), '{}') as ids,
                 coalesce(array_agg(c.status order by c.number, c.trip), '{}') as statuses,
                 coalesce(min(c.acts_on), '2199-12-31') as acts_on
            from public.containers c where c.account_id = account and c.shipment_id = shipment) k
   where s.account_id = account and s.id = shipment
     and (s.container_ids, s.container_statuses, s.acts_on) is distinct from (k.ids, k.statuses, k.acts_on);
end $$;

drop trigger containers_moved on containers;
create trigger containers_moved after update on containers for each row
  when (old.status is distinct from new.status or old.acts_on is distinct from new.acts_on)
  execute function container_gathered();

update shipments s set acts_on = k.acts_on
  from (select account_id, shipment_id, min(acts_on) as acts_on from containers group by account_id, shipment_id) k
 where s.account_id = k.account_id and s.id = k.shipment_id and s.acts_on <> k.acts_on;
create index shipments_by_urgency on shipments (account_id, acts_on desc, id);
