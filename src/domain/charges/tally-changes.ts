/**
 * What changed between two tallies of a container, except by the passing of days as expected: a clock stopped, the
 * first charged day began, or the days, the last free day or the terms changed.
 */

import { addDays } from '../values/time.ts'
import { type ContainerTally, runsUntil, type TermsTally } from './tally.ts'

/** From the one that binds a person most. */
export const chargeChanges = ['stopped', 'started', 'changed'] as const
export type ChargeChange = (typeof chargeChanges)[number]

export const changeCauses = ['terms', 'last_free_day', 'days', 'missing'] as const
export type ChangeCause = (typeof changeCauses)[number]

export interface TermsChange {
  readonly kind: ChargeChange
  readonly before: TermsTally | null
  readonly after: TermsTally | null
  /** The unexpected changes; empty when only the first charged day began. */
  readonly causes: readonly ChangeCause[]
}

export interface TallyChange {
  /** Of all terms the one that has precedence: one change of a container is published once. */
  readonly kind: ChargeChange
  readonly terms: readonly TermsChange[]
}

/**
 * Null: no change. `containerSince`: since when the container is on record. Terms that were on record before it and
 * cannot be counted yet are not a change.
 */
export function diffTallies(
  before: ContainerTally | null,
  after: ContainerTally,
  containerSince: string,
): TallyChange | null {
  const slots = new Set([...(before?.terms ?? []), ...after.terms].map(({ slot }) => slot))
  const terms = [...slots].toSorted().flatMap((slot): readonly TermsChange[] => {
    const was = before?.terms.find((each) => each.slot === slot) ?? null
    const is = after.terms.find((each) => each.slot === slot) ?? null
    if (was === null && is !== null && is.phase === 'unknown' && is.recordedAt <= containerSince) return []
    const causes = findChangeCauses(was, is, before?.horizon ?? null)
    const kind = classifyChange(was, is, causes)
    return kind === null ? [] : [{ kind, before: was, after: is, causes }]
  })
  const kind = chargeChanges.find((each) => terms.some((change) => change.kind === each))
  return kind === undefined ? null : { kind, terms }
}

function classifyChange(
  was: TermsTally | null,
  is: TermsTally | null,
  causes: readonly ChangeCause[],
): ChargeChange | null {
  if (was !== null && was.phase !== 'stopped' && is?.phase === 'stopped') return 'stopped'
  const ranBefore = was === null || was.phase === 'free' || was.phase === 'unknown'
  if (ranBefore && is?.phase === 'charged') return 'started'
  return causes.length > 0 ? 'changed' : null
}

function findChangeCauses(
  was: TermsTally | null,
  is: TermsTally | null,
  horizon: string | null,
): readonly ChangeCause[] {
  if (was === null || is === null || horizon === null) return ['terms']
  const causes: ChangeCause[] = []
  if (was.code !== is.code) causes.push('terms')
  if (was.lastFreeDay?.day !== is.lastFreeDay?.day || was.lastFreeDay?.until !== is.lastFreeDay?.until)
    causes.push('last_free_day')
  if (hasOtherDays(was, is, horizon)) causes.push('days')
  if (was.missing !== is.missing) causes.push('missing')
  return causes
}

/** Compared up to the day until which both were counted: of a clock that stopped meanwhile, up to the day before. */
function hasOtherDays(was: TermsTally, is: TermsTally, horizon: string): boolean {
  if (was.from !== is.from) return true
  if (was.stoppedOn !== null || is.stoppedOn === null)
    return was.stoppedOn !== is.stoppedOn || !hasSameRuns(was, is, horizon)
  const until = is.stoppedOn < horizon ? addDays(is.stoppedOn, -1) : horizon
  return !hasSameRuns(was, is, until)
}

function hasSameRuns(was: TermsTally, is: TermsTally, until: string): boolean {
  return JSON.stringify(runsUntil(was, until)) === JSON.stringify(runsUntil(is, until))
}
