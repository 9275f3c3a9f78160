/**
 * Signs that a statement about a box is of another trip than what was told before, or of none. `Progress` is what
 * happened on the trip so far.
 */

import type { Statement } from '../statements/statement.ts'
import { isUnLocode } from '../values/identifiers.ts'
import { type Progress, settledGate } from './trip-progress.ts'

const dayMs = 86_400_000
/** No transshipment waits longer than this. After it, what begins an export begins another trip. */
const gapMsMax = 45 * dayMs
/**
 * A laden box that leaves a country other than that of its port may be called empty by mistake. It never waits longer
 * than this before it leaves: a later gate-out as empty begins another trip.
 */
const emptyOutGapMsMax = 14 * dayMs
/**
 * The same for a box that leaves the port to which its ship went, when nobody reported its discharge: it may be called
 * empty by mistake, but it never waits longer than this.
 */
const sailedGapMsMax = 30 * dayMs
/** What a terminal says of a box this long after the box came back empty, or went out laden, may be of its next trip. */
const aftermathMsMax = 14 * dayMs
/** After this long, even what could continue the trip begins another, if it can begin an export. */
const longGapMsMax = 150 * dayMs

/**
 * Whether an event cannot belong to the trip so far. Only what begins an export ever starts another trip. After the
 * return, a move by land does not: empty boxes are moved as well, and not every line says that they are empty.
 */
export function isAnotherTrip(told: Statement, progress: Progress): boolean {
  const load = settledGate(told, progress)
  const isEmptyOut = told.code === 'GTOT' && load === 'EMPTY'
  const isStart =
    isEmptyOut ||
    told.code === 'STUF' ||
    (told.code === 'GTIN' && load === 'LADEN') ||
    (told.code === 'LOAD' && load === 'LADEN')
  if (!isStart) return false
  if (progress.completedAt !== null) return told.from > progress.completedAt && !isByLand(told)
  if (isEmptyOut && (progress.isFullOut || progress.isEmptied)) return true
  const gapMs = progress.lastAt === null ? 0 : told.from - progress.lastAt
  if (gapMs > longGapMsMax) return true
  if (progress.dischargedAt === null) return isEmptyOut && progress.hasSailed && gapMs > sailedGapMsMax
  if (isEmptyOut && isAbroad(told, progress.dischargedAt)) return gapMs > emptyOutGapMsMax
  return gapMs > gapMsMax && (isEmptyOut || told.placeKey !== progress.dischargedAt)
}

/**
 * Whether a box whose return nobody reported goes out empty to be filled again: later it comes in laden, or is loaded,
 * at the same place. Not at the port of its last discharge: between two terminals of a port where the box changes
 * ships, it may be called empty by mistake.
 */
export function isOutToBeFilled(
  told: Statement,
  progress: Progress,
  { inOrder, index }: { readonly inOrder: readonly Statement[]; readonly index: number },
): boolean {
  if (told.code !== 'GTOT' || told.load !== 'EMPTY' || !told.isActual || !progress.hasSailed) return false
  if (progress.completedAt !== null) return false
  if (progress.isAshore && told.placeKey === progress.dischargedAt) return false
  if (told.from - (progress.lastAt ?? told.from) <= emptyOutGapMsMax) return false
  return inOrder.some(
    ({ code, load, isActual, placeKey }, place) =>
      place > index &&
      isActual &&
      load === 'LADEN' &&
      (code === 'GTIN' || code === 'LOAD') &&
      placeKey === told.placeKey,
  )
}

/**
 * Whether a ship is said to set the box down on a later trip, of which nobody said how it began. A terminal operator
 * with several ports, asked about this trip of a box, tells of its next trip too. Long after the return that is every
 * discharge; soon after it, one in another port that the line has not named. While nobody has said that the box is
 * back, it is a discharge in such a port abroad, long after the box went out laden.
 */
export function isDischargedNext(
  told: Statement,
  progress: Progress,
  inOrder: readonly Statement[],
): boolean {
  if (!told.isActual || told.code !== 'DISC' || told.mode !== 'VESSEL' || told.event.load !== 'LADEN')
    return false
  const { completedAt, dischargedAt, isFullOut } = progress
  if (completedAt !== null && told.from <= completedAt) return false
  const isLate = isLongAfter(told.from, completedAt ?? progress.lastAt)
  if (completedAt !== null && isLate) return true
  if (isNamedByLine(told, inOrder)) return false
  return completedAt === null
    ? isLate && isFullOut && isAbroad(told, dischargedAt)
    : isOtherPort(told, dischargedAt)
}

/** From when on what terminals say is of a trip that is known by its discharge alone. `before`: the trip before it. */
export function aftermathOf(before: Progress, dischargedAt: number): number {
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
  return statements.some((told) => told.placeKey === placeKey && isTheLines(told))
}

function isTheLines({ claim }: Statement): boolean {
  return claim.source.kind === 'shipping_line'
}

/** Whether both places are known, and lie in two countries. */
function isAbroad({ event }: Statement, dischargedAt: string | null): boolean {
  const { unlocode } = event.place
  if (unlocode === null || dischargedAt === null) return false
  return isUnLocode(dischargedAt) && unlocode.slice(0, 2) !== dischargedAt.slice(0, 2)
}

/**
 * Whether a word of the time after the return shows no other trip. The box goes on by land; or another than the line
 * says that a ship set it down in another port, without a word of its load, or that it passed a gate abroad long after.
 * So empty boxes are moved as well. Any other laden gate-out contradicts the return.
 */
export function isAfterReturn(told: Statement, progress: Progress): boolean {
  const { completedAt, dischargedAt } = progress
  if (completedAt === null || momentOf(told) <= completedAt) return false
  if (!isTheLines(told)) {
    if (told.code === 'DISC' && told.event.load === null && isOtherPort(told, dischargedAt)) return true
    const isGate = told.code === 'GTOT' || told.code === 'GTIN'
    if (isGate && isAbroad(told, dischargedAt) && isLongAfter(told.from, completedAt)) return true
  }
  return settledGate(told, progress) !== 'EMPTY' && isByLand(told)
}

/** Moves that empty and laden boxes both make: by train or lorry, and in through a gate. */
export function isByLand(told: Statement): boolean {
  if (told.code === 'GTIN') return true
  if (told.mode === 'RAIL') return true
  return (
    told.mode === 'TRUCK' &&
    (told.code === 'LOAD' || told.code === 'DISC' || told.code === 'ARRI' || told.code === 'DEPA')
  )
}

/** A prediction belongs to the trip in which it was made, even when it looks beyond. */
export function momentOf(told: Statement): number {
  if (told.isActual) return told.from
  return told.claim.observation.statedAt === null ? told.from : Math.min(told.from, told.saidAt)
}
