/**
 * The journey notation: observations and claims as lines of text that a person can write and a test can compare.
 * The grammar is in docs/notation.md. What is written here reads back as exactly the same observation.
 */

import { factNames, factTable } from '../statements/facts.ts'
import { naturalKeyOf } from '../statements/natural-key.ts'
import type {
  Claim,
  EventObservation,
  FactObservation,
  Hand,
  Observation,
  ObservedPlace,
  Source,
} from '../statements/observation.ts'
import { emptyIndicators, eventClassifiers, eventCodes, transportModes } from '../values/codes.ts'
import { isContainerNumber } from '../values/identifiers.ts'
import type { Milestone } from '../view/projection.ts'
import { parseLineAttributes, writeSource } from './notation-attributes.ts'
import {
  codeOrNull,
  NotationProblem,
  parseCode,
  parseNumber,
  parseOptionalToken,
  parseRequiredToken,
  parseToken,
  type Token,
  tokenizeLine,
  writeToken,
} from './notation-tokens.ts'
import {
  parseFactValue,
  parseInstant,
  parsePlace,
  parseTime,
  parseVessel,
  type TakeAttribute,
  type TimeZoneOf,
  writeFactValue,
  writeInstant,
  writePlaceCode,
  writePlaceDetails,
  writeTime,
  writeVessel,
} from './notation-values.ts'

/** What lines need not repeat: the zone of a place, and the container that a story is about. */
export interface NotationContext {
  readonly timeZoneOf?: TimeZoneOf
  readonly equipment?: string | null
}

/** The part of a claim that is not the observation. */
export type ClaimRecord = Omit<Claim, 'source' | 'observation'>

/** How a statement of a message came: the part of it that one line of the notation can contain. */
export interface MessageProvenance {
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
       * Only when the line states when the message was written, or that it is relayed, and the statement is not on
       * record.
       */
      readonly delivery?: MessageProvenance
    }
  | { readonly kind: 'blank' }
  | { readonly kind: 'error'; readonly column: number; readonly problem: string }

const noZone: TimeZoneOf = () => null

/** `ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:EGLV` and what else is known as `key=value`. */
export function writeObservation(observation: Observation, source: Source, context: NotationContext = {}): string {
  const fields =
    observation.kind === 'event' ? eventFields(observation, source, context) : factFields(observation, source, context)
  return [...fields, ...statementFields(observation)].join(' ')
}

/** An observation with its place on record: `claim=… read=… recorded=… stands=… delivery=… retired=…`. */
export function writeClaim(claim: Claim, context: NotationContext = {}): string {
  const fields = [
    writeObservation(claim.observation, claim.source, context),
    `claim=${writeToken(claim.id)}`,
    `read=${writeInstant(claim.readAt)}`,
    `recorded=${writeInstant(claim.recordedAt)}`,
  ]
  if (claim.standsAt !== claim.recordedAt) fields.push(`stands=${writeInstant(claim.standsAt)}`)
  if (claim.deliveryKey !== null) fields.push(`delivery=${writeToken(claim.deliveryKey)}`)
  if (claim.hand === 'relayed') fields.push('relayed')
  if (claim.retiredAt !== null) fields.push(`retired=${writeInstant(claim.retiredAt)}`)
  return fields.join(' ')
}

/** A milestone as one line, for stories and the tour: `ACT vessel_loaded CNNGB 2026-01-06T14:30Z (shipping_line)`. */
export function writeMilestone(milestone: Milestone): string {
  const { place } = milestone
  const where = place.unlocode === null && place.name !== null ? JSON.stringify(place.name) : writePlaceCode(place)
  const classifier = milestone.kind === 'actual' ? 'ACT' : 'EST'
  return `${classifier} ${milestone.name} ${where} ${writeTime(milestone.time)} (${milestone.source})`
}

function eventFields(event: EventObservation, source: Source, context: NotationContext): readonly string[] {
  const fields = [
    event.classifier,
    (event.code ?? '-').padEnd(4),
    (event.load ?? '-').padEnd(5),
    writePlaceCode(event.place).padEnd(5),
    writeTime(event.time).padEnd(17),
    writeSource(source),
    ...equipmentFields(event.equipment, context),
  ]
  if (event.mode !== null) fields.push(`via=${event.mode}`)
  if (event.vessel !== null) fields.push(`vessel=${writeVessel(event.vessel)}`)
  if (event.voyage !== null) fields.push(`voyage=${writeToken(event.voyage)}`)
  fields.push(...writePlaceDetails(event.place, context.timeZoneOf ?? noZone))
  if (event.callId !== null) fields.push(`call=${writeToken(event.callId)}`)
  if (event.callSequence !== null) fields.push(`seq=${event.callSequence}`)
  if (event.original !== null) fields.push(`original=${JSON.stringify(event.original)}`)
  return fields
}

function factFields(fact: FactObservation, source: Source, context: NotationContext): readonly string[] {
  const details = isPlaceFact(fact) ? writePlaceDetails(fact.value, context.timeZoneOf ?? noZone) : []
  return [
    'FACT',
    fact.fact,
    writeFactValue(fact),
    writeSource(source),
    ...equipmentFields(fact.equipment, context),
    ...details,
  ]
}

