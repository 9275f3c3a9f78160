/**
 * Signs that a statement about a container is of another trip than the statements before, or of none. `Progress`
 * contains what happened on the trip so far.
 */

import type { Statement } from '../statements/statement.ts'
import { isUnLocode } from '../values/identifiers.ts'
import { type Progress, resolveGateLoad } from './trip-progress.ts'

const dayMs = 86_400_000
/** No transshipment waits longer than this. After it, what begins an export begins another trip. */
const gapMsMax = 45 * dayMs
/**
 * A laden container that leaves a country other than that of its port may be called empty by mistake. It never waits
 * longer than this before it leaves: a later gate-out as empty begins another trip.
 */
const emptyOutGapMsMax = 14 * dayMs
/**
 * The same for a container that leaves the port to which its ship went, when nobody reported its discharge: it may be
 * called empty by mistake, but it never waits longer than this.
 */
const sailedGapMsMax = 30 * dayMs
/**
 * A terminal's statement about a container this long after the container came back empty, or went out laden, may be of
 * its next trip.
 */
const aftermathMsMax = 14 * dayMs
/** After this long, even what could continue the trip begins another, if it can begin an export. */
const longGapMsMax = 150 * dayMs

/**
 * Whether an event cannot belong to the trip so far. Only an event that begins an export ever starts another trip.
 * After the return, a move by land does not: empty containers are moved as well, and not every line states that they
 * are empty.
 */
export function isAnotherTrip(statement: Statement, progress: Progress): boolean {
  if (!beginsExport(statement, progress)) return false
  const isOut = statement.code === 'GTOT'
  if (progress.completedAt !== null) return statement.from > progress.completedAt && !isByLand(statement)
  if (isOut && (progress.isFullOut || progress.isEmptied)) return true
  const gapMs = progress.lastAt === null ? 0 : statement.from - progress.lastAt
  if (gapMs > longGapMsMax) return true
  if (progress.dischargedAt === null) return isOut && progress.hasSailed && gapMs > sailedGapMsMax
  if (isOut && isAbroad(statement, progress.dischargedAt)) return gapMs > emptyOutGapMsMax
  return gapMs > gapMsMax && (isOut || statement.placeKey !== progress.dischargedAt)
}

/** Whether the container goes out empty to be filled, is filled, or comes in or on board laden. */
export function beginsExport(statement: Statement, progress: Progress): boolean {
  const load = resolveGateLoad(statement, progress)
  if (statement.code === 'STUF') return true
  return statement.code === 'GTOT' ? load === 'EMPTY' : isLadenIn(statement.code) && load === 'LADEN'
}

export function isEmptyOut({ code, load }: Statement): boolean {
  return code === 'GTOT' && load === 'EMPTY'
}

function isLadenIn(code: Statement['code']): boolean {
  return code === 'GTIN' || code === 'LOAD'
}

/**
 * Whether a container whose return nobody reported goes out empty to be filled again: later it comes in laden, or is
 * loaded, at the same place. Not at the port of its last discharge: between two terminals of a port where the container
 * changes ships, it may be called empty by mistake.
 */
export function isOutToBeFilled(
  statement: Statement,
  progress: Progress,
  { inOrder, index }: { readonly inOrder: readonly Statement[]; readonly index: number },
): boolean {
  if (!isEmptyOut(statement) || !statement.isActual || !progress.hasSailed) return false
  if (progress.completedAt !== null) return false
  if (progress.isAshore && statement.placeKey === progress.dischargedAt) return false
  if (statement.from - (progress.lastAt ?? statement.from) <= emptyOutGapMsMax) return false
  return inOrder.some(
    ({ code, load, isActual, placeKey }, place) =>
      place > index && isActual && load === 'LADEN' && isLadenIn(code) && placeKey === statement.placeKey,
  )
}

