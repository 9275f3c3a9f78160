/**
 * Shipments of one cargo: one is tracked by its booking, the other by the only bill of that booking, as their carrier
 * states. Both keep their ids and their numbers (docs/decisions/0006); lists for people show the one of the bill.
 */

/** Never null: an unknown would not end an `and`, and the search for bills would run for each row. */
const isTrackedByBooking = (booking: string): string =>
  `coalesce(upper(${booking}.projection ->> 'bookingNumber') = upper(${booking}.bill_of_lading_number), false)`
const isOther = (a: string, b: string): string =>
  `${b}.account_id = $1 and ${b}.scac = ${a}.scac and ${b}.id <> ${a}.id`

/** SQL: ids of shipments of the account `$1`, each tracked by the only bill of the booking; `booking` is a row of shipments. */
const billsOfSql = (booking: string): string =>
  `(select bill.id from shipments bill where ${isOther(booking, 'bill')}
      and upper(bill.projection ->> 'bookingNumber') = upper(${booking}.bill_of_lading_number)
      and not exists (select from shipments split where ${isOther('bill', 'split')} and split.id <> ${booking}.id
                         and upper(split.projection ->> 'bookingNumber') = upper(${booking}.bill_of_lading_number))
    union all
    select bill.id from shipments bill where ${isOther(booking, 'bill')} and bill.projection ->> 'bookingNumber' is null
       and bill.normalized_number = upper(${booking}.projection ->> 'billOfLadingNumber'))`

/** SQL: whether the cargo of the shipment `alias` is tracked by its bill, too. */
export const isRepeatedShipmentSql = (alias: string): string =>
  `(${isTrackedByBooking(alias)} and exists ${billsOfSql(alias)})`

/** SQL: whether the container `alias` is in a shipment of the same cargo that is tracked by its bill, too. */
export const isRepeatedContainerSql = (alias: string): string =>
  `exists (select from shipments booking join containers twin on twin.account_id = $1 and twin.number = ${alias}.number
            where booking.account_id = $1 and booking.id = ${alias}.shipment_id and ${isTrackedByBooking('booking')}
              and twin.shipment_id in ${billsOfSql('booking')})`

/** SQL: whether the shipment `alias` is of the same cargo as one of the ids in `given`. */
export const isSameCargoSql = (alias: string, given: string): string =>
  `(${isTrackedByBooking(alias)} and exists (select from ${billsOfSql(alias)} of where of.id = any(${given}))
    or exists (select from shipments booking where booking.account_id = $1 and booking.id = any(${given})
                  and ${isTrackedByBooking('booking')} and ${alias}.id in ${billsOfSql('booking')}))`

/** SQL: whether the shipment `alias` has another one of the same cargo. */
export const hasSameCargoSql = (alias: string): string =>
  `(${isRepeatedShipmentSql(alias)} or exists (
      select from shipments booking where ${isOther(alias, 'booking')} and ${isTrackedByBooking('booking')}
         and (upper(booking.projection ->> 'bookingNumber') = upper(${alias}.projection ->> 'bookingNumber')
              or upper(booking.projection ->> 'billOfLadingNumber') = ${alias}.normalized_number)
         and ${alias}.id in ${billsOfSql('booking')}))`
