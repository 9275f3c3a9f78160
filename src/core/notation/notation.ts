/**
 * The journey notation: observations and claims as lines of text that a person can write and a test can compare.
 * The grammar is in docs/notation.md. What is written here reads back as exactly the same observation.
 */

import type { Milestone } from '../shown/projection.ts'
import { naturalKeyOf } from '../statements/natural-key.ts'
import type {
  Claim,
  EventObservation,
  FactObservation,
  Hand,
  Observation,
  Source,
} from '../statements/observation.ts'
import { emptyIndicators, eventClassifiers, eventCodes, isOneOf, transportModes } from '../values/codes.ts'
import { isContainerNumber } from '../values/identifiers.ts'
import { sortRest, writeSource } from './notation-rest.ts'
import {
  factNames,
  parseFactValue,
  parseInstant,
  parsePlace,
  parseTime,
  parseVessel,
  type Take,
  type TimeZoneOf,
  writeFactValue,
  writeInstant,
  writePlaceCode,
  writePlaceDetails,
  writeTime,
  writeVessel,
} from './notation-values.ts'
import {
  codeOrNull,
  cutIntoTokens,
  NotationProblem,
  parseCode,
  parseGivenWord,
  parseNumber,
  parseWord,
  type Token,
  wordOrNull,
  writeWord,
} from './notation-words.ts'

/** What lines need not repeat: the zone of a place, and the container that a story is about. */
export interface NotationContext {
  readonly timeZoneOf?: TimeZoneOf
  readonly equipment?: string | null
}

/** The part of a claim that is not the observation. */
export type ClaimRecord = Omit<Claim, 'source' | 'observation'>

/** How a statement of a message came: the part of it that one line of the notation can contain. */
export interface ToldAs {
  readonly writtenAt: string | null
  readonly hand: Hand
}

export type JourneyLine =
  | {
      readonly kind: 'said'
      readonly observation: Observation
      readonly source: Source
      /** Null for an observation that is not on record as a claim. */
      readonly record: ClaimRecord | null
      /**
       * Only when the line says when the message was written, or that it is passed on, and the statement is not on
       * record.
       */
      readonly told?: ToldAs
    }
  | { readonly kind: 'blank' }
  | { readonly kind: 'error'; readonly column: number; readonly problem: string }

const noZone: TimeZoneOf = () => null

/** `ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:EGLV` and what else is known as `key=value`. */
export function writeObservation(
  observation: Observation,
  source: Source,
  context: NotationContext = {},
): string {
  const words =
    observation.kind === 'event'
      ? eventWords(observation, source, context)
      : factWords(observation, source, context)
  return [...words, ...statedWords(observation)].join(' ')
}

/** An observation with its place on record: `claim=… read=… recorded=… stands=… delivery=… retired=…`. */
export function writeClaim(claim: Claim, context: NotationContext = {}): string {
  const words = [
    writeObservation(claim.observation, claim.source, context),
    `claim=${writeWord(claim.id)}`,
    `read=${writeInstant(claim.readAt)}`,
    `recorded=${writeInstant(claim.recordedAt)}`,
  ]
  if (claim.standsAt !== claim.recordedAt) words.push(`stands=${writeInstant(claim.standsAt)}`)
  if (claim.deliveryKey !== null) words.push(`delivery=${writeWord(claim.deliveryKey)}`)
  if (claim.hand === 'relayed') words.push('relayed')
  if (claim.retiredAt !== null) words.push(`retired=${writeInstant(claim.retiredAt)}`)
  return words.join(' ')
}

/** A milestone as one line, for stories and the tour: `ACT vessel_loaded CNNGB 2026-01-06T14:30Z (shipping_line)`. */
export function writeMilestone(milestone: Milestone): string {
  const { place } = milestone
  const where =
    place.unlocode === null && place.name !== null ? JSON.stringify(place.name) : writePlaceCode(place)
  const classifier = milestone.kind === 'actual' ? 'ACT' : 'EST'
  return `${classifier} ${milestone.name} ${where} ${writeTime(milestone.time)} (${milestone.source})`
}

function eventWords(event: EventObservation, source: Source, context: NotationContext): readonly string[] {
  const words = [
    event.classifier,
    (event.code ?? '-').padEnd(4),
    (event.load ?? '-').padEnd(5),
    writePlaceCode(event.place).padEnd(5),
    writeTime(event.time).padEnd(17),
    writeSource(source),
    ...equipmentWords(event.equipment, context),
  ]
  if (event.mode !== null) words.push(`via=${event.mode}`)
  if (event.vessel !== null) words.push(`vessel=${writeVessel(event.vessel)}`)
  if (event.voyage !== null) words.push(`voyage=${writeWord(event.voyage)}`)
  words.push(...writePlaceDetails(event.place, context.timeZoneOf ?? noZone))
  if (event.callId !== null) words.push(`call=${writeWord(event.callId)}`)
  if (event.callSequence !== null) words.push(`seq=${event.callSequence}`)
  if (event.original !== null) words.push(`original=${JSON.stringify(event.original)}`)
  return words
}

function factWords(fact: FactObservation, source: Source, context: NotationContext): readonly string[] {
  const details = isPlaceFact(fact) ? writePlaceDetails(fact.value, context.timeZoneOf ?? noZone) : []
  return [
    'FACT',
    fact.fact,
    writeFactValue(fact),
    writeSource(source),
    ...equipmentWords(fact.equipment, context),
    ...details,
  ]
}

