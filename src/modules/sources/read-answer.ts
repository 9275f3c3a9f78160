/**
 * Shows how Landfall reads an answer that somebody already has: what is read, what is lost and why, and the journey,
 * milestones and status that follow. The reader and the fold are those of live work. No source is polled, nothing is
 * stored.
 */

import { findLineAccess, standardAccess } from '../../connectors/line-access.ts'
import type { AnswerOutcome, NumberKind, PollRequest, RawSnapshot, Reading } from '../../connectors/source.ts'
import type { SourceIssue } from '../../connectors/source-issue.ts'
import { findSource } from '../../connectors/source-registry.ts'
import { writeMilestone, writeObservation } from '../../domain/notation/notation.ts'
import { projectShipment } from '../../domain/shipment/shipment.ts'
import type { Claim, Observation } from '../../domain/statements/observation.ts'
import { type EventCounts, isPartlyUnderstood } from '../../domain/tracking-requests/event-counts.ts'
import { instantOf } from '../../domain/values/time.ts'
import type { JourneyIssue, ShipmentProjection } from '../../domain/view/projection.ts'
import { type Rules, readRules } from '../../pipeline/ledger/rules.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { rampAreaOf } from '../../reference/ramps.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { type Context, requireScope } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'

export interface PastedAnswer {
  readonly scac: string
  readonly body: Buffer
  /** The requested number. Null: the first bill, else the first booking, else the only container in the answer. */
  readonly number: string | null
  readonly kind: NumberKind | null
  /** ISO instant at which the answer counts as received. */
  readonly at: string
  /** The access by which the answer came. When left out, the one that Landfall ships for the line. */
  readonly access?: PastedAccess
  /** Status 200 and no content type, when left out. */
  readonly answered?: Pick<RawSnapshot, 'status' | 'contentType'>
}

/** The language, by name, and the profile of the access. */
export interface PastedAccess {
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
}

export interface AnswerReading {
  readonly asked: PollRequest
  /** False when no interface of the line is known. The answer is then read as the standard defines it. */
  readonly hasProfile: boolean
  readonly verdict: AnswerOutcome
  readonly counts: EventCounts
  /** Less than nine tenths are understood; null where there is nothing to understand. */
  readonly isPartlyUnderstood: boolean | null
  /** In the journey notation, by time; facts after events. */
  readonly said: readonly string[]
  readonly issues: readonly SourceIssue[]
  /** What was read and is not believed. */
  readonly notBelieved: readonly JourneyIssue[]
  readonly shipment: {
    readonly billOfLadingNumber: string | null
    readonly bookingNumber: string | null
    readonly portOfLoading: string | null
    readonly portOfDischarge: string | null
  }
  readonly containers: readonly {
    readonly number: string
    readonly status: string
    readonly milestones: readonly string[]
  }[]
}

/** Called by the APIs. Whoever may read may use it. */
export function readPastedAnswer(
  service: Service,
  context: Context,
  input: Omit<PastedAnswer, 'at'> & { readonly at: string | null },
): AnswerReading {
  requireScope(context, 'read')
  return readAnswer(readRules(service.config), { ...input, at: input.at ?? realNow(service) })
}

/** Needs no database. Throws a `ServiceError` for an unknown line. */
export function readAnswer(rules: Rules, input: PastedAnswer): AnswerReading {
  return projectAnswer(rules, input).reading
}

/** The reading, and the projection that it is made of. */
export function projectAnswer(
  rules: Rules,
  input: PastedAnswer,
): { readonly reading: AnswerReading; readonly projection: ShipmentProjection } {
  const { request, reading, hasProfile } = interpretAnswer(input)
  const claims = claimsOf(reading, request.scac, input.at)
  const line = findShippingLine(request.scac)
  const projection = projectShipment({
    claims,
    line: { scac: request.scac, isAverageWeight: line?.dataGaps.averageWeight ?? false },
    request: { kind: request.kind, number: request.number, requestedAt: input.at },
    now: input.at,
    previous: null,
    rules: rules.projection,
    areaOf: rampAreaOf,
  })
  const shown: AnswerReading = {
    asked: request,
    hasProfile,
    verdict: reading.outcome,
    counts: reading.events,
    isPartlyUnderstood: isPartlyUnderstood(reading.events),
    said: claims.map(({ observation, source }) => writeObservation(observation, source, { timeZoneOf })),
    issues: reading.issues,
    notBelieved: projection.issues,
    shipment: shipmentOf(projection, request, reading),
    containers: projection.containers.map(({ number, status, milestones }) => ({
      number,
      status,
      milestones: milestones.map(writeMilestone),
    })),
  }
  return { reading: shown, projection }
}

