/** Ports, terminals and depots as papers name them: by code, or by a name that fits one place only. */

import { nowhere, type ObservedPlace } from '../../../core/statements/observation.ts'
import { parseUnLocode } from '../../../core/values/identifiers.ts'
import { type ResolvedPlace, resolvePlace } from '../../../reference/places.ts'
import { textOf } from './context.ts'
import type { Fields } from './fields.ts'
import type { SaidField } from './word.ts'

export interface SaidPlace {
  readonly place: ObservedPlace
  readonly fields: readonly (SaidField | null)[]
}

/** Null where the document names none. */
export function portIn(
  fields: Fields,
  names: { readonly name: readonly string[]; readonly unlocode: readonly string[] },
): SaidPlace | null {
  const [name, code] = [fields.find(names.name), fields.find(names.unlocode)]
  const text = textOf(name) ?? textOf(code)
  if (text === null) return null
  return {
    place: observed(resolve(text, textOf(code)), { name: text, facilityCode: null }),
    fields: [name, code],
  }
}

/** A terminal or depot, by its code or by its name at the given port. Null where the document names none. */
export function facilityIn(
  fields: Fields,
  names: { readonly name: readonly string[]; readonly firms?: readonly string[] },
  port: ObservedPlace,
): SaidPlace | null {
  const [named, coded] = [fields.find(names.name), fields.find(names.firms ?? [])]
  const [name, code] = [textOf(named), textOf(coded)?.toUpperCase() ?? null]
  if (name === null && code === null) return null
  const isFirms = code !== null && /^[A-Z][A-Z0-9]{3}$/.test(code)
  const resolved = resolvePlace({
    unlocode: port.unlocode,
    facilityCode: isFirms ? code : null,
    facilityCodeListProvider: isFirms ? 'FIRMS' : null,
    facilityNames: [name],
  })
  return {
    place: { ...observed(resolved, { name, facilityCode: code }), facilityType: null },
    fields: [named, coded],
  }
}

/** `LOS ANGELES, CA, USA`: the town, its state and its country, of which a paper may leave out the last two. */
function resolve(text: string, code: string | null): ResolvedPlace | null {
  const unlocode = parseUnLocode(code ?? text)
  const [name = text, ...rest] = text.split(',').map((part) => part.trim())
  const [state = null] = rest
  const last = rest.at(-1) ?? null
  if (unlocode.ok) return resolvePlace({ unlocode: unlocode.value, name })
  return (
    resolvePlace({ name, subdivision: rest.length > 1 ? state : null, country: last }) ??
    (rest.length === 1 ? resolvePlace({ name, subdivision: state }) : null)
  )
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
