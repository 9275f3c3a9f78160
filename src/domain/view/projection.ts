/** The normalized picture of one shipment that the journeys yield: what is stored, compared and served. */

import type { FactName, Fee, Hold, ObservedPlace, ObservedVessel, SourceKind } from '../statements/observation.ts'
import type { EventTime } from '../values/time.ts'

/** The contract's milestones; in the API `container.transport.<name>`. */
export const milestoneNames = [
  'empty_out',
  'full_in',
  'vessel_loaded',
  'vessel_departed',
  'transshipment_arrived',
  'transshipment_discharged',
  'transshipment_loaded',
  'transshipment_departed',
  'feeder_arrived',
  'feeder_discharged',
  'feeder_loaded',
  'feeder_departed',
  'vessel_arrived',
  'vessel_berthed',
  'vessel_discharged',
  'rail_loaded',
  'rail_departed',
  'rail_arrived',
  'arrived_at_inland_destination',
  'rail_unloaded',
  'available',
  'not_available',
  'full_out',
  'delivered',
  'empty_in',
] as const
export type MilestoneName = (typeof milestoneNames)[number]
export const estimatedMilestoneNames = ['vessel_departed', 'vessel_arrived', 'arrived_at_inland_destination'] as const
export type EstimatedMilestoneName = (typeof estimatedMilestoneNames)[number]

export const containerStatuses = [
  'new',
  'on_ship',
  'available',
  'not_available',
  'grounded',
  'on_rail',
  'picked_up',
  'off_dock',
  'delivered',
  'dropped',
  'loaded',
  'empty_returned',
  'awaiting_inland_transfer',
] as const
export type ContainerStatus = (typeof containerStatuses)[number]

/** One milestone of one container: actual, or one of the three that are also published as estimates. */
export interface Milestone {
  readonly kind: 'actual' | 'estimated'
  readonly name: MilestoneName
  /**
   * Name of the visit: place and ordinal of the visit there, e.g. `USLAX#1`. A milestone that can come and go at one
   * visit (available, not_available) has its own ordinal from the second time on: `USLAX#1/2`.
   */
  readonly callKey: string
  readonly time: EventTime
  readonly place: ObservedPlace
  readonly vessel: ObservedVessel | null
  readonly voyage: string | null
  readonly source: SourceKind
  /** The claim that is believed. */
  readonly claimId: string
}

/** A place in the shipment's route; a time is null when nobody stated it. */
export interface Leg {
  readonly place: ObservedPlace | null
  readonly etd: EventTime | null
  readonly atd: EventTime | null
  readonly eta: EventTime | null
  readonly ata: EventTime | null
}

/** Equipment as ISO 6346 decodes it: all three or none. */
export interface Equipment {
  readonly type: 'dry' | 'reefer' | 'open top' | 'flat rack' | 'bulk' | 'tank'
  readonly lengthFeet: 10 | 20 | 40 | 45
  readonly height: 'standard' | 'high_cube'
}

export interface FreeTime {
  readonly line: EventTime | null
  readonly terminal: EventTime | null
  readonly rail: EventTime | null
}

/** The statement of a last free day that was written first, whatever its source states now. */
export interface FirstFreeDay {
  readonly time: EventTime
  /** ISO instant. */
  readonly writtenAt: string
}
export type FirstFreeDays = Readonly<Partial<Record<'line' | 'terminal', FirstFreeDay>>>

/** The last predicted arrival at the port of discharge. It stays after the ship has come. */
export interface StatedEta {
  readonly time: EventTime
  readonly placeKey: string
  /** The claim may have been retired since. Null when it was not stored. */
  readonly claimId: string | null
}

