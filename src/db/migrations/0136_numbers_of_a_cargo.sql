-- A shipment is found by the bill and the booking that its carrier names, too; one that is tracked by its booking also by
-- the bills that name this booking.
create function search_put_shipment(account uuid, shipment uuid) returns void language plpgsql as $$
begin
  perform search_put(account, 'shipment', s.id,
                     array[s.bill_of_lading_number, s.normalized_number, s.projection ->> 'billOfLadingNumber',
                           s.projection ->> 'bookingNumber'] || s.ref_numbers
                     || array(select b.bill_of_lading_number from public.shipments b
                               where b.account_id = account and b.scac = s.scac and b.id <> s.id
                                 and upper(b.projection ->> 'bookingNumber') = upper(s.bill_of_lading_number)
                               order by b.created_at limit 20),
                     s.created_at)
     from public.shipments s where s.account_id = account and s.id = shipment;
end $$;

create or replace function search_shipment() returns trigger language plpgsql as $$
begin
  perform search_put_shipment(new.account_id, new.id);
  perform search_put_shipment(s.account_id, s.id) from public.shipments s
    where s.account_id = new.account_id and s.scac = new.scac and s.id <> new.id
      and s.normalized_number = upper(new.projection ->> 'bookingNumber');
  return null;
end $$;

drop trigger shipments_searched_anew on shipments;
create trigger shipments_searched_anew after update on shipments for each row
  when (old.bill_of_lading_number is distinct from new.bill_of_lading_number
        or old.normalized_number is distinct from new.normalized_number
        or old.ref_numbers is distinct from new.ref_numbers
        or old.projection ->> 'billOfLadingNumber' is distinct from new.projection ->> 'billOfLadingNumber'
        or old.projection ->> 'bookingNumber' is distinct from new.projection ->> 'bookingNumber')
  execute function search_shipment();

do $$ begin
  perform search_put_shipment(s.account_id, s.id) from public.shipments s
    where upper(s.projection ->> 'billOfLadingNumber') not in (upper(s.bill_of_lading_number), s.normalized_number)
       or s.projection ->> 'bookingNumber' is not null;
end $$;
