/** Faults that stand between the server and the agent: each must make the tasks tell of it. */

import type { Json, Spoil } from './agents-client.ts'
import { at, dayIn, listAt } from './agents-grade.ts'
import { hoursFrom } from './agents-record.ts'
import type { AgentsWorld } from './agents-world.ts'

/** The value with every member changed, the inner ones first. */
function change(value: unknown, write: (name: string, value: unknown) => unknown, name = ''): unknown {
  if (Array.isArray(value))
    return write(
      name,
      value.map((each) => change(each, write)),
    )
  if (typeof value !== 'object' || value === null) return write(name, value)
  return write(name, Object.fromEntries(Object.entries(value).map(([key, each]) => [key, change(each, write, key)])))
}

const members =
  (write: (name: string, value: unknown) => unknown): Spoil =>
  (_, answer) =>
    change(answer, write) as Json

const rows =
  (isMeant: (args: Json) => boolean, spoil: (items: readonly Json[], args: Json) => readonly Json[]): Spoil =>
  ({ args }, answer) =>
    Array.isArray(answer['items']) && isMeant(args)
      ? { ...answer, items: spoil(listAt(answer, 'items'), args) }
      : answer

const plain = (number: unknown): string =>
  String(number)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')

/** Rows of other questions, by tool and members. */
function addRow(): Spoil {
  const known = new Map<string, Json>()
  return ({ tool, args }, answer) => {
    const items = listAt(answer, 'items')
    const key = `${tool} ${args['fields']}`
    const other = known.get(key)
    if (items[0] !== undefined) known.set(key, items[0])
    const isNew = other !== undefined && !items.some((each) => JSON.stringify(each) === JSON.stringify(other))
    return isNew ? { ...answer, items: [...items, other] } : answer
  }
}

export function plantFaults({ shipments }: AgentsWorld): Readonly<Record<string, Spoil>> {
  const rolled = shipments.filter(({ isRolled }) => isRolled)
  const numbers = new Set(rolled.map(({ asked }) => plain(asked)))
  const slips = new Set(rolled.map(({ first, ata, eta }) => hoursFrom(first, ata ?? eta)))
  const arrived = shipments.filter(({ ata }) => ata !== null).length
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d(\[.*\])?$/
  return {
    'unknown money is 0 charged days': members((name, value) =>
      value !== null || !/^(owed|forecast|avoidable|fees)$/.test(name)
        ? value
        : name === 'fees'
          ? []
          : ['0 charged days'],
    ),
    'eta_before a day leaves that day out': rows(
      (args) => at(args, 'filters.eta_before') !== null,
      (items, args) => items.filter(({ podEta }) => dayIn(podEta) !== at(args, 'filters.eta_before')),
    ),
    'the slip of rolled shipments is 0': ({ args }, answer) =>
      change(answer, (name, value) => {
        const isOfRolled = numbers.has(plain(args['id'])) || slips.has(value as number)
        return name.startsWith('slip') && typeof value === 'number' && isOfRolled ? 0 : value
      }) as Json,
    'unknown counts include what has arrived': members((name, value) => {
      if (name !== 'unknown' || !Array.isArray(value)) return value
      const counts = value.length === 0 ? [{ what: 'arrival estimate', count: 0 }] : (value as readonly Json[])
      return counts.map((each) => ({ ...each, count: Number(each['count']) + arrived }))
    }),
    'unknown counts are left out': members((name, value) => (name === 'unknown' && Array.isArray(value) ? [] : value)),
    'rows of the filter destination are dropped': rows(
      (args) => at(args, 'filters.destination') !== null,
      (items) => items.slice(1),
    ),
    'times are told in UTC': members((_, value) =>
      typeof value === 'string' && isTime.test(value) ? new Date(value.replace(/\[.*\]$/, '')).toISOString() : value,
    ),
    'a row of another question is added': addRow(),
    'rows are sorted by another day': rows(
      (args) => args['sort'] !== undefined,
      (items) => items.toReversed(),
    ),
  }
}
