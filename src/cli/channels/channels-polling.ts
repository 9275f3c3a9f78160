/**
 * How a channel is polled (besides what it sends by itself), at the command line: reads this from a file, and shows it
 * in a line.
 */

import { readFileSync } from 'node:fs'
import { isObject, type JsonObject } from '../../domain/values/json-value.ts'
import type { PollConfigInput } from '../../modules/channels/poll-config.ts'
import type { PollState } from '../../modules/channels/polled-channels-sql.ts'
import { UsageError } from '../framework/command.ts'

export const pollOption = {
  type: 'string',
  value: '<file.json>',
  about:
    'file that says how Landfall polls the sender, {"profile": {"base": …}, "secrets": {…}}: address, access and limits',
} as const

/**
 * Secrets come from a file, so that none remains in the history of a shell. `profileWithout` is used when the file has
 * no profile.
 */
export function readPollSettings(
  file: string | null,
  profileWithout: JsonObject | null = null,
): PollConfigInput | null {
  if (file === null) return null
  const { profile = profileWithout, secrets, ...others } = readJsonObject(file)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new UsageError(`${file}: ${unknown} is neither profile nor secrets.`)
  if (!isObject(profile)) throw new UsageError(`${file} needs a profile with at least "base", the base address.`)
  if (secrets === undefined) return { profile }
  if (!isSecrets(secrets)) throw new UsageError(`${file}: the value of each secret must be a text.`)
  return { profile, secrets }
}

function isSecrets(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((secret) => typeof secret === 'string')
}

export function readJsonObject(file: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new UsageError(`${file} does not exist or is not JSON.`)
  }
  if (!isObject(value)) throw new UsageError(`${file} must be a JSON object.`)
  return value
}

export function describePolling(polling: PollState | undefined): string {
  if (polling === undefined) return ''
  const { pollNumberKinds, numbers, failing, answeredAt, trouble: problem, cooldownUntil } = polling
  const failed = failing === 0 ? '' : `, ${failing} of them failed`
  const cooldownText = cooldownUntil === null ? '' : `, not asked until ${cooldownUntil}`
  const wrong = problem === null ? '' : `; trouble: ${problem}`
  return `  asked by ${pollNumberKinds.join(', ')} about ${numbers} numbers${failed}, last answer ${answeredAt ?? 'never'}${cooldownText}${wrong}`
}
