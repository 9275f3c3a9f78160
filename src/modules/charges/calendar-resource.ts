/** `calendar`: working days of a terminal, a line or a country, with all versions. The attributes are the newest's. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { closureKinds, weekdays } from '../../domain/charges/calendar.ts'
import { Type } from '../../platform/json-schema.ts'
import { author } from '../audit/author-resource.ts'
import type { ChargeSeries } from './charge-versions.ts'
import type { ChargeVersion } from './charge-versions-sql.ts'

export interface CalendarReading extends IdentifiedReading {
  readonly type: 'calendar'
  readonly series: ChargeSeries<'charge_calendars'>
}

export function readCalendarSeries(series: ChargeSeries<'charge_calendars'>): CalendarReading {
  return { type: 'calendar', id: series.id, series }
}

const name = schema.text({ minLength: 1, maxLength: 100 })
const on = schema.text({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })
const clockTimeSchema = () => schema.text({ pattern: '^([01][0-9]|2[0-4]):[0-5][0-9]$' })

export const calendarProperties = {
  zone: schema.textOrNull({ description: 'IANA. Null: the zone of the place where the clock runs.' }),
  weekend: schema.list(schema.oneOf(weekdays)),
  holidays: schema.list(schema.object({ on, name }), { maxItems: 1_000 }),
  closures: schema.list(schema.object({ on, name, kind: schema.oneOf(closureKinds) }), { maxItems: 1_000 }),
  gate_hours: schema.list(
    schema.object({ weekday: schema.oneOf(weekdays), opens: clockTimeSchema(), closes: clockTimeSchema() }),
    {
      maxItems: 7,
      description: 'Where there are any, the gate is closed on a weekday that is not among them.',
    },
  ),
  source: schema.textOrNull({ description: 'Where the days come from.' }),
} as const

const versionOf = {
  version: Type.Integer({ minimum: 1 }),
  recorded_at: schema.instant(),
  recorded_by: author.attribute,
}

export const calendar: ResourceKind<CalendarReading> = {
  type: 'calendar',
  attributes: {
    code: schema.text(),
    ...calendarProperties,
    ...versionOf,
    versions: schema.list(schema.object({ ...calendarProperties, ...versionOf }), {
      description: 'Newest first.',
    }),
  },
  relations: {},
  write: ({ series: { code, versions } }) => ({
    code,
    ...writeVersion(versions[0]),
    versions: versions.map(writeVersion),
  }),
  link: () => ({}),
  self: ({ id }) => `/calendars/${id}`,
}

function writeVersion(row: ChargeVersion<'charge_calendars'>): Readonly<Record<string, unknown>> {
  const { zone, weekend, holidays, closures, gateHours, source } = row.content
  return {
    zone,
    weekend,
    holidays,
    closures,
    gate_hours: gateHours,
    source,
    version: row.version,
    recorded_at: row.recordedAt,
    recorded_by: author.write(row.recordedBy),
  }
}
