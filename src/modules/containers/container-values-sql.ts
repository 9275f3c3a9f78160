/** The values of a container, a row `c`, on which the filters of the v2 API make demands. */

import { customerNameSql } from '../../db/listing/customer-name.ts'
import type { FilterableValue, FilterableValues, PlainValue } from '../../db/listing/demands.ts'
import type { SortValues } from '../../db/listing/sorted-listing.ts'
import type { PartyRoleName } from '../../domain/values/party-role.ts'
import { overdueDaysMax, soonMs } from '../../domain/view/attention-reasons.ts'
import type { MilestoneName } from '../../domain/view/projection.ts'
import { statusesInOrder } from '../../domain/view/shipment-status.ts'
import { rampAreas } from '../../reference/ramps.ts'
import { isRepeatedContainerSql } from '../shipments/same-cargo-sql.ts'
import { ownersSql, republishedEtaSql } from '../shipments/shipment-values-sql.ts'

const soonDays = soonMs / 86_400_000

const shipmentColumnSql = (column: string): string =>
  `select ${column} from shipments s where s.account_id = c.account_id and s.id = c.shipment_id`

/** When it happened: the first time, as the API shows it; for what ends the trip the last time. */
const milestoneTimeSql = (name: MilestoneName, order = 'asc'): string =>
  `select moment_of(m -> 'time', m #>> '{place,timeZone}')
     from jsonb_array_elements(c.projection -> 'milestones') with ordinality as e(m, place)
    where m ->> 'kind' = 'actual' and m ->> 'name' = '${name}' order by e.place ${order} limit 1`
const legTimeSql = (
  name: 'portOfLoading' | 'portOfDischarge' | 'destination',
  time: 'atd' | 'eta' | 'ata' | 'etd',
): string => `moment_of(c.projection #> '{${name},${time}}', c.projection #>> '{${name},place,timeZone}')`
const arrived = `coalesce((${milestoneTimeSql('vessel_arrived')}), ${legTimeSql('portOfDischarge', 'ata')})`
const freeDaySql = (source: 'line' | 'terminal' | 'rail'): string =>
  `last_free_day(jsonb_build_object('freeTime', jsonb_build_object('line', c.projection #> '{freeTime,${source}}'), 'pickupTimeZone', c.projection -> 'pickupTimeZone'))`

/** The day by which somebody must act is near, or past, but not so long ago that a report must be missing. */
const requiresAttention = `(c.acts_on <= $today + ${soonDays} and c.acts_on >= $today - ${overdueDaysMax})`
// A terminal has stated something, as in `unknowns` of the list.
const isHoldKnown = `c.projection ->> 'available' is not null`
const isFeeKnown = `coalesce(c.projection #> '{saidBy,fees}', c.projection #> '{saidBy,fee}') is not null`
const hasFees = `c.projection -> 'fees' <> '[]'::jsonb`
/** SQL: no terminal or railway has reported on the container, as in `knownOrNull` of the API. */
export const feesUnknownSql = `not (${hasFees} or ${isFeeKnown}) and c.projection ->> 'available' is null`
const hasHolds = `c.hold_names <> '{}'`
const hasDemurrage = `c.projection -> 'fees' @> '[{"type":"demurrage"}]'::jsonb`

const names = (sql: string): FilterableValue => ({ kind: 'names', sql })
const places = (leg: 'portOfLoading' | 'portOfDischarge' | 'destination', code: string): FilterableValue => ({
  kind: 'places',
  code,
  name: `c.projection #>> '{${leg},place,name}'`,
})
const codes = (sql: string): FilterableValue => ({ kind: 'codes', sql })
const momentDays = (sql: string): PlainValue => ({ kind: 'momentDays', sql })
const days = (sql: string): PlainValue => ({ kind: 'days', sql })
const prefixes = (sql: string): FilterableValue => ({ kind: 'prefixes', sql })
const destinationCode = `c.projection #>> '{destination,place,unlocode}'`
const tracked = `exists (${shipmentColumnSql('1')} and s.tracking_stopped_at is null)`
const inRefs = 'exists (select from unnest(c.ref_numbers) as r(number) where starts_with(upper(r.number), $text))'
const inShipmentNumber = `exists (${shipmentColumnSql('1')} and (starts_with(upper(s.bill_of_lading_number), $text) or starts_with(upper(s.normalized_number), $text)))`
const inShipmentRefs = `exists (${shipmentColumnSql('1')} and exists (select from unnest(s.ref_numbers) as r(number) where starts_with(upper(r.number), $text)))`
const inNumber = 'starts_with(c.number, $text)'

/** A move inland, as `inlandMomentsOf` finds it. */
const inlandTimes = (move: 'loaded' | 'departed' | 'unloaded' | 'outOfEnd'): PlainValue => ({
  kind: 'momentDays',
  cost: 10,
  get sql() {
    return `inland_time(c.projection, '${move}', '${JSON.stringify(rampAreas())}')`
  },
})
/** True of a shipment whose arrival was published again within this time. */
const etaChangedSql = (within: string): string =>
  `c.shipment_id in (${republishedEtaSql(`$now - interval '${within}'`)})`

