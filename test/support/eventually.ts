import { setTimeout as pause } from 'node:timers/promises'

/**
 * Two minutes: long, since a wait ends when it comes to that, and a machine of many guests may give a test a tenth of what
 * it had a minute ago. Shorter than what the runner gives a test, so that the wait says what it waited for.
 */
const patienceMs = 120_000

interface Wait {
  /** What to say when it never came to that; asked then. */
  readonly late?: () => string
  readonly everyMs?: number
  /** Where what is asked for has a time of its own. */
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
