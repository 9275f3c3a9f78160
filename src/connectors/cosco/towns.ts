/** Places as COSCO writes them: `facility,city,state,country`, and ports by their bare name. */

import { nowhere, type ObservedPlace } from '../../domain/statements/observation.ts'
import { resolvePlace } from '../../reference/places.ts'
import { plainName } from '../../reference/plain-name.ts'
import { type IssueList, quoteValue } from '../source-issue.ts'

export interface Town {
  /** The text before the town; null if there is no such text. */
  readonly facility: string | null
  readonly city: string
  readonly state: string | null
  readonly country: string
}

/** Null for a text without a country. */
export function readTown(text: string | null): Town | null {
  const parts = (text ?? '').split(',').map((part) => part.trim())
  const country = parts.pop() ?? ''
  const state = parts.length > 1 ? (parts.pop() ?? '') : ''
  const city = parts.pop() ?? ''
  if (country === '' || city === '') return null
  const facility = parts.filter((part) => part !== '').join(', ')
  return { facility: facility || null, city, state: state || null, country }
}

/** The place of a town; an unknown town has its name only. */
export function placeOfTown(town: Town, at: { readonly path: string; readonly issues: IssueList }) {
  const { facility, city, state, country } = town
  return placeOf({ name: city, facility, state, country }, at)
}

/**
 * A port is written without its country, and many ports share a name. If the same answer names a town with that name,
 * and always in the same country, that country is used.
 */
export function placeOfPort(
  name: string,
  at: {
    readonly path: string
    readonly issues: IssueList
    readonly towns: readonly Town[]
    /** The terminal in the port, as written. */
    readonly facility?: string
  },
): ObservedPlace {
  const namesakes = at.towns.filter(({ city }) => plainName(city) === plainName(name))
  const [first] = namesakes
  const isOne = namesakes.every(({ country }) => country === first?.country)
  if (first === undefined || !isOne) return createUnknownPlace(name, at)
  const state = namesakes.find((town) => town.state !== null)?.state ?? null
  return placeOf({ name, facility: at.facility ?? null, state, country: first.country }, at)
}

interface WrittenPlace {
  readonly name: string
  readonly facility: string | null
  readonly state: string | null
  readonly country: string
}

function placeOf(
  { name, facility, state, country }: WrittenPlace,
  at: { readonly path: string; readonly issues: IssueList },
): ObservedPlace {
  const displayName = facility ?? name
  const resolved = resolvePlace({ name, subdivision: state, country, facilityNames: [facility] })
  if (resolved === null) return createUnknownPlace(displayName, at)
  const { place, terminal, timeZone } = resolved
  return {
    ...nowhere,
    unlocode: place.unlocode,
    terminalId: terminal?.id ?? null,
    name: displayName,
    timeZone,
  }
}

/** A name without a code is stored as a name. */
function createUnknownPlace(
  name: string,
  { path, issues }: { readonly path: string; readonly issues: IssueList },
): ObservedPlace {
  issues.addOnce('unknown_place', { path, lost: 'nothing' }, `${quoteValue(name)} is not a known place`)
  return { ...nowhere, name }
}
