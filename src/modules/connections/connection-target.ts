/** What can be connected: a carrier, or a terminal or railroad with a description that ships. */

import { type AccessGuide, facilityGuides, findAccessGuide } from '../../connectors/access-guides.ts'
import { findLineAccess, standardAccess } from '../../connectors/line-access.ts'
import { findPushedSource } from '../../connectors/pushed-source-registry.ts'
import { findSource } from '../../connectors/source-registry.ts'
import {
  type Description,
  findBuiltInDescription,
  mergeOverrides,
  shippedNames,
} from '../../connectors/terminal-api/description.ts'
import { isObject, type JsonObject } from '../../domain/values/json-value.ts'
import type { Result } from '../../domain/values/result.ts'
import { findNamedLine } from '../../reference/named-lines.ts'
import { allShippingLines } from '../../reference/shipping-lines.ts'
import { refusedAt } from '../errors.ts'

interface TargetBase {
  /** SCAC of a carrier, or name of a description. */
  readonly id: string
  readonly name: string
  /** The shipped profile for polls, with the operator's changes. */
  readonly profile: JsonObject
  /** Paths in the profile that the operator must still set. */
  readonly unset: readonly string[]
  readonly secretNames: readonly string[]
  /** False where no interface is known: the operator has to describe it. */
  readonly isKnown: boolean
  readonly isBilled: boolean
  readonly remarks: string
  readonly guide: AccessGuide | null
}
export type ConnectionTarget = TargetBase &
  (
    | { readonly kind: 'line'; readonly source: string }
    | { readonly kind: 'facility'; readonly answer: JsonObject; readonly speaker: string }
  )

/** A name to choose from. */
export interface ListedTarget {
  readonly id: string
  readonly name: string
  /** Who speaks through the connection: the kind, and the SCAC, FIRMS or SMDG code. */
  readonly speaker: { readonly kind: (typeof speakerKinds)[number]; readonly code: string }
}
export const speakerKinds = ['shipping_line', 'terminal', 'rail'] as const

/** All that can be connected, carriers first. */
export function listConnectionTargets(): readonly ListedTarget[] {
  const lines = allShippingLines().map(({ scac, name }) => ({
    id: scac,
    name,
    speaker: { kind: 'shipping_line' as const, code: scac },
  }))
  const facilities = shippedNames.map((id) => {
    const { name = id, speaker = '' } = findBuiltInDescription(id) ?? {}
    return { id, name, speaker: readSpeaker(speaker) }
  })
  return [...lines.toSorted((a, b) => (a.id < b.id ? -1 : 1)), ...facilities]
}

/**
 * `named`: a SCAC, a carrier's name, or the name of a description. `changes`: what differs from what ships: members of
 * the profile of a carrier, or `asking` and `answer` of a description. Throws a `ServiceError` for what is unknown or ambiguous, and for a profile that is wrong.
 */
export function findConnectionTarget(named: string, changes: JsonObject = {}): ConnectionTarget {
  const description = findBuiltInDescription(named.trim().toLowerCase())
  if (description !== null) return toFacility(named.trim().toLowerCase(), description, changes)
  const line = findNamedLine(named)
  if (line.kind === 'line') return toLine(line.line.scac, line.line.name, changes)
  const guide = facilityGuides().find(({ names }) => names.includes(named.trim().toLowerCase()))
  throw refusedAt(
    '/target',
    line.kind === 'several'
      ? line.detail
      : guide !== undefined
        ? `No description of ${guide.title ?? named} ships. ${guide.portal === null ? '' : `Its page for access is ${guide.portal}. `}docs/writing-a-terminal.md shows how to describe its interface.`
        : `${named.slice(0, 40)} is neither a carrier nor one of ${shippedNames.join(', ')}.`,
  )
}

/** `text`: `terminal:` or `rail:` with the code. */
export function readSpeaker(text: string): { readonly kind: 'terminal' | 'rail'; readonly code: string } {
  const [kind, code = ''] = text.split(':')
  return { kind: kind === 'rail' ? 'rail' : 'terminal', code }
}

function toLine(scac: string, name: string, changes: JsonObject): ConnectionTarget {
  const known = findLineAccess(scac)
  const { source, profile: shipped, operatorSets, remarks } = known ?? standardAccess(scac)
  const language = findSource(source)
  if (language === null) throw new Error(`there is no source ${source}`)
  const profile = mergeOverrides({ ...shipped }, changes)
  const unset = operatorSets.filter((path) => isUnset(profile, path))
  return {
    kind: 'line',
    id: scac,
    name,
    source,
    profile: unset.length === 0 ? checked(language.parseProfile(profile)) : profile,
    unset,
    secretNames: language.secretNames(profile),
    isKnown: known !== null,
    isBilled: profile['isBilled'] === true,
    remarks,
    guide: findAccessGuide(scac),
  }
}

function toFacility(id: string, description: Description, changes: JsonObject): ConnectionTarget {
  const { asking = {}, answer, speaker = '', operatorSets = [], remarks = '' } = description
  const polling = findPushedSource('facility')?.polling
  if (polling === undefined) throw new Error('there is no source facility')
  const whole = mergeOverrides({ asking, answer }, changes) as {
    readonly asking: JsonObject
    readonly answer: JsonObject
  }
  const unset = operatorSets.filter((path) => isUnset(whole, path))
  // A profile that lacks its address is not valid yet, but names its secrets.
  const parsed = polling.parseProfile({ base: 'https://unset.invalid', ...whole.asking })
  return {
    kind: 'facility',
    id,
    name: description.name ?? id,
    profile: unset.length === 0 ? checked(parsed) : whole.asking,
    unset,
    secretNames: parsed.ok ? polling.secretNames(parsed.value) : [],
    isKnown: true,
    isBilled: whole.asking['isBilled'] === true,
    remarks,
    guide: findAccessGuide(id),
    answer: whole.answer,
    speaker,
  }
}

function checked(parsed: Result<unknown, string>): JsonObject {
  if (parsed.ok) return parsed.value as JsonObject
  throw refusedAt('/profile', `The profile cannot be read: ${parsed.reason}.`)
}

/** Missing, null, or a placeholder that never resolves (RFC 2606). */
function isUnset(whole: JsonObject, path: string): boolean {
  const value = path.split('.').reduce<unknown>((inside, step) => (isObject(inside) ? inside[step] : undefined), whole)
  return value === undefined || value === null || (typeof value === 'string' && value.includes('.invalid'))
}
