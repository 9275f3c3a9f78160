/** Profiles as they are stored, checked by their source: each is checked once and its check remembered. */

import type { Result } from '../core/result.ts'

export function checkOnce<Profile>(source: {
  parseProfile(value: unknown): Result<Profile, string>
}): (value: unknown) => Result<Profile, string> {
  const checks = new WeakMap<object, Result<Profile, string>>()
  return (value) => {
    if (typeof value !== 'object' || value === null) return source.parseProfile(value)
    const known = checks.get(value)
    if (known !== undefined) return known
    const parsed = source.parseProfile(value)
    checks.set(value, parsed)
    return parsed
  }
}
