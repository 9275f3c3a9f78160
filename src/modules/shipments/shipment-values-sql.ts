/** The values of a shipment, a row `s`, on which the filters of the v2 API make demands. */

import { customerNameSql } from '../../db/listing/customer-name.ts'
import type { FilterableValue, FilterableValues } from '../../db/listing/demands.ts'
import type { SortValues } from '../../db/listing/sorted-listing.ts'
import { shipmentStatuses } from '../../domain/view/shipment-status.ts'
import { userOf } from '../audit/author-sql.ts'
import { hasSameCargoSql, isRepeatedShipmentSql, isSameCargoSql } from './same-cargo-sql.ts'

const callTimeSql = (name: 'portOfDischarge' | 'destination', time: 'eta' | 'ata'): string =>
  `moment_of(s.projection #> '{${name},${time}}', s.projection #>> '{${name},place,timeZone}')`
const atPod = 'arrives_at(s.projection)'
const atEnd = `coalesce(${callTimeSql('destination', 'ata')}, ${callTimeSql('destination', 'eta')})`
const isOnDaySql = (moment: string): string => `(${moment} at time zone 'UTC')::date = $today`

/** SQL: an array of the ids of the people who requested the tracking of a shipment. */
export const ownersSql = (account: string, shipment: string): string => {
  const user = userOf({ account: 't.account_id', target: 't.id', action: 'tracking_request.created' })
  return `array(select ${user}::text from tracking_requests t where t.account_id = ${account} and t.shipment_id = ${shipment})`
}

const isArrivalSql = `e.account_id = $1 and e.name = 'shipment.estimated.arrival' and e.sequence is not null`
/** SQL: ids of shipments whose arrival was published at this time or later, and was not published for the first time. */
export const republishedEtaSql = (since: string): string =>
  `select e.shipment_id from events e
    where ${isArrivalSql} and e.created_at >= ${since}
      and exists (select from events b where b.account_id = e.account_id and b.shipment_id = e.shipment_id and b.name = e.name
                     and b.sequence < e.sequence and b.payload ->> 'location_locode' is not distinct from e.payload ->> 'location_locode')`
const podZone = `coalesce(s.projection #>> '{portOfDischarge,place,timeZone}', 'UTC')`
const dayChanged = `exists (
  select from (
    select e.created_at, day, lag(day) over (order by e.sequence) as before
      from events e, lateral (select ((e.payload ->> 'estimated_timestamp')::timestamptz at time zone ${podZone})::date as day) d
     where ${isArrivalSql} and e.shipment_id = s.id and e.payload ->> 'location_locode' is not distinct from s.pod) as published
   where before <> day and created_at >= $from and created_at < $to)`

const hasRoleSql = (condition = 'true'): string =>
  `exists (select from party_roles r where r.account_id = s.account_id and r.record_id = s.id and ${condition})`
const hasCustomer = `(s.customer_id is not null or ${hasRoleSql(`r.role = 'customer'`)})`
/** A party in any role. */
const ofParty = {
  kind: 'ids',
  isAny: true,
  sql: `(s.customer_id = any($given) or ${hasRoleSql('r.party_id = any($given)')})`,
  present: `(s.customer_id is not null or ${hasRoleSql()})`,
} as const satisfies FilterableValue

export const shipmentValues = {
  q: {
    kind: 'prefixes',
    sql: `(starts_with(upper(s.bill_of_lading_number), $text) or starts_with(upper(s.normalized_number), $text)
        or exists (select from unnest(s.ref_numbers) as r(number) where starts_with(upper(r.number), $text))
        or exists (select from containers k where k.account_id = s.account_id and k.shipment_id = s.id and starts_with(k.number, $text)))`,
  },
  created_at: { kind: 'moments', sql: 's.created_at' },
  actively_tracked: {
    kind: 'flag',
    ifTrue: 's.tracking_stopped_at is null',
    ifFalse: 's.tracking_stopped_at is not null',
  },
  same_cargo_as: { kind: 'ids', sql: isSameCargoSql('s', '$given'), present: hasSameCargoSql('s') },
  each_cargo_once: {
    kind: 'flag',
    ifTrue: `not ${isRepeatedShipmentSql('s')}`,
    ifFalse: isRepeatedShipmentSql('s'),
  },
  voyage_status: {
    kind: 'codes',
    sql: `case when s.projection #>> '{portOfDischarge,ata,kind}' is not null then 'arrived'
               when s.projection ->> 'podVoyage' is not null then 'on_ship' end`,
  },
  arriving_today: { kind: 'selector', ifTrue: `(${isOnDaySql(atPod)} or ${isOnDaySql(atEnd)})` },
  pod_ata_at: { kind: 'momentDays', sql: callTimeSql('portOfDischarge', 'ata') },
  pod_arrival: { kind: 'momentDays', sql: atPod },
  pod_code: { kind: 'codes', sql: 's.pod' },
  pol_code: { kind: 'codes', sql: 's.pol' },
  pod_terminal_id: {
    kind: 'codes',
    sql: `array(select c.terminal_id from containers c where c.account_id = s.account_id and c.shipment_id = s.id)`,
    isArray: true,
  },
  pod_eta_changed_at: {
    kind: 'window',
    sql: `(s.tracking_stopped_at is null and s.projection #>> '{portOfDischarge,ata,kind}' is null and s.eta_at <> 'infinity'
           and s.id in (${republishedEtaSql('$from')}) and ${dayChanged})`,
  },
  owner_id: { kind: 'codes', sql: ownersSql('s.account_id', 's.id'), isArray: true },
  product: { kind: 'unanswerable', because: 'Landfall does not read goods from documents' },
  creator_id: { kind: 'names', sql: 's.account_id::text' },
  customer_id: {
    kind: 'ids',
    sql: `(s.customer_id = any($given) or ${hasRoleSql(`r.role = 'customer' and r.party_id = any($given)`)}
           or s.account_id = any($given) and not ${hasCustomer})`,
    present: hasCustomer,
  },
  party_id: ofParty,
  // Its parameter is `filter[party_id][value]`.
  'party_id][value': ofParty,
} as const satisfies FilterableValues

/** What the list can be sorted by besides its indexed orders, by the names of the v2 API. */
export const shipmentSortKeys: SortValues = {
  created_at: shipmentValues.created_at,
  updated_at: { sql: 's.updated_at' },
  pod_arrival: shipmentValues.pod_arrival,
  tracking_stopped_at: { sql: 's.tracking_stopped_at' },
  bill_of_lading_number: { sql: 's.bill_of_lading_number' },
  status: { sql: `array_position('{${shipmentStatuses.join()}}', s.status)` },
  shipping_line_scac: { sql: 's.scac' },
  customer_name: { sql: customerNameSql('s') },
  ref_numbers: { sql: 's.ref_numbers[1]' },
  pol: { sql: `s.projection #>> '{portOfLoading,place,name}'` },
  pod: { sql: `s.projection #>> '{portOfDischarge,place,name}'` },
  vessel_name: { sql: `s.projection #>> '{podVessel,name}'` },
}
