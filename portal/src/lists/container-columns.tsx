/** The columns of the list of containers. */

import { countDays } from '../../../src/domain/view/day-count.ts'
import { FreeTime } from '../parts/box-facts.tsx'
import { Unsaid } from '../parts/moment.tsx'
import { slipOf } from '../parts/slip.ts'
import { todayIn } from '../parts/time.ts'
import { chargeWords } from '../words/charges.ts'
import { listWords } from '../words/lists.ts'
import { actOf } from './act.ts'
import { arrivalOf, departureAt, inlandAt, joined, referencesOf } from './box-values.ts'
import { ActWords, Arrival, BoxNumber, Day, Known, Route, Ship, timeField } from './cells.tsx'
import { stateColumns } from './container-state-columns.tsx'
import type { ListColumn } from './list-column.ts'
import type { BoxRow } from './list-row.ts'
import { onceEach } from './list-state.ts'

const { head, file } = listWords

export const boxColumns: readonly ListColumn<BoxRow>[] = [
  {
    id: 'number',
    head: head.container,
    widthRem: 11,
    sort: 'number',
    cell: (row) => (
      <>
        <BoxNumber row={row} />
        <span className="under">{row.shipment?.shipping_line_short_name}</span>
      </>
    ),
    fields: [
      { head: head.container, value: ({ box }) => box.number ?? null },
      { head: head.line, value: ({ shipment }) => shipment?.shipping_line_short_name ?? null },
    ],
  },
  {
    id: 'act',
    head: head.act,
    widthRem: 10.2,
    sort: 'urgency',
    cell: (row, shown) => <ActWords act={actOf(row.box)} isBrief={shown.includes('free')} />,
    fields: [{ head: head.act, value: (row) => actOf(row.box)?.why ?? null }],
  },
  {
    id: 'free',
    head: head.free,
    widthRem: 11,
    sort: 'free_until,number',
    cell: ({ box }) => (box.free_until ? <FreeTime box={box} /> : <Unsaid reason={chargeWords.clocks.noDay} />),
    fields: [
      { head: head.free, value: ({ box }) => (box.free_until ? { at: box.free_until.on } : null) },
      {
        head: file.daysLeft,
        value: ({ box }) => (box.free_until ? countDays(todayIn(box.free_until.timezone), box.free_until.on) : null),
      },
      {
        head: file.freeBy,
        value: ({ box }) => (box.free_until ? chargeWords.freeDay('', box.free_until).slice(2) : null),
      },
    ],
  },
  {
    id: 'bill',
    head: head.bill,
    widthRem: 10,
    sort: 'shipment_number',
    cell: ({ shipment }) => <Known>{shipment?.bill_of_lading_number}</Known>,
    fields: [{ head: head.bill, value: ({ shipment }) => shipment?.bill_of_lading_number ?? null }],
  },
  {
    id: 'customer',
    head: head.customer,
    widthRem: 9.8,
    sort: 'customer_name',
    cell: (row) => (
      <Known under={joined(referencesOf(row))} reason={listWords.unknown.customer}>
        {row.shipment?.customer_name}
      </Known>
    ),
    fields: [
      { head: head.customer, value: ({ shipment }) => shipment?.customer_name ?? null },
      { head: head.references, value: (row) => joined(referencesOf(row)) },
    ],
  },
  {
    id: 'references',
    head: head.references,
    widthRem: 9,
    sort: 'ref_numbers',
    cell: (row) => <Known reason={listWords.unknown.references}>{joined(referencesOf(row))}</Known>,
    fields: [{ head: head.references, value: (row) => joined(referencesOf(row)) }],
  },
  {
    id: 'route',
    head: head.route,
    widthRem: 16,
    sort: 'pod',
    cell: ({ shipment }) => <Route shipment={shipment} />,
    fields: [
      { head: file.pol, value: ({ shipment }) => shipment?.port_of_lading_name ?? null },
      { head: file.pod, value: ({ shipment }) => shipment?.port_of_discharge_name ?? null },
      { head: file.destination, value: ({ shipment }) => shipment?.destination_name ?? null },
    ],
  },
  {
    id: 'ship',
    head: head.ship,
    widthRem: 10,
    sort: 'vessel_name',
    cell: ({ shipment }) => <Ship shipment={shipment} />,
    fields: [
      { head: file.ship, value: ({ shipment }) => shipment?.pod_vessel_name ?? null },
      { head: file.voyage, value: ({ shipment }) => shipment?.pod_voyage_number ?? null },
    ],
  },
  {
    id: 'departure',
    head: head.departure,
    widthRem: 8,
    cell: (row) => (
      <Day
        at={departureAt(row)}
        zone={row.shipment?.pol_timezone}
        isActual={Boolean(row.box.pol_vessel_departed_at ?? row.shipment?.pol_atd_at)}
      />
    ),
    fields: [timeField(head.departure, departureAt, ({ shipment }) => shipment?.pol_timezone)],
  },
  {
    id: 'arrival',
    head: head.arrival,
    widthRem: 8.8,
    sort: 'arrival',
    cell: (row) => <Arrival {...arrivalOf(row)} shipment={row.shipment} />,
    fields: [
      timeField(
        head.arrival,
        (row) => arrivalOf(row).at,
        ({ box, shipment }) => box.pod_timezone ?? shipment?.pod_timezone,
      ),
      {
        head: file.arrived,
        value: (row) => {
          const { at, isActual } = arrivalOf(row)
          return at === null ? null : isActual ? file.actual : file.estimated
        },
      },
      {
        head: file.slip,
        value: (row) => (row.shipment === null ? null : (slipOf(arrivalOf(row).at, row.shipment)?.days ?? null)),
      },
    ],
  },
  {
    id: 'inland',
    head: head.inland,
    widthRem: 9,
    sort: 'inland_destination_eta_at',
    cell: (row) => (
      <Day at={inlandAt(row)} zone={row.box.final_destination_timezone} isActual={Boolean(row.box.ind_ata_at)} />
    ),
    fields: [timeField(head.inland, inlandAt, ({ box }) => box.final_destination_timezone)],
  },
  {
    id: 'railway',
    head: head.railway,
    widthRem: 7,
    cell: ({ box }) => <Known>{box.pod_rail_carrier_scac ?? box.ind_rail_carrier_scac}</Known>,
    fields: [
      { head: head.railway, value: ({ box }) => box.pod_rail_carrier_scac ?? box.ind_rail_carrier_scac ?? null },
    ],
  },
  ...stateColumns,
]

