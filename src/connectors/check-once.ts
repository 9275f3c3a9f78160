/**
 * Checks stored profiles with the `parseProfile` of their source. Each profile is checked once and the result is
 * remembered.
 */

import type { Result } from '../domain/values/result.ts'

const profilesMax = 1_000

export function memoizeParseProfile<Profile>(source: {
  parseProfile(value: unknown): Result<Profile, string>
}): (value: unknown) => Result<Profile, string> {
  const checks = new WeakMap<object, Result<Profile, string>>()
  // Reading the same database row again gives another object with the same profile.
  const byText = new Map<string, Result<Profile, string>>()
  return (value) => {
    if (typeof value !== 'object' || value === null) return source.parseProfile(value)
    const known = checks.get(value)
    if (known !== undefined) return known
    const text = JSON.stringify(value)
    const parsed = byText.get(text) ?? source.parseProfile(value)
    if (byText.size >= profilesMax) byText.clear()
    byText.set(text, parsed)
    checks.set(value, parsed)
    return parsed
  }
}
