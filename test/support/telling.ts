/**
 * Runs a story through the same fold as the service, and writes in the words of stories which events subscribers get.
 */

import { poundsOf } from '../../src/domain/attributes/container-attributes.ts'
import type { Change } from '../../src/domain/changes/change.ts'
import { writeTime } from '../../src/domain/notation/notation-values.ts'
import type { Claim, ObservedPlace } from '../../src/domain/statements/observation.ts'
import { requestTypeOfKind } from '../../src/domain/tracking-requests/tracking-request-state.ts'
import type { EventTime } from '../../src/domain/values/time.ts'
import { pickupLfd } from '../../src/domain/view/free-time.ts'
import type { ContainerProjection, Leg, ShipmentProjection } from '../../src/domain/view/projection.ts'
import { type Fold, foldBy } from '../../src/pipeline/ledger/fold.ts'
import type { FoldResult } from '../../src/pipeline/ledger/fold-result.ts'
import { defaultRules } from '../../src/pipeline/ledger/rules.ts'
import { openScenario, type Scenario as Told } from '../../src/pipeline/ledger/scenario.ts'
import { findActiveClaims } from '../../src/pipeline/ledger/state-rows.ts'
import { projectAt, toShipmentRequest } from '../../src/pipeline/ledger/update-projection.ts'
import type { DomainEvent } from '../../src/pipeline/projection/domain-events-sql.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../src/platform/ids.ts'
import type { Look, Story } from './story.ts'

export class Telling {
  readonly #story: Story
  readonly #fold: Fold
  readonly #told: Told

  constructor(story: Story) {
    this.#story = story
    this.#fold = foldOf(story)
    const { kind, number } = story.request
    const created = {
      requestType: requestTypeOfKind(kind),
      requestNumber: number,
      number,
      scac: story.line,
      refNumbers: [],
      shipmentTags: [],
    }
    const ids = { accountId: idOf('account'), id: idOf('request') }
    this.#told = openScenario(this.#fold, { ...ids, requestedAt: story.requestedAt, created })
  }

  /** The last projection. */
  get projection(): ShipmentProjection | null {
    return this.#told.projection()
  }

  get liveClaims(): readonly Claim[] {
    return [...this.#told.state().claimsByTarget.values()].flatMap(findActiveClaims)
  }

  /** All claims, with those that were replaced or withdrawn. */
  get claims(): readonly Claim[] {
    return [...this.#told.state().claimsByTarget.values()].flatMap((said) => [...said.values()])
  }

  /** The events that subscribers get from one look, in order. */
  look(look: Look): readonly string[] {
    return this.#take(look).flatMap((folded) => this.#tell(folded))
  }

  #take(look: Look): readonly FoldResult[] {
    const { at, kind, wholePictureOf, outcome } = look
    if (kind === 'timer') return this.#told.wait(at)
    if (kind === 'answers') return [this.#told.answer({ at, outcome: { kind: outcome } })]
    return [this.#told.read({ at, wholePictureOf, statements: look.said.map(({ line }) => line) })]
  }

  /** The projection that these claims would make, by the rules and the request of the story. */
  project(claims: readonly Claim[], now: string, previous: ShipmentProjection | null): ShipmentProjection {
    const request = toShipmentRequest(this.#told.request())
    return projectAt(this.#fold, { scac: this.#story.line, request, claims, previous, now })
  }

  /**
   * One line for each announced change, although a correction is two events; and one line for each event of the
   * request.
   */
  #tell({ events, changeOf }: FoldResult): readonly string[] {
    const told = new Set<Change>()
    return events.flatMap((event) => {
      const change = changeOf.get(event.id)
      if (change === undefined) return this.#tellRequest(event)
      if (told.has(change)) return []
      told.add(change)
      return this.#tellChange(change)
    })
  }

  #tellRequest({ name }: DomainEvent): string {
    const { failedReason, lifecycle } = this.#told.request()
    if (name === 'tracking_request.failed') return `${name} ${failedReason}`
    return name === 'tracking_request.tracking_stopped' ? `${name} ${lifecycle.stoppedReason}` : name
  }

  #tellChange(change: Change): string {
    const isOther = 'number' in change && (change.number !== this.#story.box || change.trip !== 1)
    const suffix = isOther ? ` box=${change.number}${change.trip === 1 ? '' : `#${change.trip}`}` : ''
    return tellChange(change) + suffix
  }

  /** One line of a `then` section, as it is now: `current_status` → `current_status on_ship`. */
  state(line: string): string {
    const { projection } = this
    const { status, failedReason, lifecycle } = this.#told.request()
    const [first = '', second = ''] = line.split(' ')
    if (first === 'tracking') return `tracking ${status}`
    if (first === 'failed_reason') return `failed_reason ${failedReason ?? '-'}`
    if (first === 'stopped_reason') return `stopped_reason ${lifecycle.stoppedReason ?? '-'}`
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

function idOf(what: string): string {
  return uuidV5(LANDFALL_NAMESPACE, `story:${what}`)
}

/** The lines as the reference data has them, except for the gap that a story itself declares. */
function foldOf({ isAverageWeight }: Story): Fold {
  const fold = foldBy(defaultRules)
  return {
    ...fold,
    findLine: (scac) => {
      const line = fold.findLine(scac)
      return line && { ...line, dataGaps: { ...line.dataGaps, averageWeight: isAverageWeight } }
    },
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

function tellChange(change: Change): string {
  switch (change.kind) {
    case 'container_created':
      return 'container.created'
    case 'milestone_reached':
      return `container.transport.${change.milestone.name} ${whereWhen(change.milestone)}`
    case 'milestone_corrected':
      return `container.transport.${change.milestone.name} ${whereWhen(change.milestone)} instead of ${whereWhen(change.before)}`
    case 'milestone_retracted':
      return `withdrawn container.transport.${change.before.name} ${whereWhen(change.before)}`
    case 'estimate_announced':
      return `container.transport.estimated.${change.milestone.name} ${whereWhen(change.milestone)}`
    case 'estimate_withdrawn':
      throw new Error('nobody hears that an estimate was withdrawn')
    case 'container_updated':
      return `container.updated ${Object.keys(change.changeset).join(' ')}`
    case 'pod_terminal_changed':
      return `container.pod_terminal_changed ${where(change.place)} ${change.place.facilityCode ?? '-'}`
    case 'lfd_changed':
      return `container.pickup_lfd${change.of === 'any' ? '' : `_${change.of}`}.changed ${timeOr(change.value)}`
    case 'appointment_changed':
      return `container.pickup_appointment.changed ${timeOr(change.value)}`
    case 'shipment_eta_changed':
      return `shipment.estimated.arrival ${where(change.place)} ${writeTime(change.eta)}`
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
