/** Ports, terminals and depots as papers name them: by code, or by a name that fits one place only. */

import { nowhere, type ObservedPlace } from '../../../core/statements/observation.ts'
import { parseUnLocode } from '../../../core/values/identifiers.ts'
import { type ResolvedPlace, resolvePlace } from '../../../reference/places.ts'
import { textOf } from './context.ts'
import type { Fields } from './fields.ts'
import { memberNames } from './names.ts'
import type { SaidField } from './word.ts'

export interface SaidPlace {
  readonly place: ObservedPlace
  /** Those that name it. */
  readonly fields: readonly SaidField[]
}

const { place: names } = memberNames

/** Null where the document names none. */
export function portIn(fields: Fields, of: string): SaidPlace | null {
  const [name, code] = [fields.find(of, names.name), fields.find(of, names.unlocode)]
  const text = textOf(name) ?? textOf(code)
  if (text === null) return null
  const resolved = resolvePort(text, textOf(code))
  const printed = textOf(name) ?? (resolved === null ? text : null)
  const place = observed(resolved, { name: printed, facilityCode: null })
  return { place, fields: [name, code].filter((field) => field !== null) }
}

/** `LOS ANGELES, CA, USA`: the town, its state and its country, of which a paper may leave out the last two. */
function resolvePort(text: string, code: string | null): ResolvedPlace | null {
  const unlocode = parseUnLocode(code ?? text)
  const [name = text, ...rest] = text.split(',').map((part) => part.trim())
  if (unlocode.ok) return resolvePlace({ unlocode: unlocode.value, name })
  const [state = null] = rest
  const country = rest.at(-1) ?? null
  return (
    resolvePlace({ name, subdivision: rest.length > 1 ? state : null, country }) ??
    (rest.length === 1 ? resolvePlace({ name, subdivision: state }) : null)
  )
}

/**
 * A terminal or depot at the port, by its FIRMS code or by its name there. One that is not known keeps its name and has
 * no place: it need not be at the port. Null where the document names none, and where it names one that lies elsewhere.
 */
export function facilityIn(fields: Fields, of: string, port: ObservedPlace): SaidPlace | null {
  const [named, coded] = [fields.find(of, names.name), fields.find(of, names.firms)]
  const [name, facilityCode] = [textOf(named), textOf(coded)?.toUpperCase() ?? null]
  if (name === null && facilityCode === null) return null
  const resolved = resolvePlace({
    unlocode: port.unlocode,
    facilityCode,
    facilityCodeListProvider: 'FIRMS',
    facilityNames: [name],
  })
  const terminal = resolved?.terminal ?? null
  if (terminal !== null && terminal.unlocode !== port.unlocode) return null
  return {
    place: observed(terminal === null ? null : resolved, { name, facilityCode }),
    fields: [coded, named].filter((field) => field !== null),
  }
}

function observed(
  resolved: ResolvedPlace | null,
  said: Pick<ObservedPlace, 'name' | 'facilityCode'>,
): ObservedPlace {
  return {
    ...nowhere,
    ...said,
    unlocode: resolved?.place.unlocode ?? null,
    terminalId: resolved?.terminal?.id ?? null,
    timeZone: resolved?.timeZone ?? null,
  }
}
