-- A shipment is found by the bill and the booking that its carrier names, too; one that is tracked by its booking also by
-- the bills that name this booking.
create function search_put_shipment(found public.shipments) returns void language plpgsql as $$
begin
  perform search_put(found.account_id, 'shipment', found.id,
                     array[found.bill_of_lading_number, found.normalized_number,
                           found.projection ->> 'billOfLadingNumber', found.projection ->> 'bookingNumber']
                     || found.ref_numbers
                     || array(select b.bill_of_lading_number from public.shipments b
                               where b.account_id = found.account_id and b.scac = found.scac and b.id <> found.id
                                 and upper(b.projection ->> 'bookingNumber') = upper(found.bill_of_lading_number)
                               order by b.created_at limit 20),
                     found.created_at);
end $$;

create or replace function search_shipment() returns trigger language plpgsql as $$
begin
  perform search_put_shipment(new);
  perform search_put_shipment(s) from public.shipments s
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
  perform search_put_shipment(s) from public.shipments s
    where upper(s.projection ->> 'billOfLadingNumber') not in (upper(s.bill_of_lading_number), s.normalized_number)
       or s.projection ->> 'bookingNumber' is not null;
end $$;
