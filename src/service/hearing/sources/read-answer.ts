/**
 * What Landfall would make of an answer that somebody holds in hand: what is read of it, what is lost and why, and the
 * journey, milestones and status that follow. By the very reader and fold; nothing is asked, nothing is stored.
 */

import { writeMilestone, writeObservation } from '../../../core/notation.ts'
import type { Claim, Observation } from '../../../core/observation.ts'
import type { JourneyIssue, ShipmentProjection } from '../../../core/projection.ts'
import { projectShipment } from '../../../core/shipment.ts'
import { instantOf } from '../../../core/time.ts'
import { type EventCounts, isPartlyUnderstood } from '../../../core/understanding.ts'
import { findPlaceByCode } from '../../../reference/places.ts'
import { rampAreaOf } from '../../../reference/ramps.ts'
import { findShippingLine } from '../../../reference/shipping-lines.ts'
import { findLineAccess, standardAccess } from '../../../sources/line-access.ts'
import { findSource } from '../../../sources/registry.ts'
import type { LookRequest, NumberKind, RawSnapshot, Reading, Verdict } from '../../../sources/source.ts'
import type { SourceIssue } from '../../../sources/source-issue.ts'
import { type Context, requireScope } from '../../context.ts'
import { ServiceError } from '../../errors.ts'
import { type Rules, readRules } from '../../ledger/rules.ts'
import { realNow, type Service } from '../../service.ts'

export interface AnswerInHand {
  readonly scac: string
  readonly body: Buffer
  /** What was asked; null for the first bill, else booking, else the only container that the answer names. */
  readonly number: string | null
  readonly kind: NumberKind | null
  /** ISO instant: as if it had come then. */
  readonly at: string
  /** By which it came; as ships for the line when left out. */
  readonly access?: AccessInHand
  /** 200 and no type, when left out. */
  readonly answered?: Pick<RawSnapshot, 'status' | 'contentType'>
}

/** The language, by name, and the profile of the access. */
interface AccessInHand {
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
}

export interface AnswerReading {
  readonly asked: LookRequest
  /** False where no interface of the line is known: then it is read as the standard has it. */
  readonly hasProfile: boolean
  readonly verdict: Verdict
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

/** For the doors: whoever may read may ask this too. */
export function readPastedAnswer(
  service: Service,
  context: Context,
  input: Omit<AnswerInHand, 'at'> & { readonly at: string | null },
): AnswerReading {
  requireScope(context, 'read')
  return readAnswer(readRules(service.config), { ...input, at: input.at ?? realNow(service) })
}

/** Needs no installation. Throws a `ServiceError` for a line that nobody knows. */
export function readAnswer(rules: Rules, input: AnswerInHand): AnswerReading {
  const { request, reading, hasProfile } = understand(input)
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
  return {
    asked: request,
    hasProfile,
    verdict: reading.verdict,
    counts: reading.events,
    isPartlyUnderstood: isPartlyUnderstood(reading.events),
    said: claims.map(({ observation, source }) => writeObservation(observation, source, { timeZoneOf })),
    issues: reading.issues,
    notBelieved: projection.issues,
    shipment: shipmentOf(projection),
    containers: projection.containers.map(({ number, status, milestones }) => ({
      number,
      status,
      milestones: milestones.map(writeMilestone),
    })),
  }
}

/** The reading alone, as what was asked or as what the answer is about. */
export function understand(input: AnswerInHand): {
  readonly request: LookRequest
  readonly reading: Reading
  readonly hasProfile: boolean
} {
  const line = findShippingLine(input.scac)
  if (line === null)
    throw new ServiceError('unknown_scac', `${input.scac.slice(0, 10)} is not the SCAC of a known line.`, {
      source: { pointer: '/data/attributes/scac' },
    })
  const known = input.access ?? findLineAccess(line.scac)
  const { source: language, profile } = known ?? accessInHand(line.scac)
  const source = findSource(language)
  if (source === null) throw new Error(`there is no source ${language}`)
  const { status, contentType } = input.answered ?? { status: 200, contentType: null }
  const snapshot = { status, contentType, body: input.body, fetchedAt: input.at }
  const read = (kind: NumberKind, number: string): Reading =>
    source.read(snapshot, { scac: line.scac, kind, number }, profile)
  const asked =
    input.number === null ? null : { number: input.number, kind: input.kind ?? kindOf(input.number) }
  const { number, kind } = asked ?? findSubject(read('bill_of_lading', ''))
  return {
    request: { scac: line.scac, kind, number },
    reading: read(kind, number),
    hasProfile: known !== null,
  }
}

/** Whatever shape it has: nobody knows how the line answers. */
function accessInHand(scac: string): AccessInHand {
  const { source, profile } = standardAccess(scac)
  return { source, profile: { ...profile, base: 'https://nowhere.invalid', body: 'any' } }
}

/** What a number is, as it looks; whatever is not a container number may be a bill. */
export function kindOf(number: string): NumberKind {
  return /^[A-Z]{3}[UJZ]\d{7}$/.test(number) ? 'container' : 'bill_of_lading'
}

function findSubject({ about }: Reading): { readonly kind: NumberKind; readonly number: string } {
  const [bill] = about.billNumbers
  const [booking] = about.bookingNumbers
  const [box, otherBox] = about.equipment
  if (bill !== undefined) return { kind: 'bill_of_lading', number: bill }
  if (booking !== undefined) return { kind: 'booking', number: booking }
  if (box !== undefined && otherBox === undefined) return { kind: 'container', number: box }
  return { kind: 'bill_of_lading', number: '' }
}

/** By time, so that it reads like the journey; what is no event after them. */
function claimsOf(reading: Reading, scac: string, at: string): readonly Claim[] {
  const rank = (said: Observation): string =>
    said.kind === 'event' ? instantOf(said.time, said.place.timeZone).at : `~ ${said.fact}`
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

function shipmentOf(projection: ShipmentProjection): AnswerReading['shipment'] {
  const { billOfLadingNumber, bookingNumber, portOfLoading, portOfDischarge } = projection
  return {
    billOfLadingNumber,
    bookingNumber,
    portOfLoading: portOfLoading.place?.unlocode ?? null,
    portOfDischarge: portOfDischarge.place?.unlocode ?? null,
  }
}

function timeZoneOf(unlocode: string): string | null {
  return findPlaceByCode(unlocode)?.timeZone ?? null
}