/** Whose roles count. */
const roleOwners: Readonly<Record<PartyRoleName, 'c.id' | 'c.shipment_id'>> = {
  shipper: 'c.shipment_id',
  consignee: 'c.shipment_id',
  notify_party: 'c.shipment_id',
  customs_broker: 'c.shipment_id',
  customer: 'c.shipment_id',
  freight_forwarder: 'c.shipment_id',
  pickup_dray_carrier: 'c.id',
}

function partyValues(): FilterableValues {
  const rolesSql = (name: PartyRoleName): string =>
    `from party_roles r where r.account_id = c.account_id and r.record_id = ${roleOwners[name]} and r.role = '${name}'`
  // The customer that a tracking request named is in no row of the roles.
  const namedCustomer = `${shipmentColumnSql('s.customer_id')} and s.customer_id is not null`
  const hasCustomer = `(exists (${namedCustomer}) or exists (select ${rolesSql('customer')}))`
  const isCustomer = `(exists (${namedCustomer} and s.customer_id = any($given))
    or exists (select ${rolesSql('customer')} and r.party_id = any($given)))`
  const roleValue = (name: PartyRoleName): FilterableValue => ({
    kind: 'ids',
    isAny: true,
    sql: name === 'customer' ? isCustomer : `exists (select ${rolesSql(name)} and r.party_id = any($given))`,
    present: name === 'customer' ? hasCustomer : `exists (select ${rolesSql(name)})`,
  })
  const names = Object.keys(roleOwners) as readonly PartyRoleName[]
  return {
    customer_id: {
      kind: 'ids',
      sql: `(${isCustomer} or c.account_id = any($given) and not ${hasCustomer})`,
      present: hasCustomer,
    },
    customer_name: {
      kind: 'texts',
      sql: `exists (select from parties p where p.account_id = c.account_id and p.company_name = any($given)
        and p.id = any(array(${namedCustomer} union all select r.party_id ${rolesSql('customer')})))`,
      present: hasCustomer,
    },
    // Their parameters are `filter[parties][shipper]` and so on.
    ...Object.fromEntries(names.map((name) => [`parties][${name}`, roleValue(name)])),
  }
}

export const containerValues = {
  pol: places('portOfLoading', 'c.pol'),
  pod: places('portOfDischarge', 'c.pod'),
  destination: places('destination', destinationCode),
  pol_code: codes('c.pol'),
  pod_code: codes('c.pod'),
  destination_code: names(destinationCode),
  shipping_line_scac: names('c.scac'),
  ...partyValues(),
  vessel_name: names(`c.projection #>> '{podVessel,name}'`),
  voyage_number: names(`c.projection ->> 'podVoyage'`),
  pod_terminal_id: names('c.terminal_id'),
  current_status: names('c.status'),
  has_fees: { kind: 'flag', ifTrue: hasFees, ifFalse: `(not ${hasFees} and ${isFeeKnown})` },
  has_demurrage_fees: { kind: 'flag', ifTrue: hasDemurrage, ifFalse: `(not ${hasDemurrage} and ${isFeeKnown})` },
  has_fees_or_holds: {
    kind: 'flag',
    ifTrue: `(${hasFees} or ${hasHolds})`,
    ifFalse: `(not ${hasFees} and ${isFeeKnown} and not ${hasHolds} and ${isHoldKnown})`,
  },
  requires_attention: { kind: 'flag', ifTrue: requiresAttention, ifFalse: `not ${requiresAttention}` },
  eta_changed_in_last_24h: { kind: 'selector', ifTrue: etaChangedSql('24 hours'), ifFalse: etaChangedSql('24 hours') },
  eta_changed_in_past_3_days: { kind: 'selector', ifTrue: etaChangedSql('3 days'), ifFalse: etaChangedSql('3 days') },
  actively_tracked: { kind: 'flag', ifTrue: tracked, ifFalse: `not ${tracked}` },
  each_cargo_once: {
    kind: 'flag',
    ifTrue: `not ${isRepeatedContainerSql('c')}`,
    ifFalse: isRepeatedContainerSql('c'),
  },
  search_by_owner_id: { kind: 'codes', sql: ownersSql('c.account_id', 'c.shipment_id'), isArray: true },
  search_by_ids: prefixes(`(${inNumber} or ${inRefs} or ${inShipmentNumber} or ${inShipmentRefs})`),
  search_by_number: prefixes(inNumber),
  search_by_ref_numbers: prefixes(inRefs),
  search_by_shipment_number: prefixes(inShipmentNumber),
  search_by_shipment_ref_numbers: prefixes(inShipmentRefs),
  created_at: momentDays('c.created_at'),
  updated_at: momentDays('c.updated_at'),
  delivered_at: momentDays(`moment_of(c.projection -> 'deliveredAt', c.projection ->> 'pickupTimeZone')`),
  empty_out_at: momentDays(milestoneTimeSql('empty_out')),
  pol_full_in_at: momentDays(milestoneTimeSql('full_in')),
  pol_vessel_loaded_at: momentDays(milestoneTimeSql('vessel_loaded')),
  pol_vessel_departed_at: momentDays(
    `coalesce((${milestoneTimeSql('vessel_departed')}), ${legTimeSql('portOfLoading', 'atd')})`,
  ),
  pol_etd_at: momentDays(legTimeSql('portOfLoading', 'etd')),
  pol_atd_at: momentDays(legTimeSql('portOfLoading', 'atd')),
  pod_eta_at: { kind: 'momentDays', sql: 'c.eta_at', hasInfinity: true },
  pod_ata_at: momentDays(legTimeSql('portOfDischarge', 'ata')),
  pod_arrived_at: momentDays(arrived),
  pod_discharged_at: momentDays(milestoneTimeSql('vessel_discharged')),
  arrival: momentDays('arrives_at(c.projection)'),
  inland_destination_eta_at: momentDays(legTimeSql('destination', 'eta')),
  inland_destination_ata_at: momentDays(legTimeSql('destination', 'ata')),
  inland_destination_rail_unloaded_at: inlandTimes('unloaded'),
  pod_rail_departed_at: inlandTimes('departed'),
  final_destination_full_out_at: inlandTimes('outOfEnd'),
  pickup_appointment_at: momentDays(
    `moment_of(c.projection -> 'pickupAppointment', c.projection ->> 'pickupTimeZone')`,
  ),
  picked_up_at: momentDays(milestoneTimeSql('full_out', 'desc')),
  empty_returned_at: momentDays(milestoneTimeSql('empty_in', 'desc')),
  pickup_lfd: { kind: 'days', sql: 'c.lfd_on', hasInfinity: true },
  last_free_day_on: {
    kind: 'dayPair',
    sql: 'c.lfd_on',
    only: `c.status in ('available', 'not_available', 'off_dock') and ${tracked} and coalesce(${destinationCode}, c.pod) is not distinct from c.pod`,
  },
  pickup_lfd_line_on: days(freeDaySql('line')),
  pickup_lfd_line_effective_on: days(freeDaySql('line')),
  pickup_lfd_terminal_on: days(freeDaySql('terminal')),
  pickup_lfd_terminal_effective_on: days(freeDaySql('terminal')),
  pickup_lfd_rail_on: days(freeDaySql('rail')),
} as const satisfies FilterableValues

