/** Folds a story as the service does: claims, projection, changes, and the life of the tracking request. */

import type { Change } from '../../src/core/change.ts'
import { diffShipment } from '../../src/core/changes.ts'
import { absorbObservations } from '../../src/core/claims.ts'
import { pickupLfd } from '../../src/core/free-time.ts'
import { defaultLifecycleRules } from '../../src/core/lifecycle-rules.ts'
import { writeTime } from '../../src/core/notation-values.ts'
import type { Claim, ObservedPlace, Source } from '../../src/core/observation.ts'
import type { ContainerProjection, Leg, ShipmentProjection } from '../../src/core/projection.ts'
import { defaultProjectionRules } from '../../src/core/projection-rules.ts'
import { projectShipment } from '../../src/core/shipment.ts'
import type { EventTime } from '../../src/core/time.ts'
import { decide, type TrackingRequestInput } from '../../src/core/tracking-request.ts'
import {
  evolve,
  newTrackingRequest,
  type TrackingRequestEvent,
  type TrackingRequestState,
} from '../../src/core/tracking-request-state.ts'
import { poundsOf } from '../../src/core/weight.ts'
import { trackingFacts } from '../../src/service/ledger/journey-facts.ts'
import type { Look, Story } from './story.ts'

export class Telling {
  readonly #story: Story
  #claims: readonly Claim[] = []
  #missing = new Map<string, readonly string[]>()
  #request: TrackingRequestState
  #lastUpdateAt: string
  projection: ShipmentProjection | null = null

  constructor(story: Story) {
    this.#story = story
    const { kind } = story.request
    this.#request = newTrackingRequest(kind === 'booking' ? 'booking_number' : kind, story.requestedAt)
    this.#lastUpdateAt = story.requestedAt
  }

  get liveClaims(): readonly Claim[] {
    return this.#claims
  }

