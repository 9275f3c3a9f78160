/**
 * Patterns of custom fields. Whoever has an account writes them, so they are judged by an engine that never goes back in
 * the text (RE2's syntax), in this process and not in the database, within a bound of size and one of time.
 */

import { setImmediate } from 'node:timers/promises'
import { RE2JS } from 're2js'
import { keptBeside } from '../../ground/kept-beside.ts'
import { rateLimited } from '../../limits/take-turn.ts'
import type { Service } from '../../service.ts'

/**
 * Steps of the compiled pattern; `[A-Z]{1,500}` has 1,005. The dearest that was found of this size takes 90 ms on 500
 * characters, usual ones some hundredths of a millisecond (2 cores).
 */
const stepsMax = 1_100
const windowMs = 60_000
const keptMax = 5_000

interface Spent {
  readonly sinceMs: number
  ms: number
}

const faults = new Map<string, string | null>()
/** By settings: a request that is one transaction has a service of its own, over the same ones. */
const spentOf = keptBeside<Service['config'], Map<string, Spent>>(() => new Map())

interface Given {
  readonly accountId: string
  readonly pattern: string
}

/** As `findPatternFault`, within the account's time. */
export function checkPattern(service: Service, { accountId, pattern }: Given): Promise<string | null> {
  return inBudget(service, accountId, () => findPatternFault(pattern))
}

/** Whether the whole text matches; every text does where the engine does not take the pattern. */
export function matchesPattern(
  service: Service,
  { accountId, pattern, text }: Given & { readonly text: string },
): Promise<boolean> {
  return inBudget(service, accountId, () => {
    const compiled = findPatternFault(pattern) === null ? compile(pattern) : ''
    return typeof compiled === 'string' || compiled.testExact(text)
  })
}

/** Why the engine does not take it, in words that follow “The pattern”; null when it does. */
export function findPatternFault(pattern: string): string | null {
  const known = faults.get(pattern)
  if (known !== undefined) return known
  const compiled = compile(pattern)
  if (faults.size >= keptMax) faults.clear()
  const fault = typeof compiled === 'string' ? compiled : null
  faults.set(pattern, fault)
  return fault
}

/**
 * Others have their turn before it. Throws `rate_limited` when the account's patterns have used up what they may take of
 * this process in a minute: a list of dear ones would stop it as one slow one does.
 */
async function inBudget<T>(service: Service, accountId: string, work: () => T): Promise<T> {
  await setImmediate()
  const spent = openBudget(service, accountId)
  const startedAt = performance.now()
  try {
    return work()
  } finally {
    spent.ms += performance.now() - startedAt
  }
}

function openBudget(service: Service, accountId: string): Spent {
  const all = spentOf(service.config)
  const { patternMsPerMinute } = service.config.limits
  const nowMs = performance.now()
  const known = all.get(accountId)
  if (known !== undefined && nowMs < known.sinceMs + windowMs) {
    if (patternMsPerMinute === 0 || known.ms < patternMsPerMinute) return known
    throw rateLimited(
      Math.ceil((known.sinceMs + windowMs - nowMs) / 1_000),
      `The patterns of this account's custom fields have taken more than ${patternMsPerMinute} ms of work in a minute. Let them repeat less, or send less at once.`,
    )
  }
  if (all.size >= keptMax) all.clear()
  const fresh: Spent = { sinceMs: nowMs, ms: 0 }
  all.set(accountId, fresh)
  return fresh
}

/** Anew each time: what a compiled one keeps to be fast may grow to megabytes. `.` is any character, line ends too. */
function compile(pattern: string): RE2JS | string {
  if (countSteps(pattern) > 2 * stepsMax) return tooLarge
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.DOTALL)
    return compiled.programSize() > stepsMax ? tooLarge : compiled
  } catch (error) {
    // Its own words name the part that it does not know.
    const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : ''
    return `is none that is known here (RE2: nothing looks around, nothing refers back): ${why.replace('`(?s)', '`')}`
  }
}

const tooLarge = 'repeats too much'

/** About, and without compiling it, which for the largest takes a third of a second: what is nested multiplies. */
function countSteps(pattern: string): number {
  const tokens = pattern.matchAll(
    /\\p\{\w+\}|\\p?.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|\((?:\?\w*:)?|./gisu,
  )
  const groups: number[] = []
  let [steps, last] = [0, 0]
  for (const [token, from, to] of tokens) {
    if (token.startsWith('(')) {
      groups.push(steps)
      steps = 0
    } else if (from !== undefined) {
      const times = Math.max(1, Number(from), Number(to || from))
      steps += last * (times - 1)
      last *= times
    } else if (token === ')') {
      last = steps
      steps += groups.pop() ?? 0
    } else {
      last = 1
      steps += 1
    }
  }
  return groups.reduce((sum, each) => sum + each, steps)
}
