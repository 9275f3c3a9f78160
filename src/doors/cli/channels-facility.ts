/** A terminal or railway by its description at the command line: one that is shipped by its name, or an operator's own file. */

import type { JsonObject } from '../../core/json-value.ts'
import type { AskingInput } from '../../service/hearing/intake/asked-channel.ts'
import {
  type Description,
  findShipped,
  overlay,
  readDescription,
  shippedNames,
} from '../../sources/facility/description.ts'
import { objectIn } from './channels-asking.ts'
import { UsageError } from './command.ts'

export const facilityLanguage = 'facility'

/** Refuses what is neither; what both halves hold is checked with the channel. */
export function descriptionIn(given: string | null): Description {
  if (given === null)
    throw new UsageError(
      `A facility needs --profile: ${shippedNames.join(', ')}, or a file with its description.`,
    )
  const shipped = findShipped(given)
  if (shipped !== null) return shipped
  if (!given.endsWith('.json'))
    throw new UsageError(
      `${given} is no description that is shipped (${shippedNames.join(', ')}) and no .json.`,
    )
  const read = readDescription(objectIn(given))
  if (!read.ok) throw new UsageError(`${given}: ${read.reason}.`)
  return read.value
}

/** The file of `--asking` brings secrets, and what is different. */
export function facilityAsking(
  { asking }: Description,
  given: { readonly profile: JsonObject; readonly secrets?: Readonly<Record<string, string>> } | null,
): AskingInput | null {
  if (given === null) return null
  return { ...given, profile: overlay(asking ?? {}, given.profile) }
}

/** Before anything is made: what the facility gives each customer is told by name. */
export function unsetIn({ operatorSets = [], answer, asking = {} }: Description): readonly string[] {
  const whole: JsonObject = { answer, asking }
  const isSet = (path: string): boolean =>
    path.split('.').reduce<unknown>((value, step) => Object(value)[step], whole) !== undefined
  return operatorSets.filter((path) => !isSet(path))
}