/** One container's trip under the shipment. */
export interface ContainerProjection {
  /** ISO 6346 number, and which trip of it within this shipment (from 1). */
  readonly number: string
  readonly trip: number
  readonly status: ContainerStatus
  readonly equipment: Equipment | null
  readonly weightKg: number | null
  /** Missing until a source states it. */
  readonly verifiedGrossMassKg?: number
  readonly sealNumber: string | null
  /** Free time, in the time zone of the place of pick-up (`pickupTimeZone`). */
  readonly freeTime: FreeTime
  /** Missing until stated, and not known where a day was stated before this field existed. */
  readonly firstFreeDays?: FirstFreeDays
  readonly pickupAppointment: EventTime | null
  readonly pickupTimeZone: string | null
  /** Null until a source has stated anything about it. */
  readonly available: boolean | null
  readonly holds: readonly Hold[]
  readonly fees: readonly Fee[]
  readonly yardLocation: string | null
  readonly chassisNumber: string | null
  readonly podTerminal: ObservedPlace | null
  /** Where the container is to be picked up: the inland ramp when it goes by rail, else the POD terminal. */
  readonly pickupFacility: ObservedPlace | null
  readonly podRailCarrier: string | null
  readonly destinationRailCarrier: string | null
  readonly deliveredAt: EventTime | null
  /** In journey order; the attributes `pod_arrived_at`, `empty_out_at` … come from these. */
  readonly milestones: readonly Milestone[]
  readonly portOfLoading: Leg
  readonly portOfDischarge: Leg
  readonly destination: Leg | null
  /** The prediction in `portOfDischarge.eta`. Missing in projections that were stored before this field existed. */
  readonly podEta?: StatedEta | null
  readonly podVessel: ObservedVessel | null
  readonly podVoyage: string | null
  /**
   * A predicted terminal that is not yet believed, because predictions change often: its value and since when, ISO
   * instant.
   */
  readonly pendingPodTerminal: { readonly place: ObservedPlace; readonly since: string } | null
  /** For each attribute that comes from a fact: which kind of source stated it. */
  readonly saidBy: Readonly<Partial<Record<FactName, SourceKind>>>
  /**
   * When terminals and railways last stated anything about the container, by their codes: ISO instants. Missing until
   * one does.
   */
  readonly heardAt?: Readonly<Partial<Record<'terminal' | 'rail', Readonly<Record<string, string>>>>>
  /** True when the container went back empty and nothing contradicts it: tracking may end. */
  readonly isTerminated: boolean
}

/** Fields of a container's projection that are not shown. They are not read for the API. */
export const hiddenFields = ['milestones', 'podVessel', 'podVoyage', 'pendingPodTerminal', 'isTerminated'] as const
export type ContainerView = Omit<ContainerProjection, (typeof hiddenFields)[number]>

/** Of each arrival and departure the estimate that was written first, by trip, code, mode and place: `1 ARRI VESSEL USLAX`. */
export type FirstEstimates = Readonly<Record<string, FirstEstimate>>

export interface FirstEstimate {
  readonly time: EventTime
  /** Null when it is not known. */
  readonly claimId: string | null
  /** ISO instant; empty when it is not known. */
  readonly writtenAt: string
  readonly namesShip: boolean
}

export interface ShipmentProjection {
  readonly billOfLadingNumber: string | null
  readonly bookingNumber: string | null
  readonly isBookingCancelled: boolean
  readonly portOfLoading: Leg
  readonly portOfDischarge: Leg
  readonly destination: Leg | null
  /** The prediction in `portOfDischarge.eta`. Missing, like the next field, in projections that were stored before. */
  readonly podEta?: StatedEta | null
  readonly firstEstimates?: FirstEstimates
  /** The entries of `firstEstimates` for the places as they are now. */
  readonly originalEtd: EventTime | null
  readonly originalEta: EventTime | null
  readonly originalDestinationEta: EventTime | null
  /**
   * The arrival at the port of discharge that was last published for the shipment; null when none is expected any more.
   */
  readonly announcedEta: Milestone | null
  readonly podVessel: ObservedVessel | null
  readonly podVoyage: string | null
  readonly containers: readonly ContainerProjection[]
  /** Claims that were read but not believed, with why; counted, never fatal. */
  readonly issues: readonly JourneyIssue[]
}

export const journeyIssueKinds = [
  'future_actual',
  'overtaken_prediction',
  'other_trip',
  'unmapped_event',
  'contradicted',
  'unlisted_source',
] as const
export interface JourneyIssue {
  readonly kind: (typeof journeyIssueKinds)[number]
  readonly claimId: string
  readonly detail: string
}

/** Every container that a ship carried should have these, whatever its way to the port and from it. */
export const expectedMilestones = [
  'empty_out',
  'full_in',
  'vessel_loaded',
  'vessel_departed',
  'vessel_arrived',
  'vessel_discharged',
  'full_out',
  'empty_in',
] as const satisfies readonly MilestoneName[]

/** The milestones that nobody reported, in the order of a journey. */
export function unreportedMilestones({
  milestones,
}: Pick<ContainerProjection, 'milestones'>): readonly (typeof expectedMilestones)[number][] {
  const reported = new Set(milestones.filter(({ kind }) => kind === 'actual').map(({ name }) => name))
  return expectedMilestones.filter((name) => !reported.has(name))
}
