/**
 * How wrong estimates of arrival are: the shipped errors, and what an account's own past shows. Few arrivals show
 * little: the shipped errors then count for more (`priorArrivals`).
 */

/** `vessel`: made of the ship's positions. `line`: stated by the line. `both`: weighed from the two. */
export const etaKinds = ['vessel', 'line', 'both'] as const
export type EtaKind = (typeof etaKinds)[number]

/** How far off estimates of one kind were found to be, when made at least `daysAheadMin` days ahead. */
export interface EtaErrors {
  readonly of: EtaKind
  readonly daysAheadMin: number
  /**
   * How much later ships really came, in hours: one in ten by less than `p10`, one in ten by more than `p90`. For
   * `both`: in multiples of the spread that follows from the two parts.
   */
  readonly p10: number
  readonly p90: number
  /**
   * The same for one in five. Weights are made of these: the outliers of a kind must not decide what its usual estimate
   * is worth.
   */
  readonly p20: number
  readonly p80: number
}

/** How wrong estimates of one kind were for this account, when made at least `daysAheadMin` days ahead. */
export interface PastErrors {
  /** As in `eta_outcomes`: `own` is our combined estimate. */
  readonly of: 'vessel' | 'line' | 'own'
  /** The line that carried the cargo. Null: all lines together. */
  readonly scac: string | null
  readonly daysAheadMin: number
  /** Different arrivals, not estimates: those of one voyage are wrong together. */
  readonly arrivals: number
  /** Hours, as in `EtaErrors`. */
  readonly p10: number
  readonly p20: number
  readonly p80: number
  readonly p90: number
}

/** The shipped errors count as much as so many arrivals of the account. */
const priorArrivals = 20

/** The row of the past for so many days ahead: of this line, else of all lines. */
export function pastAt(
  past: readonly PastErrors[],
  of: { readonly of: PastErrors['of']; readonly scac: string | null; readonly daysAhead: number },
): PastErrors | null {
  const rows = past.filter((row) => row.of === of.of && row.daysAheadMin === rowFor(past, of.daysAhead))
  return rows.find(({ scac }) => scac === of.scac) ?? rows.find(({ scac }) => scac === null) ?? null
}

/** The shipped rows of the line and of positions, each moved towards what the account's own past shows. */
export function learnErrors(
  errors: readonly EtaErrors[],
  past: readonly PastErrors[],
  scac: string | null,
): readonly EtaErrors[] {
  if (past.length === 0) return errors
  return errors.map((row) => {
    const { of, daysAheadMin } = row
    if (of === 'both') return row
    const own = pastAt(past, { of, scac: of === 'line' ? scac : null, daysAhead: daysAheadMin })
    if (own === null) return row
    const learnt = (prior: number, seen: number): number => blend(prior, seen, own.arrivals)
    return {
      ...row,
      p10: learnt(row.p10, own.p10),
      p20: learnt(row.p20, own.p20),
      p80: learnt(row.p80, own.p80),
      p90: learnt(row.p90, own.p90),
    }
  })
}

export function blend(prior: number, seen: number, arrivals: number): number {
  return (arrivals * seen + priorArrivals * prior) / (arrivals + priorArrivals)
}

function rowFor(past: readonly PastErrors[], daysAhead: number): number {
  return Math.max(0, ...past.map(({ daysAheadMin }) => daysAheadMin).filter((from) => from <= daysAhead))
}
