import { setTimeout as pause } from 'node:timers/promises'

/**
 * Two minutes. A wait ends as soon as it can, so a long time costs nothing, and on a machine with many guests a test
 * may get a tenth of the time that it had a minute ago. It is shorter than the runner's limit for a test, so that the
 * error names what was waited for.
 */
const patienceMs = 120_000

interface Wait {
  /** The error message when it never happened; called at that moment. */
  readonly late?: () => string
  readonly everyMs?: number
  /** For something that has a time limit of its own. */
  readonly withinMs?: number
}

/** Asks again and again until there is an answer: one that is neither null nor false. */
export async function eventually<T>(
  ask: () => Promise<T | null | false> | T | null | false,
  { late = () => 'it never came to that', everyMs = 20, withinMs = patienceMs }: Wait = {},
): Promise<T> {
  for (const end = performance.now() + withinMs; ; await pause(everyMs)) {
    const answer = await ask()
    if (answer !== null && answer !== false) return answer
    if (performance.now() > end) throw new Error(late())
  }
}
