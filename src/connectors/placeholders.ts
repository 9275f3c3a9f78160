/** Texts that senders write where they have no value, and readings without them. */

import type { FactObservation, Observation, ObservedVessel } from '../domain/statements/observation.ts'
import type { Reading } from './source.ts'
import { quoteValue, type SourceIssue } from './source-issue.ts'

const placeholderTexts: ReadonlySet<string> = new Set([
  'N/A',
  'NA',
  '#N/A',
  'NIL',
  'NONE',
  'NULL',
  'UNDEFINED',
  'UNK',
  'UNKNOWN',
  'NOT AVAILABLE',
  'NOT KNOWN',
  'DUMMY',
  'TBA',
  'TBC',
  'TBD',
  'TBN',
  'TO BE ADVISED',
  'TO BE ANNOUNCED',
  'TO BE CONFIRMED',
  'TO BE DETERMINED',
  'TO BE NAMED',
  'TO BE NOMINATED',
])

/** True for a text of the list, and for nothing but zeros, X or marks. */
export function isPlaceholder(text: string): boolean {
  return (
    placeholderTexts.has(text.trim().replace(/\s+/g, ' ').toUpperCase()) || /^(?:0+|x{2,}|[^\p{L}\p{N}]*)$/iu.test(text)
  )
}

/** Every seal has a digit: `SI`, `YES` and `SEALED` only state that there is one. */
export function isSealPlaceholder(text: string): boolean {
  return !/[1-9]/.test(text) || isPlaceholder(text)
}

const textFacts: Readonly<Partial<Record<FactObservation['fact'], (text: string) => boolean>>> = {
  seal_number: isSealPlaceholder,
  size_type: isPlaceholder,
  chassis_number: isPlaceholder,
  yard_location: isPlaceholder,
  pickup_number: isPlaceholder,
  it_number: isPlaceholder,
  bill_of_lading_number: isPlaceholder,
  booking_number: isPlaceholder,
}

/** The same reading without facts, ships and voyages that are placeholders. An issue names each of them once. */
export function withoutPlaceholders(reading: Reading): Reading {
  const issues = new Map<string, SourceIssue>()
  const note = (what: string, text: string): null => {
    const quotedText = what === 'pickup_number' ? 'the text' : quoteValue(text)
    const detail = `${quotedText} is a placeholder and no ${what.replaceAll('_', ' ')}`
    issues.set(detail, { kind: 'wrong_type', page: 1, path: '', lost: 'field', detail })
    return null
  }
  const observations = reading.observations.flatMap((observation): readonly Observation[] => {
    if (observation.kind === 'fact') {
      const isNone = textFacts[observation.fact]
      if (typeof observation.value !== 'string' || isNone?.(observation.value) !== true) return [observation]
      note(observation.fact, observation.value)
      return []
    }
    const name = observation.vessel?.name ?? null
    const isUnnamed = name !== null && isPlaceholder(name)
    const isWithoutVoyage = observation.voyage !== null && isPlaceholder(observation.voyage)
    if (!isUnnamed && !isWithoutVoyage) return [observation]
    if (isUnnamed) note('ship', name)
    if (isWithoutVoyage) note('voyage', observation.voyage ?? '')
    const vessel = isUnnamed ? removeVesselName(observation.vessel) : observation.vessel
    return [{ ...observation, vessel, voyage: isWithoutVoyage ? null : observation.voyage }]
  })
  return issues.size === 0 ? reading : { ...reading, observations, issues: [...reading.issues, ...issues.values()] }
}

function removeVesselName(vessel: ObservedVessel | null): ObservedVessel | null {
  return vessel?.imo ? { imo: vessel.imo, name: null } : null
}
