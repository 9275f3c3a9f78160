/** The columns of the list of shipments. */

import { Link } from '@tanstack/react-router'
import { Badge } from '../parts/badge.tsx'
import { slipOf } from '../parts/slip.ts'
import { listWords } from '../words/lists.ts'
import { statusWords } from '../words/names.ts'
import { type Act, actOf } from './act.ts'
import { ActWords, Arrival, Day, Known, Route, Ship, timeField } from './cells.tsx'
import type { ListColumn } from './list-column.ts'
import type { Box, CargoRow } from './list-row.ts'
import { onceEach } from './list-state.ts'

const { head, file } = listWords

export function arrivalOf({ shipment }: CargoRow): { readonly at: string | null; readonly isActual: boolean } {
  return { at: shipment.pod_ata_at ?? shipment.pod_eta_at ?? null, isActual: Boolean(shipment.pod_ata_at) }
}
/** What must be done about the first of its containers. */
export function cargoAct({ boxes }: CargoRow): Act | null {
  const [first] = boxes.filter(({ act_by: by }) => by).toSorted((a, b) => (dayOf(a) < dayOf(b) ? -1 : 1))
  const act = first === undefined ? null : actOf(first)
  return act === null ? null : { ...act, why: `${first?.number}: ${act.why}` }
}
const dayOf = ({ act_by: by }: Box): string => by?.on ?? ''
const departureAt = ({ shipment }: CargoRow): string | null => shipment.pol_atd_at ?? shipment.pol_etd_at ?? null
const referencesOf = ({ shipment }: CargoRow): string | null =>
  (shipment.ref_numbers ?? []).length === 0 ? null : (shipment.ref_numbers ?? []).join(', ')

export const cargoColumns: readonly ListColumn<CargoRow>[] = [
  {
    id: 'number',
    head: head.shipment,
    widthRem: 11.5,
    sort: 'bill_of_lading_number',
    cell: ({ id, shipment }) => (
      <>
        <Link to="/shipments/$shipmentId" params={{ shipmentId: id }} className="number">
          {shipment.bill_of_lading_number}
        </Link>
        <span className="under">{shipment.shipping_line_short_name}</span>
      </>
    ),
    fields: [
      { head: head.bill, value: ({ shipment }) => shipment.bill_of_lading_number ?? null },
      { head: head.line, value: ({ shipment }) => shipment.shipping_line_short_name ?? null },
    ],
  },
  {
    id: 'act',
    head: head.act,
    widthRem: 10,
    sort: 'urgency',
    cell: (row) => <ActWords act={cargoAct(row)} />,
    fields: [{ head: head.act, value: (row) => cargoAct(row)?.why ?? null }],
  },
  {
    id: 'customer',
    head: head.customer,
    widthRem: 9.8,
    sort: 'customer_name',
    cell: (row) => (
      <Known under={referencesOf(row)} reason={listWords.unknown.customer}>
        {row.shipment.customer_name}
      </Known>
    ),
    fields: [
      { head: head.customer, value: ({ shipment }) => shipment.customer_name ?? null },
      { head: head.references, value: referencesOf },
    ],
  },
  {
    id: 'references',
    head: head.references,
    widthRem: 7,
    sort: 'ref_numbers',
    cell: (row) => <Known reason={listWords.unknown.references}>{referencesOf(row)}</Known>,
    fields: [{ head: head.references, value: referencesOf }],
  },
  {
    id: 'route',
    head: head.route,
    widthRem: 16,
    sort: 'pod',
    cell: ({ shipment }) => <Route shipment={shipment} />,
    fields: [
      { head: file.pol, value: ({ shipment }) => shipment.port_of_lading_name ?? null },
      { head: file.pod, value: ({ shipment }) => shipment.port_of_discharge_name ?? null },
      { head: file.destination, value: ({ shipment }) => shipment.destination_name ?? null },
    ],
  },
  {
    id: 'ship',
    head: head.ship,
    widthRem: 10,
    sort: 'vessel_name',
    cell: ({ shipment }) => <Ship shipment={shipment} />,
    fields: [
      { head: file.ship, value: ({ shipment }) => shipment.pod_vessel_name ?? null },
      { head: file.voyage, value: ({ shipment }) => shipment.pod_voyage_number ?? null },
    ],
  },
  {
    id: 'departure',
    head: head.departure,
    widthRem: 8,
    cell: (row) => (
      <Day at={departureAt(row)} zone={row.shipment.pol_timezone} isActual={Boolean(row.shipment.pol_atd_at)} />
    ),
    fields: [timeField(head.departure, departureAt, ({ shipment }) => shipment.pol_timezone)],
  },
  {
    id: 'arrival',
    head: head.arrival,
    widthRem: 8.8,
    sort: 'pod_arrival',
    cell: (row) => <Arrival {...arrivalOf(row)} shipment={row.shipment} />,
    fields: [
      timeField(
        head.arrival,
        (row) => arrivalOf(row).at,
        ({ shipment }) => shipment.pod_timezone,
      ),
      {
        head: file.arrived,
        value: (row) => {
          const { at, isActual } = arrivalOf(row)
          return at === null ? null : isActual ? file.actual : file.estimated
        },
      },
      { head: file.slip, value: (row) => slipOf(arrivalOf(row).at, row.shipment)?.days ?? null },
    ],
  },
  {
    id: 'status',
    head: head.status,
    widthRem: 9.5,
    sort: 'status',
    cell: ({ shipment }) => (
      <>
        <Badge said={statusWords(shipment.status)} />
        {shipment.line_tracking_stopped_at && shipment.status !== 'completed' && (
          <span className="under">{listWords.stopped}</span>
        )}
      </>
    ),
    fields: [
      { head: head.status, value: ({ shipment }) => statusWords(shipment.status)[0] },
      { head: file.stopped, value: ({ shipment }) => (shipment.line_tracking_stopped_at ? listWords.yes : null) },
    ],
  },
  {
    id: 'boxes',
    head: head.boxes,
    widthRem: 6,
    isNumeric: true,
    cell: ({ boxes }) => boxes.length,
    fields: [{ head: head.boxes, value: ({ boxes }) => boxes.length }],
  },
  {
    id: 'answered',
    head: head.answered,
    widthRem: 8,
    cell: ({ shipment }) => <Day at={shipment.line_tracking_last_succeeded_at} zone="UTC" />,
    fields: [
      timeField(
        head.answered,
        ({ shipment }) => shipment.line_tracking_last_succeeded_at,
        () => 'UTC',
      ),
    ],
  },
]

export const cargoQuery = {
  ...onceEach,
  include: 'containers',
  'fields[container]':
    'number,act_by,holds_at_pod_terminal,free_until,final_destination_timezone,pod_timezone,current_status',
  'fields[shipment]':
    'bill_of_lading_number,ref_numbers,shipping_line_short_name,customer_name,port_of_lading_name,port_of_lading_locode,port_of_discharge_name,port_of_discharge_locode,destination_name,destination_locode,pod_vessel_name,pod_vessel_imo,pod_voyage_number,pod_eta_at,pod_original_eta_at,pod_ata_at,pol_etd_at,pol_atd_at,pol_timezone,pod_timezone,status,line_tracking_stopped_at,line_tracking_last_succeeded_at,containers',
} as const
