/**
 * Where an event happened. One event may name its place up to three times (its own location, the transport call's
 * location, the call's code), and carriers contradict themselves.
 *
 * The event's own location has the highest priority: the call only states to which visit the event belongs. A transport
 * event has no location of its own. There the call's `location` comes before the call's bare code, because it is the
 * newer and fuller field. If only one of the two names a known terminal, that one is used: an exact code is better than
 * a vague one.
 */

import { nowhere, type ObservedPlace } from '../../domain/statements/observation.ts'
import { facilityTypes, isOneOf, type TransportMode } from '../../domain/values/codes.ts'
import { findPlaceByName, type ResolvedPlace, resolvePlace } from '../../reference/places.ts'
import { type IssueList, quoteValue } from '../source-issue.ts'
import { codeFor } from './codes.ts'
import { memoize, type ReadContext } from './context.ts'
import type { EventNodes } from './event-parts.ts'
import { type JsonNode, readFirstText, readObject, readText } from './json-node.ts'

interface Candidate {
  readonly node: JsonNode
  readonly unlocode: string | null
  readonly facilityCode: string | null
  readonly facilityType: string | null
  /** The best name of the place, and its rank; 0 is best. */
  readonly name: string | null
  readonly nameRank: number
  readonly resolved: ResolvedPlace | null
}

export function readPlace(
  nodes: Pick<EventNodes, 'eventLocation' | 'callLocation' | 'call'>,
  context: ReadContext & { readonly mode: TransportMode | null },
): ObservedPlace {
  const candidates = [nodes.eventLocation, nodes.callLocation, nodes.call]
    .filter((node) => node !== null)
    .map((node) => readCandidate(node, context))
    .filter(({ unlocode, facilityCode, name, facilityType }) => unlocode ?? facilityCode ?? name ?? facilityType)
  const resolved = candidates.filter((candidate) => candidate.resolved !== null)
  reportConflict(candidates, context.issues)
  const eventCandidate = candidates.find(({ node }) => node === nodes.eventLocation)
  const exact = eventCandidate === undefined ? resolved.find((candidate) => candidate.resolved?.terminal) : undefined
  const [best] = resolved
  // If the event's own code is unknown, the place stays unknown: the place of the call would be a guess.
  const isEventLocation =
    eventCandidate?.unlocode || (best && context.mode !== 'VESSEL' && isElsewhere(eventCandidate?.name, best.resolved))
  const named = candidates.find(({ name, unlocode }) => name ?? unlocode)
  const chosen = (isEventLocation ? eventCandidate : exact) ?? best ?? named ?? candidates[0]
  if (chosen === undefined) return nowhere
  const place = chosen.resolved?.place ?? null
  // Candidates that mean the same place complete each other.
  const agreeing = [chosen, ...candidates].filter((other) => isSamePlace(chosen, other))
  const terminal = agreeing.find((other) => other.resolved?.terminal)?.resolved?.terminal ?? null
  const facilityType = agreeing.find((other) => other.facilityType !== null)?.facilityType ?? null
  return {
    unlocode: place?.unlocode ?? null,
    terminalId: terminal?.id ?? null,
    facilityCode: agreeing.find((other) => other.facilityCode !== null)?.facilityCode ?? null,
    facilityType: isOneOf(facilityTypes, facilityType) ? facilityType : null,
    name: bestNameOf(agreeing) ?? chosen.unlocode,
    timeZone: chosen.resolved?.timeZone ?? null,
  }
}

/**
 * True when the name belongs to another place of the same country. This is not applied to ships: an event of a ship
 * happens where the ship is, whatever name it has.
 */
function isElsewhere(name: string | null | undefined, of: ResolvedPlace | null): boolean {
  if (!name || of === null) return false
  const namesake = findPlaceByName({ name, country: of.place.countryCode })
  return namesake !== null && namesake.unlocode !== of.place.unlocode
}

function isSamePlace(chosen: Candidate, other: Candidate): boolean {
  if (other === chosen) return true
  if (chosen.resolved !== null && other.resolved !== null) {
    return chosen.resolved.place.unlocode === other.resolved.place.unlocode
  }
  return other.unlocode === null || other.unlocode === chosen.unlocode
}

/** If several names have the same rank, the first one is used: the chosen place's own. */
function bestNameOf(candidates: readonly Candidate[]): string | null {
  const [best] = candidates.filter(({ name }) => name !== null).toSorted((a, b) => a.nameRank - b.nameRank)
  return best?.name ?? null
}

