/**
 * A number may be sent as the wrong kind: a booking as a bill. When the line does not find it, the line is polled once
 * for each other kind that the number could be. The first kind that the line knows becomes the request's kind. A
 * missing answer counts as not found here, because the kind that was sent is polled again in any case.
 */

export interface KindOption {
  readonly requestType: 'bill_of_lading' | 'booking_number' | 'container'
  readonly number: string
  readonly subjectId: string
}

export interface KindSearch {
  /** The kind that was sent comes first. */
  readonly options: readonly KindOption[]
  /** The index of the kind that is polled now, or that is tracked. */
  readonly asking: number
  /** What the line answered for the kind that was sent. */
  readonly answer: 'not_found' | 'invalid_number'
  readonly isOver: boolean
}

export type KindEvent =
  /** The line does not know the number as the kind that was sent: it is polled for the next kind. */
  | {
      readonly kind: 'other_kinds_tried'
      readonly options: readonly KindOption[]
      readonly answer: KindSearch['answer']
      readonly nextLookAt: string
    }
  | { readonly kind: 'kind_ruled_out'; readonly nextLookAt: string }
  | { readonly kind: 'kind_found' }
  /** The line knows no other kind either: its answer for the first one counts. */
  | { readonly kind: 'kinds_exhausted' }

/** How a poll ended. */
export type KindAnswer =
  | 'found'
  | 'known_without_data'
  | 'not_found'
  | 'cancelled'
  | 'invalid_number'
  | 'unreachable'
  | 'unrecognized'
  | 'internal_error'

export interface KindStep {
  readonly events: readonly KindEvent[]
  /** The answer with which the request continues; null while another kind is polled. */
  readonly answer: KindAnswer | null
}

/**
 * `kinds`: the kinds that the number can be, with the one that was sent first. With fewer than two, nothing else is
 * tried.
 */
export function stepKindSearch(
  search: KindSearch | undefined,
  poll: { readonly answer: KindAnswer; readonly kinds: readonly KindOption[]; readonly now: string },
): KindStep {
  const { answer, kinds, now } = poll
  if (search === undefined) {
    if (!isNegativeAnswer(answer) || kinds.length < 2) return { events: [], answer }
    return { events: [{ kind: 'other_kinds_tried', options: kinds, answer, nextLookAt: now }], answer: null }
  }
  if (search.isOver) return { events: [], answer }
  if (answer === 'found' || answer === 'known_without_data' || answer === 'cancelled')
    return { events: [{ kind: 'kind_found' }], answer }
  if (search.asking + 1 < search.options.length)
    return { events: [{ kind: 'kind_ruled_out', nextLookAt: now }], answer: null }
  return { events: [{ kind: 'kinds_exhausted' }], answer: search.answer }
}

/** The search after one of its own events. */
export function evolveKindSearch(search: KindSearch | undefined, event: KindEvent): KindSearch | undefined {
  if (event.kind === 'other_kinds_tried')
    return { options: event.options, asking: 1, answer: event.answer, isOver: false }
  if (search === undefined) return undefined
  if (event.kind === 'kind_ruled_out') return { ...search, asking: search.asking + 1 }
  return { ...search, asking: event.kind === 'kind_found' ? search.asking : 0, isOver: true }
}

export function isNegativeAnswer(answer: KindAnswer): answer is KindSearch['answer'] {
  return answer === 'not_found' || answer === 'invalid_number'
}
