/** The presets of both lists: a phase of the journey, what it filters, and which columns say something in it. */

import { listWords } from '../words/lists.ts'

export interface Phase {
  readonly id: string
  readonly label: string
  /** Filters in the address; `status` is a comma list. */
  readonly filters: Readonly<Record<string, string>>
  readonly columns: readonly string[]
}

const soon = '<=7.days.from_now'
const { phases: label } = listWords

export const boxPhases: readonly Phase[] = [
  {
    id: 'all',
    label: label.all,
    filters: {},
    columns: ['number', 'act', 'customer', 'route', 'ship', 'arrival', 'status', 'holds', 'bill'],
  },
  {
    id: 'not_sailed',
    label: label.notSailed,
    filters: { status: 'new,loaded' },
    columns: ['number', 'customer', 'bill', 'route', 'ship', 'departure', 'arrival', 'status'],
  },
  {
    id: 'at_sea',
    label: label.atSea,
    filters: { status: 'on_ship' },
    columns: ['number', 'act', 'customer', 'bill', 'route', 'ship', 'arrival', 'terminal'],
  },
  {
    id: 'arriving',
    label: label.arriving,
    filters: { status: 'new,loaded,on_ship', arrival: soon },
    columns: ['number', 'act', 'customer', 'bill', 'route', 'ship', 'arrival', 'terminal', 'holds'],
  },
  {
    id: 'at_terminal',
    label: label.atTerminal,
    filters: { status: 'grounded,available,not_available,off_dock,awaiting_inland_transfer' },
    columns: ['number', 'act', 'free', 'holds', 'appointment', 'terminal', 'customer', 'bill', 'status', 'route'],
  },
  {
    id: 'on_rail',
    label: label.onRail,
    filters: { status: 'on_rail' },
    columns: ['number', 'act', 'free', 'customer', 'bill', 'route', 'inland', 'railway', 'holds'],
  },
  {
    id: 'to_return',
    label: label.toReturn,
    filters: { status: 'picked_up,dropped,delivered' },
    columns: ['number', 'picked_up', 'delivered', 'customer', 'bill', 'route', 'terminal', 'status'],
  },
  {
    id: 'done',
    label: label.done,
    filters: { status: 'empty_returned' },
    columns: ['number', 'customer', 'bill', 'route', 'ship', 'arrival', 'picked_up', 'returned'],
  },
]

const cargoColumns = ['number', 'act', 'customer', 'route', 'ship', 'arrival', 'status', 'boxes']
export const cargoPhases: readonly Phase[] = [
  { id: 'all', label: label.all, filters: {}, columns: cargoColumns },
  {
    id: 'not_sailed',
    label: label.notSailed,
    filters: { status: 'pending' },
    columns: ['number', 'customer', 'route', 'ship', 'departure', 'arrival', 'boxes'],
  },
  { id: 'at_sea', label: label.atSea, filters: { status: 'in_transit' }, columns: cargoColumns },
  {
    id: 'arriving',
    label: label.arriving,
    filters: { status: 'pending,in_transit', pod_arrival: soon },
    columns: cargoColumns,
  },
  { id: 'arrived', label: label.arrived, filters: { status: 'arrived' }, columns: cargoColumns },
  { id: 'to_return', label: label.toReturn, filters: { status: 'picked_up' }, columns: cargoColumns },
  { id: 'done', label: label.done, filters: { status: 'completed' }, columns: cargoColumns },
]

/** Names in the address that a phase decides. */
export const phaseNames = ['status', 'arrival', 'pod_arrival'] as const

/** The phase whose filters the address has, also with a part of its statuses. Null: the filters are of no phase. */
export function phaseOf(phases: readonly Phase[], values: Readonly<Record<string, string>>): Phase | null {
  const given = new Set((values['status'] ?? '').split(',').filter(Boolean))
  const fits = ({ filters }: Phase): boolean => {
    const statuses = (filters['status'] ?? '').split(',').filter(Boolean)
    if (phaseNames.some((name) => name !== 'status' && (values[name] ?? '') !== (filters[name] ?? ''))) return false
    return statuses.length === 0
      ? given.size === 0
      : given.size > 0 && [...given].every((each) => statuses.includes(each))
  }
  return phases.find(fits) ?? null
}