/** What is read of each resource for these columns: a page of everything would be ten times as large. */
export const boxQuery = {
  ...onceEach,
  include: 'shipment,pod_terminal',
  'fields[container]':
    'number,ref_numbers,equipment_type,equipment_length,seal_number,pickup_appointment_at,availability_known,available_for_pickup,pod_arrived_at,pod_full_out_at,location_at_pod_terminal,final_destination_full_out_at,empty_terminated_at,holds_at_pod_terminal,fees_at_pod_terminal,pod_timezone,final_destination_timezone,empty_terminated_timezone,pod_rail_carrier_scac,ind_rail_carrier_scac,ind_eta_at,ind_ata_at,current_status,delivered_at,pol_vessel_departed_at,free_until,act_by,shipment,pod_terminal',
  'fields[shipment]':
    'bill_of_lading_number,ref_numbers,shipping_line_short_name,customer_name,port_of_lading_name,port_of_lading_locode,port_of_discharge_name,port_of_discharge_locode,destination_name,destination_locode,pod_vessel_name,pod_vessel_imo,pod_voyage_number,pod_eta_at,pod_original_eta_at,pod_ata_at,pol_etd_at,pol_atd_at,pol_timezone,pod_timezone',
  'fields[terminal]': 'name,nickname',
} as const
