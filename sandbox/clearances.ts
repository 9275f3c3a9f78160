/**
 * What prevents a box from being fetched, and what it costs: papers, payments, examinations, and staying longer than
 * its free time.
 */
import { between, fraction, wholeBetween } from './chance.ts'
import { endOfDay, isNorthAmerica, type Site } from './gate-hours.ts'
import { HOUR, MINUTE } from './local-time.ts'
import type { Fee, Hold, Said } from './stay.ts'

/**
 * Holds and fees from papers, payments and examinations. Each begins before or at the landing and ends before the box
 * leaves.
 */
export function clearances(of: {
  readonly key: string
  readonly place: string
  readonly arrivedAt: number
  readonly landedAt: number
  readonly end: number
  readonly isForTruck: boolean
}): { readonly holds: readonly Hold[]; readonly fees: readonly Fee[]; readonly exam: Hold | null } {
  const { key, place, arrivedAt, landedAt, end, isForTruck } = of
  const chance = (what: string): number => fraction(`${what}|${key}`)
  const into = (what: string, low: number, high: number): number =>
    minute(landedAt + (end - landedAt) * between(`${what}|${key}`, low, high))
  const hold = (name: Hold['name'], description: string, from: number, until: number): Hold[] =>
    until - from < HOUR ? [] : [{ name, status: 'hold', description, from: minute(from), until }]
  const customs =
    chance('customs') < 0.3
      ? hold(
          'customs',
          'customs examination',
          arrivedAt - between(`targeted|${key}`, 4 * HOUR, 30 * HOUR),
          into('customs ends', 0.2, 0.65),
        )
      : []
  const isPaidEarly = chance('freight early') < 0.35
  const freight =
    chance('freight') < 0.6
      ? hold(
          'freight',
          'freight or documents due',
          arrivedAt - 40 * HOUR,
          isPaidEarly ? arrivedAt - between(`paid|${key}`, 1 * HOUR, 20 * HOUR) : into('freight ends', 0.05, 0.55),
        )
      : []
  const america = isNorthAmerica(place)
  const usda =
    america && chance('usda') < 0.06
      ? hold('USDA', 'agriculture inspection', landedAt, into('usda ends', 0.2, 0.6))
      : []
  const vacis = america && chance('vacis') < 0.07 ? hold('VACIS', 'x-ray', landedAt, into('vacis ends', 0.1, 0.5)) : []
  const tmf =
    isForTruck && /^US(LAX|LGB)$/.test(place)
      ? hold('TMF', 'traffic mitigation fee due', landedAt, into('tmf ends', 0.2, 0.7))
      : []
  const exam = customs[0] ?? null
  const fees: readonly Fee[] =
    exam === null || chance('exam fee') > 0.7
      ? []
      : [
          {
            type: 'exam',
            description: 'EXAM',
            currency: currencyAt(place),
            amount: 25 * wholeBetween(`exam fee is|${key}`, 10, 36),
            isDaily: false,
            from: minute(Math.max(landedAt + HOUR, exam.from)),
            paidAt: into('exam paid', 0.7, 0.85),
          },
        ]
  return { holds: [...customs, ...freight, ...usda, ...vacis, ...tmf], fees, exam }
}

/** For a stay longer than the free time: a fee for each day, and a hold until the fee is paid. */
export function overstay(of: {
  readonly key: string
  readonly place: string
  readonly site: Site
  readonly freeTime: readonly Said<string>[]
  readonly end: number
  readonly isForTruck: boolean
}): { readonly holds: readonly Hold[]; readonly fees: readonly Fee[] } {
  const { key, place, site, freeTime, end } = of
  const last = freeTime.at(-1)
  const over = last === undefined ? Number.POSITIVE_INFINITY : endOfDay(place, last.value)
  const paidAt = minute(end - between(`settled|${key}`, 1.5 * HOUR, 4 * HOUR))
  if (!of.isForTruck || paidAt <= over) return { holds: [], fees: [] }
  const isRamp = site === 'ramp'
  const description = isRamp ? 'STORAGE' : 'DEMURRAGE'
  const amount =
    5 * wholeBetween(`rate|${place}|${site}`, isNorthAmerica(place) ? 35 : 12, isNorthAmerica(place) ? 70 : 26)
  return {
    holds: [
      {
        name: 'other',
        status: 'hold',
        description: `${description.toLowerCase()} due`,
        from: over,
        until: paidAt,
      },
    ],
    fees: [
      {
        type: isRamp ? 'other' : 'demurrage',
        description,
        currency: currencyAt(place),
        amount,
        isDaily: true,
        from: over,
        paidAt,
      },
    ],
  }
}

const EURO = /^(DE|NL|BE|FR|ES|IT|GR|FI|MT|PT|IE|HR|SI|EE|LV|LT|CY)/

function currencyAt(place: string): string {
  if (place.startsWith('CA')) return 'CAD'
  if (place.startsWith('GB')) return 'GBP'
  return EURO.test(place) ? 'EUR' : 'USD'
}

function minute(at: number): number {
  return Math.round(at / MINUTE) * MINUTE
}
