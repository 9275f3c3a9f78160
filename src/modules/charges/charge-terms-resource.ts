/** `charge_terms`: terms of free time, with all their versions. The attributes are those of the newest. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import {
  chargedUnits,
  chargeKinds,
  chargers,
  clockEvents,
  clockStops,
  equipmentKinds,
  freeUnits,
  lockDates,
  type TermsContent,
  termsOrigins,
} from '../../domain/charges/terms.ts'
import { Type } from '../../platform/json-schema.ts'
import { author } from '../audit/author-resource.ts'
import type { ChargeSeries } from './charge-versions.ts'
import type { ChargeVersion } from './charge-versions-sql.ts'

export interface ChargeTermsReading extends IdentifiedReading {
  readonly type: 'charge_terms'
  readonly series: ChargeSeries<'charge_terms'>
}

export function readChargeTerms(series: ChargeSeries<'charge_terms'>): ChargeTermsReading {
  return { type: 'charge_terms', id: series.id, series }
}

const daySchema = (extra: object = {}) => schema.textOrNull({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', ...extra })
const choiceListSchema = (values: readonly string[]) => schema.list(schema.oneOf(values))

/** The fields of terms as JSON, by the names of the columns of a table. */
export const termsProperties = {
  origin: schema.oneOf(termsOrigins, {
    description: 'Terms of an own contract apply before those of a notice, and those before the tariff.',
  }),
  kind: schema.oneOf(chargeKinds),
  charged_by: schema.oneOf(chargers),
  charger_code: schema.textOrNull({ description: 'SCAC, code of a terminal, name of a pool; null for any.' }),
  bills: schema.texts({ description: 'Only these bills; stated terms need one.' }),
  equipment: choiceListSchema(equipmentKinds),
  haulage: schema.oneOfOrNull(['carrier', 'merchant'], {
    description: 'Carrier haulage: the line brings the container to an inland place.',
  }),
  ports: schema.texts({ description: 'UN/LOCODEs of ports of discharge.' }),
  destinations: schema.texts({ description: 'UN/LOCODEs of inland places.' }),
  valid_from: daySchema(),
  valid_to: daySchema({ description: 'Included.' }),
  locked_by: schema.oneOf(lockDates, { description: 'Which date decides the version.' }),
  currency: schema.text({ description: 'ISO 4217.' }),
  calendar: schema.textOrNull({ description: 'Code of a calendar.' }),
  start: schema.oneOf(clockEvents),
  start_offset: Type.Integer({ minimum: 0, maximum: 365 }),
  start_offset_unit: schema.oneOf(chargedUnits),
  start_first_full_day: Type.Boolean(),
  start_on_working_day: Type.Boolean(),
  start_gate_cut_off: Type.Boolean({ description: 'An event after the gate has closed counts as on the next day.' }),
  stop: choiceListSchema(clockEvents),
  stop_day_counts: Type.Boolean(),
  free: Type.Integer({ minimum: 0, maximum: 10_000 }),
  free_unit: schema.oneOf(freeUnits),
  charged_unit: schema.oneOf(chargedUnits),
  tiers: schema.list(
    schema.object({
      from: Type.Integer({ minimum: 1, maximum: 9_999 }),
      to: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: 9_999 }),
      rate_minor: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'For each day, in minor units of the currency; null if it is not known.',
      }),
    }),
    { maxItems: 200 },
  ),
  tiers_count: schema.oneOf(['charged', 'all'], { description: 'Which days the numbers of the tiers count.' }),
  stops_for: choiceListSchema(clockStops),
  stopped_day: schema.oneOf(['touched', 'whole'], {
    description: 'A hold excludes each day that it touches, or only days that it fills.',
  }),
  source: schema.textOrNull({ description: 'Where it comes from. A price needs one.' }),
  withdrawn: Type.Boolean({ description: 'True: the terms no longer apply, even within their dates.' }),
} as const

const versionOf = {
  version: Type.Integer({ minimum: 1 }),
  recorded_at: schema.instant(),
  recorded_by: author.attribute,
}

export const chargeTerms: ResourceKind<ChargeTermsReading> = {
  type: 'charge_terms',
  attributes: {
    code: schema.text(),
    ...termsProperties,
    ...versionOf,
    versions: schema.list(schema.object({ ...termsProperties, ...versionOf }), {
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
  self: ({ id }) => `/charge_terms/${id}`,
}

function writeVersion(row: ChargeVersion<'charge_terms'>): Readonly<Record<string, unknown>> {
  return {
    ...writeTerms(row.content),
    version: row.version,
    recorded_at: row.recordedAt,
    recorded_by: author.write(row.recordedBy),
  }
}

function writeTerms(terms: TermsContent): { readonly [Name in keyof typeof termsProperties]: unknown } {
  const { start } = terms
  return {
    origin: terms.origin,
    kind: terms.kind,
    charged_by: terms.chargedBy,
    charger_code: terms.chargerCode,
    bills: terms.bills,
    equipment: terms.equipment,
    haulage: terms.haulage,
    ports: terms.ports,
    destinations: terms.destinations,
    valid_from: terms.validFrom,
    valid_to: terms.validTo,
    locked_by: terms.lockedBy,
    currency: terms.currency,
    calendar: terms.calendar,
    start: start.event,
    start_offset: start.offset,
    start_offset_unit: start.offsetUnit,
    start_first_full_day: start.isFirstFullDay,
    start_on_working_day: start.isOnWorkingDay,
    start_gate_cut_off: start.isGateCutOff,
    stop: terms.stop,
    stop_day_counts: terms.isStopDayCounted,
    free: terms.free,
    free_unit: terms.freeUnit,
    charged_unit: terms.chargedUnit,
    tiers: terms.tiers.map(({ from, to, rate }) => ({ from, to, rate_minor: rate?.minor ?? null })),
    tiers_count: terms.tiersCount,
    stops_for: terms.stopsFor,
    stopped_day: terms.stoppedDay,
    source: terms.source,
    withdrawn: terms.isWithdrawn,
  }
}
