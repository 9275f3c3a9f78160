/**
 * How a channel is asked (besides what it sends by itself), at the command line: reads this from a file, and shows it
 * in a line.
 */

import { readFileSync } from 'node:fs'
import { isObject, type JsonObject } from '../../../core/values/json-value.ts'
import type { AskingInput } from '../../../service/hearing/intake/asked-channel.ts'
import type { AskingState } from '../../../store/channels/asked-channels.ts'
import { UsageError } from '../frame/command.ts'

export const askingOption = {
  type: 'string',
  value: '<file.json>',
  about:
    'file that says how Landfall asks it, {"profile": {"base": …}, "secrets": {…}}: address, access and limits',
} as const

/**
 * Secrets come from a file, so that none remains in the history of a shell. `profileWithout` is used when the file has
 * no profile.
 */
export function askingIn(file: string | null, profileWithout: JsonObject | null = null): AskingInput | null {
  if (file === null) return null
  const { profile = profileWithout, secrets, ...rest } = objectIn(file)
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw new UsageError(`${file}: ${unknown} is neither profile nor secrets.`)
  if (!isObject(profile))
    throw new UsageError(`${file} needs a profile with at least the base of the address.`)
  if (secrets === undefined) return { profile }
  if (!isSecrets(secrets)) throw new UsageError(`${file}: each secret is a name with a text.`)
  return { profile, secrets }
}

function isSecrets(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((secret) => typeof secret === 'string')
}

export function objectIn(file: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new UsageError(`${file} does not exist or is not JSON.`)
  }
  if (!isObject(value)) throw new UsageError(`${file} must be a JSON object.`)
  return value
}

export function askedInWords(asking: AskingState | undefined): string {
  if (asking === undefined) return ''
  const { asksBy, numbers, failing, answeredAt, trouble, leftAloneUntil } = asking
  const failed = failing === 0 ? '' : `, ${failing} of them failed`
  const rest = leftAloneUntil === null ? '' : `, not asked until ${leftAloneUntil}`
  const wrong = trouble === null ? '' : `; trouble: ${trouble}`
  return `  asked by ${asksBy.join(', ')} about ${numbers} numbers${failed}, last answer ${answeredAt ?? 'never'}${rest}${wrong}`
}
