/** The columns of a container at its terminal, and after it: what is in its way, and when it came out and back. */

import { Badge } from '../parts/badge.tsx'
import { Unsaid } from '../parts/moment.tsx'
import { listWords } from '../words/lists.ts'
import { plain, statusWords } from '../words/names.ts'
import { joined, outZone, pickedUpAt } from './box-values.ts'
import { Day, Fees, Holds, Hour, Known, timeField } from './cells.tsx'
import type { ListColumn } from './list-column.ts'
import type { BoxRow } from './list-row.ts'

const { head, file } = listWords

export const stateColumns: readonly ListColumn<BoxRow>[] = [
  {
    id: 'status',
    head: head.status,
    widthRem: 9.6,
    sort: 'current_status',
    cell: ({ box }) => <Badge said={statusWords(box.current_status)} />,
    fields: [{ head: head.status, value: ({ box }) => statusWords(box.current_status)[0] }],
  },
  {
    id: 'holds',
    head: head.holdsFees,
    widthRem: 12,
    sort: 'holds_at_pod_terminal',
    isGreatestFirst: true,
    cell: ({ box }) => (
      <span className="list-chips">
        <Holds box={box} />
        <Fees box={box} />
      </span>
    ),
    fields: [
      {
        head: head.holds,
        value: ({ box }) => joined((box.holds_at_pod_terminal ?? []).map(({ name }) => plain(name))),
      },
      {
        head: head.fees,
        value: ({ box }) =>
          joined(
            (box.fees_at_pod_terminal ?? []).map(
              ({ type, amount, currency_code: code }) => `${plain(type)} ${amount} ${code}`,
            ),
          ),
      },
    ],
  },
  {
    id: 'appointment',
    head: head.appointment,
    widthRem: 10,
    sort: 'pickup_appointment_at',
    cell: ({ box }) => <Hour at={box.pickup_appointment_at} zone={box.free_until?.timezone ?? box.pod_timezone} />,
    fields: [
      timeField(
        head.appointment,
        ({ box }) => box.pickup_appointment_at,
        ({ box }) => box.free_until?.timezone ?? box.pod_timezone,
        { withHour: true },
      ),
    ],
  },
  {
    id: 'terminal',
    head: head.terminal,
    widthRem: 11,
    sort: 'pod_terminal',
    cell: ({ terminal, box }) => <Known under={box.location_at_pod_terminal}>{terminal}</Known>,
    fields: [
      { head: head.terminal, value: ({ terminal }) => terminal },
      { head: file.yard, value: ({ box }) => box.location_at_pod_terminal ?? null },
    ],
  },
  {
    id: 'available',
    head: head.available,
    widthRem: 7,
    cell: ({ box }) =>
      box.availability_known !== true ? (
        <Unsaid reason={listWords.unknown.terminal} />
      ) : box.available_for_pickup === true ? (
        listWords.yes
      ) : (
        listWords.no
      ),
    fields: [
      {
        head: head.available,
        value: ({ box }) =>
          box.availability_known === true ? (box.available_for_pickup === true ? listWords.yes : listWords.no) : null,
      },
    ],
  },
  {
    id: 'picked_up',
    head: head.pickedUp,
    widthRem: 8,
    sort: 'picked_up_at',
    cell: (row) => <Day at={pickedUpAt(row)} zone={outZone(row)} />,
    fields: [timeField(head.pickedUp, pickedUpAt, outZone)],
  },
  {
    id: 'delivered',
    head: head.delivered,
    widthRem: 8,
    sort: 'delivered_at',
    cell: (row) => <Day at={row.box.delivered_at} zone={outZone(row)} />,
    fields: [timeField(head.delivered, ({ box }) => box.delivered_at ?? null, outZone)],
  },
  {
    id: 'returned',
    head: head.returned,
    widthRem: 8,
    sort: 'empty_terminated_at',
    cell: ({ box }) => <Day at={box.empty_terminated_at} zone={box.empty_terminated_timezone} />,
    fields: [
      timeField(
        head.returned,
        ({ box }) => box.empty_terminated_at ?? null,
        ({ box }) => box.empty_terminated_timezone,
      ),
    ],
  },
  {
    id: 'equipment',
    head: head.equipment,
    widthRem: 8,
    cell: ({ box }) => (
      <Known>{box.equipment_type ? `${box.equipment_length ?? '?'} ft ${box.equipment_type}` : null}</Known>
    ),
    fields: [
      {
        head: head.equipment,
        value: ({ box }) => (box.equipment_type ? `${box.equipment_length ?? '?'} ft ${box.equipment_type}` : null),
      },
    ],
  },
  {
    id: 'seal',
    head: head.seal,
    widthRem: 7,
    cell: ({ box }) => <Known>{box.seal_number}</Known>,
    fields: [{ head: head.seal, value: ({ box }) => box.seal_number ?? null }],
  },
]
