/** In an order that follows from a stream of numbers, so that a failure can be repeated. */
export function shuffled<T>(all: readonly T[], chance: Iterator<number>): readonly T[] {
  return all
    .map((each) => ({ each, place: chance.next().value as number }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ each }) => each)
}
