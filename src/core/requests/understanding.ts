/**
 * How much of what a line answers is understood: of one answer, and whether suddenly less of a whole line. An event is
 * understood when it was read, what happened is known, and so is where. The rules are written down in `docs/issues.md`.
 */

export interface EventCounts {
  /** All events of the answer, readable or not. */
  readonly told: number
  /** Those that were not to be read: of sensors, and of other containers than was asked for. */
  readonly aside: number
  readonly understood: number
  /** Those of which nothing was read. */
  readonly lost: number
  /** How many are not understood, by why: a kind of issue, or `no_place` where none was said at all. */
  readonly unread: Readonly<Record<string, number>>
}

export const nothingTold: EventCounts = { told: 0, aside: 0, understood: 0, lost: 0, unread: {} }

/** Of those that were to be read, the part that is not understood: 0 to 1; null when there were none. */
export function unreadShare(counts: Pick<EventCounts, 'told' | 'aside' | 'understood'>): number | null {
  const readable = counts.told - counts.aside
  return readable <= 0 ? null : (readable - counts.understood) / readable
}

/** Less than nine tenths are understood; null when there was nothing to understand. */
export function isPartlyUnderstood(
  counts: Pick<EventCounts, 'told' | 'aside' | 'understood'>,
): boolean | null {
  const readable = counts.told - counts.aside
  return readable <= 0 ? null : counts.understood * 10 < readable * 9
}

/** Answers that are compared with as many before them. */
export const jumpAnswers = 50
/** Fewer events say nothing of a line. */
const jumpEventsMin = 100
/** So many numbers must have losses: one odd shipment is not the line. */
const jumpNumbersMin = 5
/** Of all events: more than an odd terminal or two are. */
const jumpStep = 0.1

/** What the answers of a line come to, in one of the two windows. */
export interface AnswerWindow {
  readonly answers: number
  readonly told: number
  readonly aside: number
  readonly understood: number
  /** How many different numbers had an event that was not understood. */
  readonly numbersWithLosses: number
}

/** The shares before and now when it jumped; null when not, or when too little was told to say. */
export function findJump(
  before: AnswerWindow,
  now: AnswerWindow,
): { readonly shareBefore: number; readonly shareNow: number } | null {
  const isEnough = [before, now].every(
    ({ answers, told, aside }) => answers >= jumpAnswers && told - aside >= jumpEventsMin,
  )
  const shareBefore = unreadShare(before)
  const shareNow = unreadShare(now)
  if (!isEnough || shareBefore === null || shareNow === null) return null
  // Decimal fractions are not exact: 0.02 + 0.1 is more than 0.12.
  const isFar = shareNow - shareBefore > jumpStep - 1e-9 && shareNow >= 2 * shareBefore
  return isFar && now.numbersWithLosses >= jumpNumbersMin ? { shareBefore, shareNow } : null
}

/** A jump that was told of is over when half of the step at most is left. */
export function isJumpOver(shareBefore: number, now: AnswerWindow): boolean {
  const share = unreadShare(now)
  return share !== null && share - shareBefore < jumpStep / 2 + 1e-9
}