type PlaceFact = Extract<FactObservation, { readonly value: ObservedPlace }>

function isPlaceFact(fact: FactObservation): fact is PlaceFact {
  return factTable[fact.fact].value === 'place'
}

function equipmentFields(equipment: string | null, context: NotationContext): readonly string[] {
  if (equipment === (context.equipment ?? null)) return []
  return [`box=${writeToken(equipment, isContainerNumber)}`]
}

function statementFields(observation: Observation): readonly string[] {
  const fields: string[] = []
  if (observation.key !== naturalKeyOf(observation)) fields.push(`key=${writeToken(observation.key)}`)
  if (observation.statedAt !== null) fields.push(`stated=${writeInstant(observation.statedAt)}`)
  if (observation.isRetracted) fields.push('retracted')
  return fields
}

/** Parses one line. A blank line or a comment is `blank`; an error names its column, from 1. */
export function parseJourneyLine(line: string, context: NotationContext = {}): JourneyLine {
  try {
    const tokens = tokenizeLine(line)
    return tokens.length === 0 ? { kind: 'blank' } : parseStatementLine(tokens, line, context)
  } catch (error) {
    if (error instanceof NotationProblem) return { kind: 'error', column: error.column, problem: error.message }
    throw error
  }
}

function parseStatementLine(tokens: readonly Token[], line: string, context: NotationContext): JourneyLine {
  const isFact = tokens[0]?.text === 'FACT'
  const headLength = isFact ? 3 : 5
  const end: Token = { text: '', column: line.length + 1 }
  if (tokens.length <= headLength) throw new NotationProblem(end.column, describeExpectedHead(isFact))
  const attributes = parseLineAttributes(tokens.slice(headLength), end)
  const timeZoneOf = context.timeZoneOf ?? noZone
  const container = attributes.take('box')
  const stated = attributes.take('stated')
  const common = {
    equipment: container === null ? (context.equipment ?? null) : parseToken(container, isContainerNumber),
    statedAt: stated === null ? null : parseInstant(stated),
    isRetracted: attributes.isRetracted,
  }
  const key = attributes.take('key')
  const unkeyed = isFact
    ? { ...common, ...parseFact(tokens, attributes.take, timeZoneOf) }
    : { ...common, ...parseEvent(tokens, attributes.take, timeZoneOf) }
  const observation = {
    ...unkeyed,
    key: key === null ? naturalKeyOf(unkeyed as Observation) : parseRequiredToken(key),
  }
  const hand = attributes.isRelayed ? 'relayed' : 'first'
  const record = parseRecord(attributes.take, hand)
  const delivery = record === null ? parseProvenance(attributes.take, hand) : null
  attributes.refuseLeftovers()
  return {
    kind: 'said',
    observation: observation as Observation,
    source: attributes.source,
    record,
    ...(delivery !== null && { delivery }),
  }
}

function describeExpectedHead(isFact: boolean): string {
  return isFact
    ? 'a fact is FACT name value source'
    : 'an event is classifier, code, load state, place, time and source'
}

function parseEvent(
  tokens: readonly Token[],
  take: TakeAttribute,
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
    voyage: parseOptionalToken(take('voyage')),
    callId: parseOptionalToken(take('call')),
    callSequence: sequence === null ? null : parseNumber(sequence),
    original: parseOptionalToken(take('original')),
  }
}

function parseFact(
  tokens: readonly Token[],
  take: TakeAttribute,
  timeZoneOf: TimeZoneOf,
): Omit<FactObservation, 'key' | 'equipment' | 'statedAt' | 'isRetracted'> {
  // The caller has counted the head: three tokens.
  const [, name, value] = tokens as readonly [Token, Token, Token]
  const fact = parseCode(name, factNames)
  // parseFactValue reads the shape that this very fact has.
  return { kind: 'fact', fact, value: parseFactValue(fact, value, take, timeZoneOf) } as FactObservation
}

/** `written=2026-01-10T06:00Z relayed`. */
function parseProvenance(take: TakeAttribute, hand: Hand): MessageProvenance | null {
  const written = take('written')
  if (written === null && hand === 'first') return null
  return { writtenAt: written === null ? null : parseInstant(written), hand }
}

function parseRecord(take: TakeAttribute, hand: Hand): ClaimRecord | null {
  const id = take('claim')
  if (id === null) return null
  const read = take('read')
  const recorded = take('recorded')
  const retired = take('retired')
  const effectiveSince = take('stands')
  const delivery = take('delivery')
  if (read === null || recorded === null) {
    throw new NotationProblem(id.column, 'a claim needs read= and recorded=')
  }
  return {
    id: parseRequiredToken(id),
    readAt: parseInstant(read),
    recordedAt: parseInstant(recorded),
    standsAt: parseInstant(effectiveSince ?? recorded),
    hand,
    deliveryKey: delivery === null ? null : parseRequiredToken(delivery),
    retiredAt: retired === null ? null : parseInstant(retired),
  }
}