function readCandidate(node: JsonNode, context: ReadContext): Candidate {
  const { issues, memory } = context
  const facility = readObject(node, 'facility', issues)
  const unlocode = readText(node, 'UNLocationCode', issues)?.toUpperCase() ?? null
  const facilityCode =
    readText(node, 'facilityCode', issues) ?? (facility && readText(facility, 'facilityCode', issues))
  const provider =
    readText(node, 'facilityCodeListProvider', issues) ??
    (facility && readText(facility, 'facilityCodeListProvider', issues))
  const { city, country, subdivision, terminalName } = readAddress(node, issues)
  const otherFacility = readText(node, 'otherFacility', issues)
  const facilityName = facility && readText(facility, 'facilityName', issues)
  const locationName = readText(node, 'locationName', issues) ?? facilityName ?? otherFacility
  const facilityNames = [facilityName, terminalName, locationName, otherFacility]
  const placeTexts = [unlocode, facilityCode, provider, locationName, city, subdivision, country]
  const spelling = [...placeTexts, ...facilityNames].join('\n')
  const resolved = memoize(memory.places, spelling, () =>
    resolvePlace({
      unlocode,
      facilityCode,
      facilityCodeListProvider: provider === 'SMDG' || provider === 'BIC' ? provider : null,
      facilityNames,
      // A name without its country identifies no place: too many places share it.
      ...(country !== null && { name: locationName, city, subdivision, country }),
    }),
  )
  if (resolved === null) reportUnknownPlace(node, { unlocode, name: locationName ?? city }, issues)
  else if (facilityCode !== null) reportUnknownFacility(node, { facilityCode, resolved }, issues)
  const facilityType = readFacilityType(node, context)
  // The name at an address is the name of a terminal. It is more precise than the name of the city, if the city is
  // already known.
  const names = resolved === null ? [locationName, city, terminalName] : [terminalName, locationName, city]
  const name = names.find((each) => each !== null) ?? null
  const nameRank = name === otherFacility ? 2 : name === terminalName ? 0 : 1
  return { node, unlocode, facilityCode, facilityType, name, nameRank, resolved }
}

interface Address {
  readonly city: string | null
  readonly country: string | null
  readonly subdivision: string | null
  readonly terminalName: string | null
}

function readAddress(node: JsonNode, issues: IssueList): Address {
  const address = readObject(node, 'address', issues)
  return {
    city: address && readFirstText(address, ['city', 'cityName'], issues),
    country: address && readFirstText(address, ['country', 'countryCode'], issues),
    subdivision: address && readText(address, 'stateRegion', issues),
    terminalName: address && readText(address, 'name', issues),
  }
}

function reportUnknownPlace(
  { path }: JsonNode,
  { unlocode, name }: Pick<Candidate, 'unlocode' | 'name'>,
  issues: IssueList,
): void {
  const label = unlocode ?? name
  if (label === null) return
  // A name without a code is stored as a name.
  const at =
    unlocode === null
      ? ({ path, lost: 'nothing' } as const)
      : ({ path: `${path}/UNLocationCode`, lost: 'field' } as const)
  issues.addOnce('unknown_place', at, `${quoteValue(label)} is not a known place`)
}

function reportUnknownFacility(
  { path }: JsonNode,
  { facilityCode, resolved }: { readonly facilityCode: string; readonly resolved: ResolvedPlace },
  issues: IssueList,
): void {
  if (resolved.terminal !== null) return
  const at = { path: `${path}/facilityCode`, lost: 'nothing' } as const
  const what = `${quoteValue(facilityCode)} is not a known facility at ${resolved.place.unlocode}`
  issues.addOnce('unknown_facility', at, what)
}

function readFacilityType(node: JsonNode, { issues, profile }: Pick<ReadContext, 'issues' | 'profile'>): string | null {
  const rawText = readFirstText(node, ['facilityTypeCode', 'facilityType'], issues)
  if (rawText === null) return null
  const code = codeFor('facility', rawText, profile.enumAliases)
  if (isOneOf(facilityTypes, code)) return code
  const at = { path: `${node.path}/facilityTypeCode`, lost: 'field' } as const
  issues.addOnce('unknown_code', at, `${quoteValue(rawText)} is not a known facility type`)
  return null
}

/** Reports an event with two different codes. An alias and its place (CNSHA, CNSHG) are not a contradiction. */
function reportConflict(candidates: readonly Candidate[], issues: IssueList): void {
  const coded = candidates.filter((candidate) => candidate.unlocode !== null)
  const resolvedCodes = coded.map((candidate) => candidate.resolved?.place.unlocode ?? candidate.unlocode)
  const other = coded.find((_, index) => resolvedCodes[index] !== resolvedCodes[0])
  if (other === undefined) return
  const at = { path: `${other.node.path}/UNLocationCode`, lost: 'nothing' } as const
  const [first = ''] = coded.map(({ unlocode }) => unlocode)
  issues.addOnce(
    'conflicting_location',
    at,
    `${quoteValue(other.unlocode ?? '')} contradicts ${quoteValue(first ?? '')}`,
  )
}
