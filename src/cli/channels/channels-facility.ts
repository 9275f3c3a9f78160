/**
 * The description of a terminal or railway at the command line: one that Landfall ships, by its name, or the operator's
 * own file.
 */

import {
  type Description,
  findBuiltInDescription,
  mergeOverrides,
  readDescription,
  shippedNames,
} from '../../connectors/terminal-api/description.ts'
import type { JsonObject } from '../../domain/values/json-value.ts'
import type { PollConfigInput } from '../../modules/channels/poll-config.ts'
import { UsageError } from '../framework/command.ts'
import { readJsonObject } from './channels-polling.ts'

export const facilityLanguage = 'facility'

/** Throws when `given` is neither. The content of the two halves is checked with the channel. */
export function readFacilityDescription(given: string | null): Description {
  if (given === null)
    throw new UsageError(`A facility needs --profile: ${shippedNames.join(', ')}, or a file with its description.`)
  const shipped = findBuiltInDescription(given)
  if (shipped !== null) return shipped
  if (!given.endsWith('.json'))
    throw new UsageError(
      `${given} is neither a description that Landfall contains (${shippedNames.join(', ')}) nor a .json file.`,
    )
  const read = readDescription(readJsonObject(given))
  if (!read.ok) throw new UsageError(`${given}: ${read.reason}.`)
  return read.value
}

/** The file of `--asking` contains secrets, and the settings that differ from the description. */
export function mergePollSettings(
  { asking: pollSettings }: Description,
  given: { readonly profile: JsonObject; readonly secrets?: Readonly<Record<string, string>> } | null,
): PollConfigInput | null {
  if (given === null) return null
  return { ...given, profile: mergeOverrides(pollSettings ?? {}, given.profile) }
}

/**
 * The settings that the operator must make, because the facility gives each customer other values. Checked before
 * anything is created, so that the missing ones can be named.
 */
export function findUnsetSettings({
  operatorSets = [],
  answer,
  asking: pollSettings = {},
}: Description): readonly string[] {
  const whole: JsonObject = { answer, asking: pollSettings }
  const isSet = (path: string): boolean =>
    path.split('.').reduce<unknown>((value, step) => Object(value)[step], whole) !== undefined
  return operatorSets.filter((path) => !isSet(path))
}
