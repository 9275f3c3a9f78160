/** Terms from a row: of a CSV file, or of a body whose fields have the same names. */

import { isCurrency, parseMoney } from './money.ts'
import { type Cells, type CellsResult, codePattern, openCells, type Row, toCellsResult } from './read-cells.ts'
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
  type Tier,
  termsOrigins,
} from './terms.ts'

/** The fields of a row, in the order in which they are written. */
export const termsFields = [
  'code',
  'origin',
  'kind',
  'charged_by',
  'charger_code',
  'bills',
  'equipment',
  'haulage',
  'ports',
  'destinations',
  'valid_from',
  'valid_to',
  'locked_by',
  'currency',
  'calendar',
  'start',
  'start_offset',
  'start_offset_unit',
  'start_first_full_day',
  'start_on_working_day',
  'start_gate_cut_off',
  'stop',
  'stop_day_counts',
  'free',
  'free_unit',
  'charged_unit',
  'tiers',
  'tiers_count',
  'stops_for',
  'stopped_day',
  'source',
  'withdrawn',
] as const
export type TermsField = (typeof termsFields)[number]

export interface NamedTerms extends TermsContent {
  readonly code: string
}

export function readTerms(row: Row): CellsResult<NamedTerms> {
  const cells = openCells(row)
  for (const field of Object.keys(row))
    if (!(termsFields as readonly string[]).includes(field))
      cells.faults.push({ field, problem: 'is not a field of terms' })
  const code = cells.needed('code')
  if (code !== '' && !codePattern.test(code)) cells.faults.push({ field: 'code', problem: codeRequirement })
  const currency = readCurrency(cells)
  const tiersCount = cells.oneOf('tiers_count', ['charged', 'all'], 'charged')
  const freeUnit = cells.oneOf('free_unit', freeUnits, null)
  const free = cells.count('free', null, 10_000)
  const tiers = readTiers(cells, currency)
  const value: NamedTerms = {
    code,
    origin: cells.oneOf('origin', termsOrigins, null),
    kind: cells.oneOf('kind', chargeKinds, null),
    chargedBy: cells.oneOf('charged_by', chargers, null),
    chargerCode: cells.text('charger_code', 40),
    bills: cells.list('bills', /^[A-Z0-9./-]{4,40}$/, 'bill numbers'),
    equipment: cells.listOf('equipment', equipmentKinds),
    haulage: readHaulage(cells),
    ports: cells.list('ports', unLocode, 'UN/LOCODEs'),
    destinations: cells.list('destinations', unLocode, 'UN/LOCODEs'),
    validFrom: cells.day('valid_from'),
    validTo: cells.day('valid_to'),
    lockedBy: cells.oneOf('locked_by', lockDates, 'clock_start'),
    currency,
    calendar: cells.text('calendar', 64),
    start: {
      event: cells.oneOf('start', clockEvents, null),
      offset: cells.count('start_offset', 0, 365),
      offsetUnit: cells.oneOf('start_offset_unit', chargedUnits, 'calendar_days'),
      isFirstFullDay: cells.yesNo('start_first_full_day', false),
      isOnWorkingDay: cells.yesNo('start_on_working_day', false),
      isGateCutOff: cells.yesNo('start_gate_cut_off', false),
    },
    stop: cells.listOf('stop', clockEvents),
    isStopDayCounted: cells.yesNo('stop_day_counts', true),
    free,
    freeUnit,
    chargedUnit: cells.oneOf('charged_unit', chargedUnits, 'calendar_days'),
    tiers,
    tiersCount,
    stopsFor: cells.listOf('stops_for', clockStops),
    stoppedDay: cells.oneOf('stopped_day', ['touched', 'whole'], 'whole'),
    source: cells.text('source', 1_000),
    isWithdrawn: cells.yesNo('withdrawn', false),
  }
  checkTermsConsistency(cells, value)
  return toCellsResult(cells, value)
}

const unLocode = /^[A-Z]{2}[A-Z2-9]{3}$/
const codeRequirement = 'must be up to 64 letters, digits, dots, hyphens and underscores'

function readHaulage(cells: Cells): TermsContent['haulage'] {
  const haulage = cells.oneOf('haulage', ['carrier', 'merchant', 'any'], 'any')
  return haulage === 'any' ? null : haulage
}

function readCurrency(cells: Cells): string {
  const currency = cells.needed('currency', 3)
  if (currency !== '' && !isCurrency(currency))
    cells.faults.push({ field: 'currency', problem: 'must be a code of ISO 4217, such as USD' })
  return currency
}

/** `1-4:150.00 5-:200.00`; `?` is a rate that nobody has given us. */
function readTiers(cells: Cells, currency: string): readonly Tier[] {
  const written = cells.list('tiers', /^\d{1,4}-\d{0,4}:(\?|[\d.]+)$/, 'tiers, such as 1-4:150.00 5-:200.00')
  return written.flatMap((text): readonly Tier[] => {
    const [, from = '', to = '', rate = ''] = /^(\d+)-(\d*):(.+)$/.exec(text) ?? []
    const money = rate === '?' ? null : parseMoney(rate, currency)
    if (rate !== '?' && money === null) {
      const problem = `has the rate ${rate}, which is no amount of ${currency}`
      cells.faults.push({ field: 'tiers', problem })
    }
    return [{ from: Number(from), to: to === '' ? null : Number(to), rate: money }]
  })
}

function checkTermsConsistency(cells: Cells, terms: NamedTerms): void {
  const fault = (field: TermsField, problem: string) => void cells.faults.push({ field, problem })
  const { validFrom, validTo, tiers, start, stop } = terms
  if (validFrom !== null && validTo !== null && validTo < validFrom) fault('valid_to', 'is before valid_from')
  if (stop.length === 0) fault('stop', 'needs at least one event')
  if (stop.includes(start.event)) fault('stop', 'has the event that starts the clock')
  if (terms.origin === 'stated' && terms.bills.length === 0)
    fault('bills', 'is needed: stated terms are those of a notice for certain bills')
  if (tiers.length === 0) fault('tiers', 'needs at least one tier; ? is a rate that is not known')
  const firstDay = terms.tiersCount === 'charged' || terms.freeUnit === 'hours' ? 1 : terms.free + 1
  for (const [index, tier] of tiers.entries()) {
    const before = tiers[index - 1]
    const expected = before === undefined ? firstDay : (before.to ?? 0) + 1
    if (tier.from !== expected)
      fault('tiers', `must go on without a gap: day ${expected} is expected, not ${tier.from}`)
    if (tier.to !== null && tier.to < tier.from) fault('tiers', `has a tier that ends before day ${tier.from}`)
    if ((tier.to === null) !== (index === tiers.length - 1))
      fault('tiers', 'must have exactly one tier without an end, the last')
  }
  if (terms.freeUnit === 'hours' && terms.tiersCount === 'all')
    fault('tiers_count', 'cannot be all when free time is in hours')
  if (tiers.some(({ rate }) => rate !== null) && terms.source === null)
    fault('source', 'is needed: a price without a source is not accepted')
  if (usesCalendar(terms) && terms.calendar === null) fault('calendar', 'is needed for working days and closures')
}

function usesCalendar(terms: TermsContent): boolean {
  const { start } = terms
  return (
    terms.freeUnit === 'working_days' ||
    terms.chargedUnit === 'working_days' ||
    (start.offset > 0 && start.offsetUnit === 'working_days') ||
    start.isOnWorkingDay ||
    start.isGateCutOff ||
    terms.stopsFor.includes('closure')
  )
}