/** Only the reading, for the requested number or, without one, for a number that the answer names. */
export function interpretAnswer(input: PastedAnswer): {
  readonly request: PollRequest
  readonly reading: Reading
  readonly hasProfile: boolean
} {
  const line = findShippingLine(input.scac)
  if (line === null)
    throw new ServiceError('unknown_scac', `${input.scac.slice(0, 10)} is not the SCAC of a known line.`, {
      source: { pointer: '/data/attributes/scac' },
    })
  const known = input.access ?? findLineAccess(line.scac)
  const { source: language, profile } = known ?? pastedAccessOf(line.scac)
  const source = findSource(language)
  if (source === null) throw new Error(`there is no source ${language}`)
  const { status, contentType } = input.answered ?? { status: 200, contentType: null }
  const snapshot = { status, contentType, body: input.body, fetchedAt: input.at }
  const read = (kind: NumberKind, number: string): Reading =>
    source.read(snapshot, { scac: line.scac, kind, number }, profile)
  const requestedNumber =
    input.number === null ? null : { number: input.number, kind: input.kind ?? guessNumberKind(input.number) }
  const { number, kind } = requestedNumber ?? findMentionedNumber(read('bill_of_lading', ''))
  return {
    request: { scac: line.scac, kind, number },
    reading: read(kind, number),
    hasProfile: known !== null,
  }
}

/** For a line without a known interface. It accepts a body of any shape, because the form of its answers is unknown. */
export function pastedAccessOf(scac: string): PastedAccess {
  const { source, profile } = standardAccess(scac)
  return { source, profile: { ...profile, base: 'https://nowhere.invalid', body: 'any' } }
}

/** The kind of a number, from its form. A number that is no container number may be a bill. */
export function guessNumberKind(number: string): NumberKind {
  return /^[A-Z]{3}[UJZ]\d{7}$/.test(number) ? 'container' : 'bill_of_lading'
}

function findMentionedNumber({ about }: Reading): { readonly kind: NumberKind; readonly number: string } {
  const [bill] = about.billNumbers
  const [booking] = about.bookingNumbers
  const [containerNumber, otherContainer] = about.equipment
  if (bill !== undefined) return { kind: 'bill_of_lading', number: bill }
  if (booking !== undefined) return { kind: 'booking', number: booking }
  if (containerNumber !== undefined && otherContainer === undefined)
    return { kind: 'container', number: containerNumber }
  return { kind: 'bill_of_lading', number: '' }
}

/** In order of time, so that the claims read like the journey. Facts come after events. */
function claimsOf(reading: Reading, scac: string, at: string): readonly Claim[] {
  const rank = (observation: Observation): string =>
    observation.kind === 'event' ? instantOf(observation.time, observation.place.timeZone).at : `~ ${observation.fact}`
  return reading.observations
    .map((observation) => ({ observation, rank: rank(observation) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
    .map(({ observation }, place) => ({
      id: `claim ${String(place).padStart(6, '0')}`,
      source: { kind: 'shipping_line', code: scac },
      observation,
      readAt: at,
      recordedAt: at,
      standsAt: at,
      hand: 'first',
      deliveryKey: null,
      retiredAt: null,
    }))
}

/** If the answer names several bills, such as parts of one, the requested bill is shown. */
function shipmentOf(
  projection: ShipmentProjection,
  { kind, number }: PollRequest,
  { about }: Reading,
): AnswerReading['shipment'] {
  const { billOfLadingNumber, bookingNumber, portOfLoading, portOfDischarge } = projection
  const isOneOfSeveral = kind === 'bill_of_lading' && about.billNumbers.length > 1
  return {
    billOfLadingNumber: isOneOfSeveral ? number : billOfLadingNumber,
    bookingNumber,
    portOfLoading: portOfLoading.place?.unlocode ?? null,
    portOfDischarge: portOfDischarge.place?.unlocode ?? null,
  }
}

function timeZoneOf(unlocode: string): string | null {
  return findPlaceByCode(unlocode)?.timeZone ?? null
}
