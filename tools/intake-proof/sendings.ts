/** A journey as what is sent of it: in one language, or in all of them at once, each saying now in this and now in that. */

import { carried, type Language, languages, lastWords } from './carries.ts'
import { type Sending, writeSending } from './deliveries.ts'
import type { Journey, Saying } from './journeys.ts'

export const ways = [...languages, 'all'] as const
export type Way = (typeof ways)[number]

export interface SentJourney {
  readonly sendings: readonly Sending[]
  /** What of the journey was to be told this way. */
  readonly sayings: readonly Saying[]
}

/** `number` gives the numbers that senders give to what they send, each once. */
export function sendBy(
  way: Way,
  journey: Journey,
  by: { readonly number: () => number; readonly random: () => number },
): SentJourney {
  const retracted = journey.sayings.filter(({ observation }) => observation.isRetracted)
  const takenBack = new Set(retracted.map(({ observation }) => observation.key))
  const told = [...groupsOf(journey.sayings)].flatMap((group) => {
    const chosen = way === 'all' ? languagesFor(group, takenBack, by.random) : [way]
    return chosen.map((language) => ({ language, group }))
  })
  const sendings = told.flatMap(({ language, group }) => writeSending(language, group, by.number()) ?? [])
  const sayings = told.flatMap(({ language, group }) =>
    group.flatMap((each) => {
      const saying = carried(language, each)
      return saying === null ? [] : { language, saying }
    }),
  )
  return { sendings, sayings: lastWords(sayings) }
}

/** What one speaker wrote of one box at one moment is one sending. */
function groupsOf(sayings: readonly Saying[]): Iterable<readonly Saying[]> {
  return Map.groupBy(
    sayings,
    ({ by, writtenAt, observation }) => `${by} ${writtenAt} ${observation.equipment}`,
  ).values()
}

/**
 * One of those that carry all of it, now and then two. What is taken back is taken back by its id, and each language has
 * ids of its own: such a saying stays in one.
 */
function languagesFor(
  group: readonly Saying[],
  takenBack: ReadonlySet<string>,
  random: () => number,
): readonly Language[] {
  if (group.some(({ observation }) => takenBack.has(observation.key))) return ['dcsa']
  const able = languages.filter((language) => group.every((each) => carried(language, each) !== null))
  const first = able[Math.floor(random() * able.length)]
  const second = random() < 0.2 ? able[Math.floor(random() * able.length)] : undefined
  return [...new Set([first, second])].filter((each) => each !== undefined)
}

export function shuffled<Value>(values: readonly Value[], random: () => number): readonly Value[] {
  return values
    .map((value) => ({ value, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ value }) => value)
}
