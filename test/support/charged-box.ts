/** A container as charges see it, built by hand: for laws, readers and the bench of charges. */

import type { ChargedContainer } from '../../src/domain/charges/evidence.ts'
import { nowhere } from '../../src/domain/statements/observation.ts'
import type { EventTime } from '../../src/domain/values/time.ts'
import type { ContainerProjection, Leg, Milestone } from '../../src/domain/view/projection.ts'

export const laxPlace = { ...nowhere, unlocode: 'USLAX', timeZone: 'America/Los_Angeles' }
const noLeg: Leg = { place: null, etd: null, atd: null, eta: null, ata: null }

export function happened(name: Milestone['name'], time: EventTime, claimId: string): Milestone {
  return {
    kind: 'actual',
    name,
    callKey: 'USLAX#1',
    time,
    place: laxPlace,
    vessel: null,
    voyage: null,
    source: 'terminal',
    claimId,
  }
}

export function chargedBox(milestones: readonly Milestone[], rest: Partial<ChargedContainer> = {}): ChargedContainer {
  const container: ContainerProjection = {
    number: 'TCNU1234565',
    trip: 1,
    status: 'grounded',
    equipment: { type: 'dry', lengthFeet: 40, height: 'standard' },
    weightKg: null,
    sealNumber: null,
    freeTime: { line: null, terminal: null, rail: null },
    pickupAppointment: null,
    pickupTimeZone: 'America/Los_Angeles',
    available: null,
    holds: [],
    fees: [],
    yardLocation: null,
    chassisNumber: null,
    podTerminal: null,
    pickupFacility: null,
    podRailCarrier: null,
    destinationRailCarrier: null,
    deliveredAt: null,
    milestones,
    portOfLoading: noLeg,
    portOfDischarge: { ...noLeg, place: laxPlace },
    destination: null,
    podVessel: null,
    podVoyage: null,
    pendingPodTerminal: null,
    saidBy: {},
    isTerminated: false,
  }
  return { container, scac: 'HLCU', bill: 'HLCUHKG260116', holdClaims: [], facts: [], ...rest }
}