/**
 * Whether a statement of a discharge is of a later trip whose beginning nobody stated. A terminal operator with several
 * ports, polled about this trip of a container, reports its next trip too. Long after the return that is every
 * discharge; soon after it, a discharge in another port that the line has not named. While no source has stated the
 * return, it is a discharge in such a port abroad, long after the container went out laden.
 */
export function isDischargedNext(statement: Statement, progress: Progress, inOrder: readonly Statement[]): boolean {
  if (
    !statement.isActual ||
    statement.code !== 'DISC' ||
    statement.mode !== 'VESSEL' ||
    statement.event.load !== 'LADEN'
  )
    return false
  const { completedAt, dischargedAt, isFullOut } = progress
  if (completedAt !== null && statement.from <= completedAt) return false
  const isLate = isLongAfter(statement.from, completedAt ?? progress.lastAt)
  if (completedAt !== null && isLate) return true
  if (isNamedByLine(statement, inOrder)) return false
  return completedAt === null
    ? isLate && isFullOut && isAbroad(statement, dischargedAt)
    : isOtherPort(statement, dischargedAt)
}

/**
 * From when on the statements of terminals are of a trip that is known only by its discharge. `before`: the trip before
 * it.
 */
export function startOfDischargedTrip(before: Progress, dischargedAt: number): number {
  const { completedAt, lastAt } = before
  return completedAt ?? Math.min(dischargedAt, (lastAt ?? dischargedAt) + aftermathMsMax)
}

export function isLongAfter(moment: number, earlier: number | null): boolean {
  return earlier !== null && moment - earlier > aftermathMsMax
}

/** Whether both places are known by their codes, and are two. A name may be that of the same port. */
function isOtherPort({ placeKey }: Statement, dischargedAt: string | null): boolean {
  return dischargedAt !== null && [placeKey, dischargedAt].every(isUnLocode) && placeKey !== dischargedAt
}

function isNamedByLine({ placeKey }: Statement, statements: readonly Statement[]): boolean {
  return statements.some((statement) => statement.placeKey === placeKey && isFromLine(statement))
}

function isFromLine({ claim }: Statement): boolean {
  return claim.source.kind === 'shipping_line'
}

/** Whether both places are known, and are in two countries. */
function isAbroad({ event }: Statement, dischargedAt: string | null): boolean {
  const { unlocode } = event.place
  if (unlocode === null || dischargedAt === null) return false
  return isUnLocode(dischargedAt) && unlocode.slice(0, 2) !== dischargedAt.slice(0, 2)
}

/**
 * Whether a statement of the time after the return shows no other trip. The container goes on by land; or a source
 * other than the line states that a ship discharged it in another port, without its load state, or that it passed a
 * gate abroad long after. So empty containers are moved as well. Any other laden gate-out contradicts the return.
 */
export function isAfterReturn(statement: Statement, progress: Progress): boolean {
  const { completedAt, dischargedAt } = progress
  if (completedAt === null || momentOf(statement) <= completedAt) return false
  if (!isFromLine(statement)) {
    if (statement.code === 'DISC' && statement.event.load === null && isOtherPort(statement, dischargedAt)) return true
    const isGate = statement.code === 'GTOT' || statement.code === 'GTIN'
    if (isGate && isAbroad(statement, dischargedAt) && isLongAfter(statement.from, completedAt)) return true
  }
  return resolveGateLoad(statement, progress) !== 'EMPTY' && isByLand(statement)
}

/** Moves that empty and laden containers both make: by train or truck, and in through a gate. */
export function isByLand(statement: Statement): boolean {
  if (statement.code === 'GTIN') return true
  if (statement.mode === 'RAIL') return true
  return (
    statement.mode === 'TRUCK' &&
    (statement.code === 'LOAD' || statement.code === 'DISC' || statement.code === 'ARRI' || statement.code === 'DEPA')
  )
}

/** A prediction belongs to the trip in which it was made, even when it is about a time after it. */
export function momentOf(statement: Statement): number {
  if (statement.isActual) return statement.from
  return statement.claim.observation.statedAt === null ? statement.from : Math.min(statement.from, statement.statedAtMs)
}
