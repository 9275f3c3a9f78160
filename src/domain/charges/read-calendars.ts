/**
 * Calendars from rows. Each row has one entry of one calendar: `code,entry,on,value`, and rows of one code make one
 * calendar.
 */

import { parseEventTime } from '../values/time.ts'
import { isTimeZone } from '../values/time-zone.ts'
import {
  type CalendarContent,
  type Closure,
  type GateHours,
  type NamedDay,
  type Weekday,
  weekdays,
} from './calendar.ts'
import { codePattern, type Fault, type Row } from './read-cells.ts'

const calendarFields: readonly string[] = ['code', 'entry', 'on', 'value']
export const calendarEntries = [
  'zone',
  'weekend',
  'holiday',
  'closure',
  'unscheduled_closure',
  'gate_hours',
  'source',
] as const
type Entry = (typeof calendarEntries)[number]

export interface NamedCalendar extends CalendarContent {
  readonly code: string
}

/** A fault of a row names the field as `entry` or `on`; `row` counts from 0. */
export interface RowFault extends Fault {
  readonly row: number
}

interface Draft {
  code: string
  zone: string | null
  weekend: readonly Weekday[]
  holidays: NamedDay[]
  closures: Closure[]
  gateHours: GateHours[]
  source: string | null
}

const daysMax = 2_000

/** The rows of one or more calendars. Either all are read, or the faults of all are returned. */
export function readCalendars(
  rows: readonly Row[],
):
  | { readonly ok: true; readonly value: readonly NamedCalendar[] }
  | { readonly ok: false; readonly faults: readonly RowFault[] } {
  const drafts = new Map<string, Draft>()
  const faults: RowFault[] = []
  for (const [row, cells] of rows.entries()) {
    const fault = (field: string, problem: string) => void faults.push({ row, field, problem })
    for (const field of Object.keys(cells))
      if (!calendarFields.includes(field)) fault(field, 'is not a field of a calendar')
    const code = (cells['code'] ?? '').trim()
    if (!codePattern.test(code)) {
      fault('code', 'must be up to 64 letters, digits, dots, hyphens and underscores')
      continue
    }
    const draft = drafts.get(code) ?? emptyDraft(code)
    drafts.set(code, draft)
    const entry = calendarEntries.find((each) => each === (cells['entry'] ?? '').trim())
    if (entry === undefined) fault('entry', `must be one of ${calendarEntries.join(', ')}`)
    else applyEntry(draft, { entry, on: (cells['on'] ?? '').trim(), value: (cells['value'] ?? '').trim() }, fault)
  }
  for (const [row, cells] of rows.entries()) {
    const draft = drafts.get((cells['code'] ?? '').trim())
    if (draft !== undefined && draft.holidays.length + draft.closures.length > daysMax) {
      faults.push({ row, field: 'code', problem: `has more than ${daysMax} days` })
      break
    }
    if (draft?.weekend.length === weekdays.length) {
      faults.push({ row, field: 'value', problem: 'leaves no working day in the week' })
      break
    }
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: [...drafts.values()] }
}

function emptyDraft(code: string): Draft {
  return { code, zone: null, weekend: [], holidays: [], closures: [], gateHours: [], source: null }
}

interface EntryCells {
  readonly entry: Entry
  readonly on: string
  readonly value: string
}

function applyEntry(
  draft: Draft,
  { entry, on, value }: EntryCells,
  fault: (field: string, problem: string) => void,
): void {
  switch (entry) {
    case 'zone':
      if (!isTimeZone(value)) fault('value', 'must be a time zone, such as America/Los_Angeles')
      draft.zone = value
      return
    case 'weekend': {
      const days = value.split(/[\s|]+/).filter((token) => token !== '')
      if (!days.every(isWeekday)) fault('value', `may only have ${weekdays.join(', ')}`)
      draft.weekend = [...new Set(days.filter(isWeekday))]
      return
    }
    case 'gate_hours': {
      const [, opens = '', closes = ''] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(value) ?? []
      if (!isWeekday(on)) fault('on', `must be one of ${weekdays.join(', ')}`)
      else if (!isClock(opens) || !isClock(closes) || opens >= closes)
        fault('value', 'must be hours, such as 07:00-17:00')
      else if (draft.gateHours.some(({ weekday }) => weekday === on)) fault('on', `has hours of ${on} twice`)
      else draft.gateHours.push({ weekday: on, opens, closes })
      return
    }
    case 'source':
      draft.source = value.slice(0, 1_000)
      return
    case 'holiday':
    case 'closure':
    case 'unscheduled_closure': {
      const days = entry === 'holiday' ? draft.holidays : draft.closures
      if (parseEventTime(on)?.kind !== 'day') fault('on', 'must be a day, such as 2026-01-31')
      else if (value === '' || value.length > 100) fault('value', 'must be a name of at most 100 characters')
      else if (days.some((day) => day.on === on)) fault('on', `has ${on} twice`)
      else if (entry === 'holiday') draft.holidays.push({ on, name: value })
      else draft.closures.push({ on, name: value, kind: entry === 'closure' ? 'scheduled' : 'unscheduled' })
    }
  }
}

function isWeekday(text: string): text is Weekday {
  return (weekdays as readonly string[]).includes(text)
}

function isClock(text: string): boolean {
  return /^([01]\d|2[0-4]):[0-5]\d$/.test(text) && text <= '24:00'
}
