/**
 * Limits that a source states in the headers of its answers: `RateLimit-Policy` (the IETF draft on rate limits),
 * and the headers with a window in their names that gateways send.
 */

import type { Exchange } from './diagnose-access.ts'

const windows = { second: 'perSecond', minute: 'perMinute', hour: 'perHour', day: 'perDay' } as const
const windowOfSeconds: Readonly<Record<string, keyof StatedRate>> = {
  1: 'perSecond',
  60: 'perMinute',
  3600: 'perHour',
  86400: 'perDay',
}

export type StatedRate = Partial<Record<(typeof windows)[keyof typeof windows], number>>

export interface StatedLimits {
  /** Only limits whose window is stated. */
  readonly rate: Readonly<StatedRate>
  /** All headers about limits, as they came: for a person. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

export function readStatedLimits(exchanges: readonly Exchange[]): StatedLimits {
  const last = exchanges.findLast(({ isForToken, result }) => !isForToken && result.kind === 'answer')
  if (last?.result.kind !== 'answer') return { rate: {}, headers: [] }
  const headers = Object.entries(last.result.headers)
    .filter(([name]) => /rate-?limit|quota|^retry-after$/.test(name))
    .map(([name, value]) => [name, value.slice(0, 200)] as const)
  const rate: StatedRate = {}
  for (const [name, value] of headers) {
    const window = /limit-(second|minute|hour|day)$/.exec(name)?.[1] as keyof typeof windows | undefined
    if (window !== undefined && /^[1-9]\d{0,8}$/.test(value)) rate[windows[window]] = Number(value)
    if (name === 'ratelimit-policy')
      for (const [, quota, seconds] of value.matchAll(/(?:^|,)\s*(?:"[^"]*"\s*;\s*q=)?([1-9]\d{0,8})\s*;\s*w=(\d+)/g)) {
        const named = windowOfSeconds[seconds ?? '']
        if (named !== undefined) rate[named] = Number(quota)
      }
  }
  return { rate, headers }
}