  /** What subscribers hear of one look, in order. */
  look(look: Look): readonly string[] {
    const heard: string[] = []
    if (look.kind !== 'timer') {
      heard.push(...this.#step({ kind: 'looked', outcome: { kind: look.outcome } }, look.at))
    }
    if (look.kind === 'reads') this.#absorb(look)
    if (look.kind === 'answers') return heard
    const before = this.projection
    this.projection = this.project(this.#claims, look.at, before)
    const changes = diffShipment(before, this.projection, defaultProjectionRules)
    heard.push(...changes.flatMap((change) => this.#tell(change)))
    heard.push(
      ...this.#step(
        { kind: 'journey_read', facts: trackingFacts(this.projection, this.#lastUpdateAt) },
        look.at,
      ),
    )
    return heard
  }

  project(claims: readonly Claim[], now: string, previous: ShipmentProjection | null): ShipmentProjection {
    const { request, requestedAt, line, isAverageWeight } = this.#story
    return projectShipment({
      claims,
      line: { scac: line, isAverageWeight },
      request: { ...request, requestedAt },
      now,
      previous,
      rules: defaultProjectionRules,
    })
  }

  #absorb(look: Look): void {
    const sources = new Map<string, Source>()
    if (look.wholePictureOf !== null) sources.set(nameOf(look.wholePictureOf), look.wholePictureOf)
    for (const { line } of look.said) sources.set(nameOf(line.source), line.source)
    for (const [name, source] of sources) {
      const { add, retire, missing } = absorbObservations(
        this.#claims,
        look.said.filter(({ line }) => nameOf(line.source) === name).map(({ line }) => line.observation),
        {
          source,
          isFullPicture: look.wholePictureOf !== null && nameOf(look.wholePictureOf) === name,
          missingBefore: this.#missing.get(name) ?? [],
        },
      )
      this.#missing.set(name, missing)
      if (add.length + retire.length > 0) this.#lastUpdateAt = look.at
      const added = add.map(
        (observation, index): Claim => ({
          id: `${look.at}/${name}/${String(index).padStart(3, '0')}`,
          source,
          observation,
          readAt: look.at,
          recordedAt: look.at,
          retiredAt: null,
        }),
      )
      this.#claims = [...this.#claims.filter((claim) => !retire.includes(claim.id)), ...added]
    }
  }

  #step(input: TrackingRequestInput, now: string): readonly string[] {
    const events = decide(this.#request, input, defaultLifecycleRules, now)
    this.#request = events.reduce(evolve, this.#request)
    return events.flatMap(tellRequest)
  }

  #tell(change: Change): readonly string[] {
    const isOther = 'number' in change && (change.number !== this.#story.box || change.trip !== 1)
    const suffix = isOther ? ` box=${change.number}${change.trip === 1 ? '' : `#${change.trip}`}` : ''
    return tellChange(change).map((line) => line + suffix)
  }

  /** One line of a `then` section, as it is now: `current_status` → `current_status on_ship`. */
  state(line: string): string {
    const { projection } = this
    const [first = '', second = ''] = line.split(' ')
    if (first === 'tracking') return `tracking ${this.#request.status}`
    if (first === 'failed_reason') return `failed_reason ${this.#request.failedReason ?? '-'}`
    if (first === 'stopped_reason') return `stopped_reason ${this.#request.stoppedReason ?? '-'}`
    if (projection === null) return `${first} of nothing`
    if (first === 'issue') {
      return projection.issues.some((issue) => issue.kind === second) ? line : `no issue ${second}`
    }
    if (line.startsWith('no issue')) {
      return projection.issues.length === 0
        ? line
        : `issues: ${projection.issues.map(({ kind, detail }) => `${kind} (${detail})`).join('; ')}`
    }
    const ofShipment = shipmentState[first]
    if (ofShipment !== undefined) return `${first} ${ofShipment(projection)}`
    const [number = '', trip] = /^[A-Z]{4}\d{7}/.test(first) ? first.split('#') : [this.#story.box ?? '']
    const name = /^[A-Z]{4}\d{7}/.test(first) ? second : first
    const boxes = projection.containers.filter((box) => box.number === number)
    const box = trip === undefined ? boxes.at(-1) : boxes.find((other) => other.trip === Number(trip))
    const read = containerState[name]
    if (box === undefined || read === undefined) return `${name} is unknown of ${number}`
    return `${first === name ? '' : `${first} `}${name} ${read(box)}`
  }
}

function nameOf(source: Source): string {
  return `${source.kind}:${source.code}`
}

function tellRequest(event: TrackingRequestEvent): readonly string[] {
  switch (event.kind) {
    case 'created':
      return ['tracking_request.succeeded']
    case 'manifest_awaited':
      return ['tracking_request.awaiting_manifest']
    case 'failed':
      return [`tracking_request.failed ${event.reason}`]
    case 'tracking_stopped':
      return [`tracking_request.tracking_stopped ${event.reason}`]
    default:
      return []
  }
}

function where(place: ObservedPlace | null): string {
  return place?.unlocode ?? place?.name ?? '-'
}

function whereWhen({ place, time }: { readonly place: ObservedPlace; readonly time: EventTime }): string {
  return `${where(place)} ${writeTime(time)}`
}

function timeOr(time: EventTime | null): string {
  return time === null ? '-' : writeTime(time)
}

function tellChange(change: Change): readonly string[] {
  switch (change.kind) {
    case 'container_created':
      return ['container.created']
    case 'milestone_reached':
      return [`container.transport.${change.milestone.name} ${whereWhen(change.milestone)}`]
    case 'milestone_corrected':
      return [
        `container.transport.${change.milestone.name} ${whereWhen(change.milestone)} instead of ${whereWhen(change.before)}`,
      ]
    case 'milestone_retracted':
      return [`withdrawn container.transport.${change.before.name} ${whereWhen(change.before)}`]
    case 'estimate_announced':
      return [`container.transport.estimated.${change.milestone.name} ${whereWhen(change.milestone)}`]
    case 'estimate_withdrawn':
      return change.fulfilled
        ? []
        : [`withdrawn container.transport.estimated.${change.before.name} ${whereWhen(change.before)}`]
    case 'container_updated':
      return [`container.updated ${Object.keys(change.changeset).join(' ')}`]
    case 'pod_terminal_changed':
      return [`container.pod_terminal_changed ${where(change.place)} ${change.place.facilityCode ?? '-'}`]
    case 'lfd_changed':
      return [
        `container.pickup_lfd${change.of === 'any' ? '' : `_${change.of}`}.changed ${timeOr(change.value)}`,
      ]
    case 'appointment_changed':
      return [`container.pickup_appointment.changed ${timeOr(change.value)}`]
    case 'shipment_eta_changed':
      return [`shipment.estimated.arrival ${where(change.place)} ${writeTime(change.eta)}`]
  }
}

const shipmentState: Readonly<Record<string, (shipment: ShipmentProjection) => string>> = {
  containers: ({ containers }) => String(containers.length),
  bill: ({ billOfLadingNumber }) => billOfLadingNumber ?? '-',
  pod_eta_at: ({ portOfDischarge }) => timeOr(portOfDischarge.eta),
  pod_original_eta_at: ({ originalEta }) => timeOr(originalEta),
  pod_ata_at: ({ portOfDischarge }) => timeOr(portOfDischarge.ata),
  pol_etd_at: ({ portOfLoading }) => timeOr(portOfLoading.etd),
  pol_atd_at: ({ portOfLoading }) => timeOr(portOfLoading.atd),
  port_of_lading: ({ portOfLoading }) => where(portOfLoading.place),
  port_of_discharge: ({ portOfDischarge }) => where(portOfDischarge.place),
  booking_cancelled: ({ isBookingCancelled }) => String(isBookingCancelled),
}

function legEnd(leg: Leg | null): string {
  return leg === null ? '-' : `${where(leg.place)} eta ${timeOr(leg.eta)} ata ${timeOr(leg.ata)}`
}

const containerState: Readonly<Record<string, (box: ContainerProjection) => string>> = {
  current_status: ({ status }) => status,
  milestones: ({ milestones }) =>
    milestones
      .filter(({ kind }) => kind === 'actual')
      .map(({ name }) => name)
      .join(' '),
  destination: ({ destination }) => legEnd(destination),
  pod: ({ portOfDischarge }) => legEnd(portOfDischarge),
  vessel: ({ podVessel }) => podVessel?.name ?? podVessel?.imo ?? '-',
  available_for_pickup: ({ available }) => String(available),
  pickup_lfd: ({ freeTime }) => timeOr(pickupLfd(freeTime)),
  pickup_lfd_line: ({ freeTime }) => timeOr(freeTime.line),
  pickup_lfd_terminal: ({ freeTime }) => timeOr(freeTime.terminal),
  pickup_lfd_rail: ({ freeTime }) => timeOr(freeTime.rail),
  holds: ({ holds }) => holds.map(({ name, status }) => `${name}:${status}`).join(' ') || 'none',
  fees: ({ fees }) => fees.map(({ type, amount }) => `${type}:${amount}`).join(' ') || 'none',
  pod_terminal: ({ podTerminal }) => podTerminal?.facilityCode ?? '-',
  pickup_facility: ({ pickupFacility }) => pickupFacility?.facilityCode ?? where(pickupFacility),
  weight_in_lbs: ({ weightKg }) => String(poundsOf(weightKg) ?? '-'),
  equipment: ({ equipment }) =>
    equipment === null ? '-' : `${equipment.type} ${equipment.lengthFeet} ${equipment.height}`,
  terminated: ({ isTerminated }) => String(isTerminated),
}