const sortedValues = [
  'arrival',
  'created_at',
  'updated_at',
  'final_destination_full_out_at',
  'picked_up_at',
  'delivered_at',
  'pickup_appointment_at',
  'pickup_lfd',
  'pickup_lfd_line_on',
  'pickup_lfd_line_effective_on',
  'pickup_lfd_terminal_on',
  'pickup_lfd_terminal_effective_on',
  'pickup_lfd_rail_on',
  'pod_arrived_at',
  'pod_discharged_at',
  'pod_eta_at',
  'inland_destination_rail_unloaded_at',
  'inland_destination_eta_at',
  'inland_destination_ata_at',
  'pol_full_in_at',
  'pol_vessel_loaded_at',
  'pol_vessel_departed_at',
  'empty_out_at',
] as const

/** What the list can be sorted by besides its indexed orders, by the names of the v2 API. */
export const containerSortKeys: SortValues = {
  ...Object.fromEntries(sortedValues.map((name) => [name, containerValues[name]])),
  number: { sql: 'c.number' },
  shipment_number: { sql: shipmentColumnSql('s.bill_of_lading_number') },
  last_status_refresh_at: containerValues.updated_at,
  destination_ata_at: containerValues.inland_destination_ata_at,
  destination_eta_at: containerValues.inland_destination_eta_at,
  empty_terminated_at: containerValues.empty_returned_at,
  pickup_lfd_rail_effective_on: containerValues.pickup_lfd_rail_on,
  ind_lfd: containerValues.pickup_lfd_rail_on,
  pod_rail_loaded_at: inlandTimes('loaded'),
  free_until: { sql: 'c.free_on', hasInfinity: true },
  current_status: { sql: `array_position('{${statusesInOrder.join()}}', c.status)` },
  shipping_line_scac: { sql: 'c.scac' },
  customer_name: { sql: shipmentColumnSql(customerNameSql('s')) },
  ref_numbers: { sql: `coalesce((${shipmentColumnSql('s.ref_numbers[1]')}), c.ref_numbers[1])` },
  pol: { sql: `c.projection #>> '{portOfLoading,place,name}'` },
  pod: { sql: `c.projection #>> '{portOfDischarge,place,name}'` },
  destination: { sql: `c.projection #>> '{destination,place,name}'` },
  vessel_name: { sql: `c.projection #>> '{podVessel,name}'` },
  pod_terminal: { sql: `c.projection #>> '{podTerminal,name}'` },
  // How many there are.
  holds_at_pod_terminal: { sql: 'nullif(cardinality(c.hold_names), 0)' },
  fees_at_pod_terminal: { sql: `nullif(jsonb_array_length(c.projection -> 'fees'), 0)` },
}
