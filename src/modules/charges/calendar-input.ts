/** Bodies of calendars: the rows of a table, as JSON. One reader checks both. */

import { Problem } from '../../api/errors/problem.ts'
import { closed } from '../../api/request-body/attributes.ts'
import { defineCreateBody } from '../../api/request-body/resource-body.ts'
import type { Closure, GateHours, NamedDay, Weekday } from '../../domain/charges/calendar.ts'
import { type NamedCalendar, readCalendars } from '../../domain/charges/read-calendars.ts'
import type { Row } from '../../domain/charges/read-cells.ts'
import { Type } from '../../platform/json-schema.ts'
import { calendar, calendarProperties } from './calendar-resource.ts'

const attributes = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 64 }),
    ...Object.fromEntries(Object.entries(calendarProperties).map(([name, each]) => [name, Type.Optional(each)])),
  },
  closed,
)
// The schema is made of the same parts as the type.
export const newCalendar = defineCreateBody(calendar, attributes, (given) =>
  readNewCalendar(given as unknown as CalendarAttributes),
)

interface CalendarAttributes {
  readonly code: string
  readonly zone?: string | null
  readonly weekend?: readonly Weekday[]
  readonly holidays?: readonly NamedDay[]
  readonly closures?: readonly Closure[]
  readonly gate_hours?: readonly GateHours[]
  readonly source?: string | null
}

/** A row and where in the body it comes from, by the field of the row. */
interface PlacedRow {
  readonly row: Row
  readonly at: Readonly<Record<string, string>>
}

function readNewCalendar(given: CalendarAttributes): NamedCalendar {
  const placed = toCalendarRows(given)
  const read = readCalendars(placed.map(({ row }) => row))
  if (read.ok) {
    const [calendar] = read.value
    if (calendar !== undefined) return calendar
  }
  throw new Problem(
    'invalid',
    (read.ok ? [{ row: 0, field: 'code', problem: 'is needed' }] : read.faults).map(({ row, field, problem }) => ({
      detail: `This ${problem}.`,
      source: { pointer: `/data/attributes/${placed[row]?.at[field] ?? field}` },
    })),
  )
}

function toCalendarRows({
  code,
  zone,
  weekend = [],
  holidays = [],
  closures = [],
  gate_hours: hours = [],
  source,
}: CalendarAttributes) {
  const rows: PlacedRow[] = []
  const add = (entry: string, on: string, value: string, at: Readonly<Record<string, string>>) =>
    void rows.push({ row: { code, entry, on, value }, at: { code: 'code', ...at } })
  if (typeof zone === 'string') add('zone', '', zone, { value: 'zone' })
  add('weekend', '', weekend.join(' '), { value: 'weekend' })
  for (const [index, day] of holidays.entries())
    add('holiday', day.on, day.name, { on: `holidays/${index}/on`, value: `holidays/${index}/name` })
  for (const [index, day] of closures.entries()) {
    const entry = day.kind === 'scheduled' ? 'closure' : 'unscheduled_closure'
    add(entry, day.on, day.name, { on: `closures/${index}/on`, value: `closures/${index}/name` })
  }
  for (const [index, { weekday, opens, closes }] of hours.entries())
    add('gate_hours', weekday, `${opens}-${closes}`, {
      on: `gate_hours/${index}/weekday`,
      value: `gate_hours/${index}`,
    })
  if (typeof source === 'string') add('source', '', source, { value: 'source' })
  return rows
}
