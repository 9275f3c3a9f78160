/**
 * Charges of many containers: sums by currency, a row for each container, and for how many containers nothing can be
 * computed, and why. Made of the tallies, so no container is counted again.
 */

import { sumByCurrency } from '../../domain/charges/bill.ts'
import type { MissingReason } from '../../domain/charges/evidence.ts'
import { sumFees } from '../../domain/charges/fees.ts'
import type { Money } from '../../domain/charges/money.ts'
import {
  addChargeSums,
  type ChargeSums,
  calculateChargeSums,
  daysSure,
  type TermsTally,
} from '../../domain/charges/tally.ts'
import type { ChargeKind, Charger } from '../../domain/charges/terms.ts'
import { addDays, localDateIn } from '../../domain/values/time.ts'
import { type Context, requireScope } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import { journeyNow, type Service } from '../service.ts'
import { isSweeping, readTalliedRows, type TalliedFilter, type TalliedRow } from './tallied-containers-sql.ts'

export const unknownReasons = [
  'no_terms',
  'undecided',
  'start',
  'zone',
  'calendar',
  'hour_of_start',
  'working_day',
  'being_counted',
] as const satisfies readonly (MissingReason | 'no_terms' | 'undecided' | 'being_counted')[]
export type UnknownReason = (typeof unknownReasons)[number]

export interface ChargesFilter extends TalliedFilter {
  readonly kind: ChargeKind | null
  readonly chargedBy: Charger | null
  /** True: clocks that run, and nothing else. False: those that have stopped. */
  readonly isRunning: boolean | null
}

export const everyContainer = {
  shipmentId: null,
  customerId: null,
  refNumber: null,
  tags: null,
  kind: null,
  chargedBy: null,
  isRunning: null,
} as const satisfies ChargesFilter

export interface TermsSums {
  readonly terms: TermsTally
  readonly sums: ChargeSums
}

export interface ContainerSums {
  readonly id: string
  readonly number: string
  readonly shipmentId: string
  readonly sums: ChargeSums
  readonly terms: readonly TermsSums[]
  /** Why something of it is not in the sums. */
  readonly unknown: readonly UnknownReason[]
  /** What its terminal or railway asks for, beside the sums. Null while none has reported. */
  readonly fees: readonly Money[] | null
}

/** Whether terms count days, so that the sums say something. */
export function isCounted({ terms }: Pick<ContainerSums, 'terms'>): boolean {
  return terms.some((each) => each.terms.missing === null)
}

export interface ChargeSumsPage {
  readonly now: string
  readonly until: string
  readonly rows: readonly ContainerSums[]
  /** Null: that was the last page. */
  readonly next: string | null
  /** Of everything that the filter finds. Null on the pages after the first, where nobody counts it again. */
  readonly all: {
    readonly sums: ChargeSums
    readonly containers: number
    readonly counted: number
    readonly unknown: Readonly<Record<UnknownReason, number>>
    readonly fees: readonly Money[]
    /** Containers of which no terminal or railway has said whether they have fees. */
    readonly withoutFees: number
  } | null
}

const untilUsual = 14
const readAtOnce = 2_000

export async function sumCharges(
  service: Service,
  context: Context,
  query: {
    readonly filter: ChargesFilter
    readonly until: string | null
    readonly after: string | null
    readonly limit: number
    /** Also what terminals and railways name. */
    readonly withFees?: boolean
  },
): Promise<ChargeSumsPage> {
  requireScope(context, 'read')
  const accountId = context.account.id
  const now = journeyNow(service, context.account.isSandbox)
  const until = checkUntil(query.until, now)
  const { filter, after, limit, withFees = false } = query
  const isWaiting = await isSweeping(service.pool, accountId)
  const read = (row: TalliedRow): ContainerSums => toContainerSums(row, filter, { now, until, isWaiting })
  const found = await readTalliedRows(service.pool, { accountId, filter, after, limit: limit + 1, withFees })
  const rows = found.slice(0, limit).map(read)
  const next = found.length > limit ? (rows.at(-1)?.id ?? null) : null
  if (after !== null) return { now, until, rows, next, all: null }
  const all = next === null ? addUpContainers([rows]) : await sumAll(service, { accountId, filter, withFees, read })
  return { now, until, rows, next, all }
}

