/**
 * How much of a line's answers is understood: of one answer, and whether it is suddenly less for a whole line. An event
 * is understood when it was read, and both its kind and its place are known. The rules are in `docs/issues.md`.
 */

export interface EventCounts {
  /** All events of the answer, readable or not. */
  readonly told: number
  /** Events that need not be read: of sensors, and of other containers than the polled one. */
  readonly aside: number
  readonly understood: number
  /** Events of which nothing was read. */
  readonly lost: number
  /** How many events are not understood, by reason: a kind of issue, or `no_place` when no place was given at all. */
  readonly unread: Readonly<Record<string, number>>
}

export const noEventCounts: EventCounts = { told: 0, aside: 0, understood: 0, lost: 0, unread: {} }

/** Of the events that had to be read, the part that is not understood: 0 to 1; null when there were none. */
export function unreadShare(counts: Pick<EventCounts, 'told' | 'aside' | 'understood'>): number | null {
  const readable = counts.told - counts.aside
  return readable <= 0 ? null : (readable - counts.understood) / readable
}

/** Whether less than nine tenths are understood; null when there was nothing to understand. */
export function isPartlyUnderstood(counts: Pick<EventCounts, 'told' | 'aside' | 'understood'>): boolean | null {
  const readable = counts.told - counts.aside
  return readable <= 0 ? null : counts.understood * 10 < readable * 9
}

/** How many answers are compared with as many before them. */
export const jumpAnswers = 50
/** With fewer events nothing is known about a line. */
const jumpEventsMin = 100
/** How many numbers must have events that are not understood: one odd shipment does not show a fault of the line. */
const jumpNumbersMin = 5
/** The smallest jump, as a part of all events. One or two odd terminals cause less. */
const jumpStep = 0.1

/** The sums over a line's answers, in one of the two windows. */
export interface AnswerWindow {
  readonly answers: number
  readonly told: number
  readonly aside: number
  readonly understood: number
  /** How many different numbers had an event that was not understood. */
  readonly numbersWithLosses: number
}

/** The shares before and now, if the share jumped. Null when it did not, and when there were too few events to know. */
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

/** A jump that was reported is over when at most half of the step remains. */
export function isJumpOver(shareBefore: number, now: AnswerWindow): boolean {
  const share = unreadShare(now)
  return share !== null && share - shareBefore < jumpStep / 2 + 1e-9
}
