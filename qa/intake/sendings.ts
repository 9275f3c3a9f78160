/**
 * A journey as the sendings that carry it: in one language, or in all of them, where each saying is written in one
 * language or another.
 */

import { carried, type Language, languages, lastWords } from './carries.ts'
import { type Sending, writeSending } from './deliveries.ts'
import type { Journey, Saying } from './journeys.ts'

export const ways = [...languages, 'all'] as const
export type Way = (typeof ways)[number]

export interface SentJourney {
  readonly sendings: readonly Sending[]
  /** The sayings that can be expected from these sendings. */
  readonly sayings: readonly Saying[]
}

/** `number` gives the next number for the sendings; each is used once. */
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

/** The sayings of one speaker about one box at one moment form one sending. */
function groupsOf(sayings: readonly Saying[]): Iterable<readonly Saying[]> {
  return Map.groupBy(
    sayings,
    ({ by, writtenAt, observation }) => `${by} ${writtenAt} ${observation.equipment}`,
  ).values()
}

/**
 * Chooses one of the languages that can carry the whole group, sometimes two. A withdrawal names an id, and each
 * language has its own ids, so a saying that is withdrawn later stays in one language.
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