async function sumAll(
  { pool }: Service,
  of: {
    readonly accountId: string
    readonly filter: ChargesFilter
    readonly withFees: boolean
    readonly read: (row: TalliedRow) => ContainerSums
  },
): Promise<NonNullable<ChargeSumsPage['all']>> {
  const { accountId, filter, withFees, read } = of
  let sum = addUpContainers([])
  for (let after: string | null = null; ; ) {
    const rows = await readTalliedRows(pool, { accountId, filter, after, limit: readAtOnce, withFees })
    sum = addUpContainers([rows.map(read)], sum)
    const last = rows.at(-1)
    if (rows.length < readAtOnce || last === undefined) return sum
    after = last.id
  }
}

function addUpContainers(
  pages: readonly (readonly ContainerSums[])[],
  before: NonNullable<ChargeSumsPage['all']> | null = null,
): NonNullable<ChargeSumsPage['all']> {
  const rows = pages.flat()
  const unknown = { ...(before?.unknown ?? noneUnknown) }
  for (const row of rows) for (const reason of row.unknown) unknown[reason] += 1
  return {
    sums: addChargeSums([...(before === null ? [] : [before.sums]), ...rows.map(({ sums }) => sums)]),
    containers: (before?.containers ?? 0) + rows.length,
    counted: (before?.counted ?? 0) + rows.filter(isCounted).length,
    unknown,
    fees: sumByCurrency([...(before?.fees ?? []), ...rows.flatMap(({ fees }) => fees ?? [])]),
    withoutFees: (before?.withoutFees ?? 0) + rows.filter(({ fees }) => fees === null).length,
  }
}

const noneUnknown: Record<UnknownReason, number> = {
  no_terms: 0,
  undecided: 0,
  start: 0,
  zone: 0,
  calendar: 0,
  hour_of_start: 0,
  working_day: 0,
  being_counted: 0,
}

function toContainerSums(
  { id, number, shipmentId, tally, isStale: isRequested, fees }: TalliedRow,
  { kind, chargedBy, isRunning }: ChargesFilter,
  at: { readonly now: string; readonly until: string; readonly isWaiting: boolean },
): ContainerSums {
  const matchingTerms = (tally?.terms ?? []).filter(
    (each) =>
      (kind === null || each.kind === kind) &&
      (chargedBy === null || each.chargedBy === chargedBy) &&
      (isRunning === null || (each.stoppedOn === null) === isRunning),
  )
  const terms = matchingTerms.map((each) => ({ terms: each, sums: calculateChargeSums(each, at) }))
  const isUnread = isRequested || (tally === null && at.isWaiting)
  const reasons = new Set<UnknownReason>(matchingTerms.flatMap(({ missing }) => missing ?? []))
  if (isUnread) reasons.add('being_counted')
  else if (tally?.isUndecided === true) reasons.add('undecided')
  else if (tally === null || tally.terms.length === 0) reasons.add('no_terms')
  return {
    id,
    number,
    shipmentId,
    terms,
    sums: addChargeSums(terms.map(({ sums }) => sums)),
    unknown: [...reasons],
    fees: fees && sumFees(fees),
  }
}

function checkUntil(until: string | null, now: string): string {
  const today = localDateIn(now, null)
  if (until === null) return addDays(today, untilUsual)
  // A day of the zone that is furthest behind may be that of yesterday.
  if (until <= addDays(today, daysSure - 2)) return until
  throw new ServiceError('invalid', `Sums go ${daysSure - 2} days ahead at most.`, {
    source: { parameter: 'until' },
  })
}
