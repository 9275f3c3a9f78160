/**
 * Patterns of custom fields. Any account may write them, so the engine is one that never goes back in the text (RE2's
 * syntax). It runs in this process and not in the database, with a limit on size and one on time.
 */

import { setImmediate } from 'node:timers/promises'
import { RE2JS } from 're2js'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import type { Service } from '../service.ts'
import { rateLimited } from '../usage/acquire-quota-slot.ts'

/**
 * Maximum steps of the compiled pattern; `[A-Z]{1,500}` has 1,005. The slowest pattern of this size that was found
 * takes 90 ms on 500 characters, usual ones some hundredths of a millisecond (2 cores).
 */
const stepsMax = 1_100
const windowMs = 60_000
const rememberedMax = 5_000

interface BudgetUsage {
  readonly sinceMs: number
  ms: number
}

const faults = new Map<string, string | null>()
/** One for each settings object: a request that is one transaction has a service of its own, with the same settings. */
const usageOf = memoizePerOwner<Service['config'], Map<string, BudgetUsage>>(() => new Map())

interface AccountPattern {
  readonly accountId: string
  readonly pattern: string
}

/** Like `findPatternFault`, but counts against the time that the account may use. */
export function checkPattern(service: Service, { accountId, pattern }: AccountPattern): Promise<string | null> {
  return runInBudget(service, accountId, () => findPatternFault(pattern))
}

/** Whether the whole text matches. When the engine does not accept the pattern, every text matches. */
export function matchesPattern(
  service: Service,
  { accountId, pattern, text }: AccountPattern & { readonly text: string },
): Promise<boolean> {
  return runInBudget(service, accountId, () => {
    const compiled = findPatternFault(pattern) === null ? compilePattern(pattern) : ''
    return typeof compiled === 'string' || compiled.testExact(text)
  })
}

/** Why the engine does not accept the pattern, as a text that follows “The pattern”; null when it does. */
export function findPatternFault(pattern: string): string | null {
  const known = faults.get(pattern)
  if (known !== undefined) return known
  const compiled = compilePattern(pattern)
  if (faults.size >= rememberedMax) faults.clear()
  const fault = typeof compiled === 'string' ? compiled : null
  faults.set(pattern, fault)
  return fault
}

/**
 * Lets other work of this process run first. Throws `rate_limited` when the account's patterns have used the time that
 * they may take of this process in a minute: many slow patterns would block the process as one very slow one does.
 */
async function runInBudget<T>(service: Service, accountId: string, work: () => T): Promise<T> {
  await setImmediate()
  const usage = openBudget(service, accountId)
  const startedAt = performance.now()
  try {
    return work()
  } finally {
    usage.ms += performance.now() - startedAt
  }
}

function openBudget(service: Service, accountId: string): BudgetUsage {
  const all = usageOf(service.config)
  const { patternMsPerMinute } = service.config.limits
  const nowMs = performance.now()
  const known = all.get(accountId)
  if (known !== undefined && nowMs < known.sinceMs + windowMs) {
    if (patternMsPerMinute === 0 || known.ms < patternMsPerMinute) return known
    throw rateLimited(
      Math.ceil((known.sinceMs + windowMs - nowMs) / 1_000),
      `The patterns of this account's custom fields have used more than ${patternMsPerMinute} ms of processing time in a minute. Use fewer repetitions in them, or send fewer values at once.`,
    )
  }
  if (all.size >= rememberedMax) all.clear()
  const fresh: BudgetUsage = { sinceMs: nowMs, ms: 0 }
  all.set(accountId, fresh)
  return fresh
}

/**
 * Compiles again each time, because what a compiled pattern stores to be fast may grow to megabytes. `.` matches any
 * character, line ends too.
 */
function compilePattern(pattern: string): RE2JS | string {
  if (countSteps(pattern) > 2 * stepsMax) return tooLarge
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.DOTALL)
    return compiled.programSize() > stepsMax ? tooLarge : compiled
  } catch (error) {
    // The engine's message names the part that it does not know.
    const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : ''
    return `is not a valid RE2 pattern (no lookaround, no backreferences): ${why.replace('`(?s)', '`')}`
  }
}

const tooLarge = 'repeats too much'

/**
 * An estimate without compiling, which takes a third of a second for the largest patterns. Nested repetitions multiply.
 */
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
