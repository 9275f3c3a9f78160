/** The option `--kind` of commands about a number. */

import { type NumberKind, numberKinds } from '../../connectors/source.ts'
import { UsageError } from '../framework/command.ts'

export const kindOption = {
  type: 'string',
  value: '<kind>',
  about: `kind of the number: ${numberKinds.join(', ')}`,
} as const

export function parseNumberKind(given: string | null): NumberKind | null {
  const kind = numberKinds.find((each) => each === given) ?? null
  if (given !== null && kind === null)
    throw new UsageError(`${given} is not a kind of number. Give one of ${numberKinds.join(', ')}.`)
  return kind
}
