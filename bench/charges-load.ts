/** Boxes and terms for the bench of charges: what an importer with many contracts has, invented by a seed. */

import type { ChargedContainer } from '../src/domain/charges/evidence.ts'
import { readCalendars } from '../src/domain/charges/read-calendars.ts'
import { readTerms } from '../src/domain/charges/read-terms.ts'
import { openTermsBook, type TermsBook } from '../src/domain/charges/terms-book.ts'
import type { FactClaim } from '../src/domain/journey/trip.ts'
import { addDays } from '../src/domain/values/time.ts'
import type { Milestone } from '../src/domain/view/projection.ts'
import { chargedBox, happened } from '../test/support/charged-box.ts'
import { seededChance } from './measure.ts'

export const benchNow = '2026-03-01T18:00:00.000Z'
export const benchUntil = '2026-03-31'

const lines = ['HLCU', 'ONEY', 'MSCU', 'MAEU', 'CMDU', 'EGLV', 'COSU', 'ZIMU']
const recordedAt = '2026-01-01T00:00:00.000Z'
const common = { currency: 'USD', source: 'Invented', calendar: 'us-lax', stop: 'full_out rail_departed' }

/** Forty series: of each line a contract and a tariff for demurrage and detention, and a terminal's storage. */
export function benchBook(): TermsBook {
  const rows = lines.flatMap((line) =>
    [
      { code: `c-${line}`, origin: 'contract', kind: 'demurrage', free: '4', free_unit: 'working_days' },
      { code: `t-${line}`, origin: 'tariff', kind: 'demurrage', free: '3', free_unit: 'calendar_days' },
      { code: `d-${line}`, origin: 'contract', kind: 'detention', free: '5', free_unit: 'calendar_days' },
      {
        code: `r-${line}`,
        origin: 'contract',
        kind: 'demurrage',
        equipment: 'reefer',
        free: '2',
        free_unit: 'calendar_days',
      },
      { code: `s-${line}`, origin: 'tariff', kind: 'storage', free: '4', free_unit: 'working_days' },
    ].map((row) => ({
      ...common,
      charged_by: row.kind === 'storage' ? 'terminal' : 'line',
      charger_code: row.kind === 'storage' ? '' : line,
      start: row.kind === 'detention' ? 'full_out' : 'vessel_discharged',
      start_first_full_day: 'yes',
      stops_for: 'hold:customs closure',
      tiers: '1-3:150.00 4-8:225.00 9-:310.00',
      ...row,
      ...(row.kind === 'detention' ? { stop: 'empty_in' } : {}),
    })),
  )
  const terms = rows.map((row) => {
    const read = readTerms(row)
    if (!read.ok) throw new Error(JSON.stringify(read.faults))
    return { ...read.value, version: 1, recordedAt }
  })
  const calendar = readCalendars([
    { code: 'us-lax', entry: 'zone', on: '', value: 'America/Los_Angeles' },
    { code: 'us-lax', entry: 'weekend', on: '', value: 'sat sun' },
    { code: 'us-lax', entry: 'holiday', on: '2026-02-16', value: 'Presidents Day' },
    { code: 'us-lax', entry: 'closure', on: '2026-02-20', value: 'Works' },
  ])
  if (!calendar.ok) throw new Error(JSON.stringify(calendar.faults))
  return openTermsBook(
    terms,
    calendar.value.map((each) => ({ ...each, version: 1, recordedAt })),
  )
}

/** Discharged within the last four weeks; two of five have left, one of ten had a hold. */
export function benchBoxes(count: number, seed: number, now = benchNow): readonly ChargedContainer[] {
  const chance = seededChance(seed)
  return Array.from({ length: count }, (_, index) => {
    const at = addDays(now, -chance() * 28)
    const milestones: Milestone[] = [happened('vessel_discharged', { kind: 'instant', at }, `discharge-${index}`)]
    if (chance() < 0.4) {
      const out = addDays(at, chance() * 6)
      if (out < now) milestones.push(happened('full_out', { kind: 'instant', at: out }, `out-${index}`))
    }
    const scac = lines[Math.floor(chance() * lines.length)] ?? 'HLCU'
    const holdWords = chance() < 0.1 ? [hold(at, 'hold', index), hold(addDays(at, 2), 'released', index)] : []
    return chargedBox(milestones, { scac, holdClaims: holdWords })
  })
}

function hold(at: string, status: 'hold' | 'released', index: number): FactClaim {
  return {
    id: `${status}-${index}`,
    source: { kind: 'terminal', code: 'Y258' },
    observation: {
      kind: 'fact',
      fact: 'hold',
      key: 'hold customs',
      equipment: 'TCNU1234565',
      statedAt: at,
      isRetracted: false,
      value: { name: 'customs', status, description: null },
    },
    readAt: at,
    recordedAt: at,
    standsAt: at,
    hand: 'first',
    deliveryKey: null,
    retiredAt: null,
  }
}