const placeFacts = [
  'pod_terminal',
  'port_of_loading',
  'port_of_discharge',
  'place_of_delivery',
  'undated_arrival',
  'undated_departure',
  'empty_return_place',
] as const
type PlaceFact = Extract<FactObservation, { fact: (typeof placeFacts)[number] }>

function isPlaceFact(fact: FactObservation): fact is PlaceFact {
  return isOneOf(placeFacts, fact.fact)
}

function equipmentWords(equipment: string | null, context: NotationContext): readonly string[] {
  if (equipment === (context.equipment ?? null)) return []
  return [`box=${writeWord(equipment, isContainerNumber)}`]
}

function statedWords(observation: Observation): readonly string[] {
  const words: string[] = []
  if (observation.key !== naturalKeyOf(observation)) words.push(`key=${writeWord(observation.key)}`)
  if (observation.statedAt !== null) words.push(`stated=${writeInstant(observation.statedAt)}`)
  if (observation.isRetracted) words.push('retracted')
  return words
}

/** Reads back what one line says. A blank line or a comment is `blank`; an error names its column, from 1. */
export function parseJourneyLine(line: string, context: NotationContext = {}): JourneyLine {
  try {
    const tokens = cutIntoTokens(line)
    return tokens.length === 0 ? { kind: 'blank' } : parseSaid(tokens, line, context)
  } catch (error) {
    if (error instanceof NotationProblem)
      return { kind: 'error', column: error.column, problem: error.message }
    throw error
  }
}

function parseSaid(tokens: readonly Token[], line: string, context: NotationContext): JourneyLine {
  const isFact = tokens[0]?.text === 'FACT'
  const headLength = isFact ? 3 : 5
  const end: Token = { text: '', column: line.length + 1 }
  if (tokens.length <= headLength) throw new NotationProblem(end.column, headMissing(isFact))
  const rest = sortRest(tokens.slice(headLength), end)
  const timeZoneOf = context.timeZoneOf ?? noZone
  const box = rest.take('box')
  const stated = rest.take('stated')
  const said = {
    equipment: box === null ? (context.equipment ?? null) : parseWord(box, isContainerNumber),
    statedAt: stated === null ? null : parseInstant(stated),
    isRetracted: rest.isRetracted,
  }
  const key = rest.take('key')
  const unkeyed = isFact
    ? { ...said, ...parseFact(tokens, rest.take, timeZoneOf) }
    : { ...said, ...parseEvent(tokens, rest.take, timeZoneOf) }
  const observation = {
    ...unkeyed,
    key: key === null ? naturalKeyOf(unkeyed as Observation) : parseGivenWord(key),
  }
  const hand = rest.isRelayed ? 'relayed' : 'first'
  const record = parseRecord(rest.take, hand)
  const told = record === null ? parseTold(rest.take, hand) : null
  rest.refuseLeftovers()
  return {
    kind: 'said',
    observation: observation as Observation,
    source: rest.source,
    record,
    ...(told !== null && { told }),
  }
}

function headMissing(isFact: boolean): string {
  return isFact
    ? 'a fact is FACT name value source'
    : 'an event is classifier, code, load state, place, time and source'
}

function parseEvent(
  tokens: readonly Token[],
  take: Take,
  timeZoneOf: TimeZoneOf,
): Omit<EventObservation, 'key' | 'equipment' | 'statedAt' | 'isRetracted'> {
  // The caller has counted the head: five tokens.
  const [classifier, code, load, place, time] = tokens as readonly [Token, Token, Token, Token, Token]
  const vessel = take('vessel')
  const sequence = take('seq')
  return {
    kind: 'event',
    classifier: parseCode(classifier, eventClassifiers),
    code: codeOrNull(code, eventCodes),
    load: codeOrNull(load, emptyIndicators),
    time: parseTime(time),
    place: parsePlace(place, take, timeZoneOf),
    mode: codeOrNull(take('via'), transportModes),
    vessel: vessel === null ? null : parseVessel(vessel),
    voyage: wordOrNull(take('voyage')),
    callId: wordOrNull(take('call')),
    callSequence: sequence === null ? null : parseNumber(sequence),
    original: wordOrNull(take('original')),
  }
}

function parseFact(
  tokens: readonly Token[],
  take: Take,
  timeZoneOf: TimeZoneOf,
): Omit<FactObservation, 'key' | 'equipment' | 'statedAt' | 'isRetracted'> {
  // The caller has counted the head: three tokens.
  const [, name, value] = tokens as readonly [Token, Token, Token]
  const fact = parseCode(name, factNames)
  // parseFactValue reads the shape that this very fact has.
  return { kind: 'fact', fact, value: parseFactValue(fact, value, take, timeZoneOf) } as FactObservation
}

/** `written=2026-01-10T06:00Z relayed`. */
function parseTold(take: Take, hand: Hand): ToldAs | null {
  const written = take('written')
  if (written === null && hand === 'first') return null
  return { writtenAt: written === null ? null : parseInstant(written), hand }
}

function parseRecord(take: Take, hand: Hand): ClaimRecord | null {
  const id = take('claim')
  if (id === null) return null
  const read = take('read')
  const recorded = take('recorded')
  const retired = take('retired')
  const stands = take('stands')
  const delivery = take('delivery')
  if (read === null || recorded === null) {
    throw new NotationProblem(id.column, 'a claim has read= and recorded= beside it')
  }
  return {
    id: parseGivenWord(id),
    readAt: parseInstant(read),
    recordedAt: parseInstant(recorded),
    standsAt: parseInstant(stands ?? recorded),
    hand,
    deliveryKey: delivery === null ? null : parseGivenWord(delivery),
    retiredAt: retired === null ? null : parseInstant(retired),
  }
}
