/**
 * For each attribute of a shipment, the verdict that explains it: mostly that of the container that represents the
 * shipment.
 */

import type { FactClaim } from '../journey/trip.ts'
import type { ContainerDerivation } from '../shipment/container-derivation.ts'
import type { Claim, FactName, ObservedPlace } from '../statements/observation.ts'
import { placeKeyOf } from '../statements/statement.ts'
import type { ContainerProjection } from '../view/projection.ts'
import { cutOffVerdicts } from './cut-offs.ts'
import { type LegName, legVerdict } from './explain-container.ts'
import { createVerdictWithoutWinner, factVerdict, statementVerdict, type Verdict } from './verdict.ts'

export interface ShipmentDerivation {
  readonly facts: readonly FactClaim[]
  /**
   * The container that represents the shipment. Null before any container is named: then the statements about the bill
   * itself count.
   */
  readonly lead: ContainerDerivation | null
  /** The claim that last predicted the arrival at the port of discharge, retired or not; null when there was none. */
  readonly lastEta: Claim | null
}

type Explain = (derivation: ShipmentDerivation) => Verdict

/** Keyed by the attribute of the wire. */
export const shipmentVerdicts: Readonly<Record<string, Explain>> = {
  port_of_lading_locode: placeVerdict('pol', 'port_of_loading'),
  port_of_lading_name: placeVerdict('pol', 'port_of_loading'),
  pol_timezone: placeVerdict('pol', 'port_of_loading'),
  port_of_discharge_locode: placeVerdict('pod', 'port_of_discharge'),
  port_of_discharge_name: placeVerdict('pod', 'port_of_discharge'),
  pod_timezone: placeVerdict('pod', 'port_of_discharge'),
  destination_locode: placeVerdict('destination', 'place_of_delivery'),
  destination_name: placeVerdict('destination', 'place_of_delivery'),
  destination_timezone: placeVerdict('destination', 'place_of_delivery'),
  pod_vessel_name: podShipVerdict,
  pod_vessel_imo: podShipVerdict,
  pod_voyage_number: podShipVerdict,
  pol_etd_at: legTimeVerdict('pol', 'etd'),
  pol_atd_at: legTimeVerdict('pol', 'atd'),
  pod_eta_at: podEtaVerdict,
  pod_eta: podEtaVerdict,
  pod_ata_at: legTimeVerdict('pod', 'ata'),
  destination_eta_at: legTimeVerdict('destination', 'eta'),
  destination_ata_at: legTimeVerdict('destination', 'ata'),
  ...cutOffVerdicts,
  status: () =>
    createVerdictWithoutWinner(
      'Derived from the containers: the one furthest behind decides, unless the route knows more.',
    ),
}

function explainByLead(explain: (lead: ContainerDerivation) => Verdict): Explain {
  return ({ lead }) =>
    lead === null ? createVerdictWithoutWinner('No source has stated anything yet.') : explain(lead)
}

function legTimeVerdict(name: LegName, time: 'etd' | 'atd' | 'eta' | 'ata'): Explain {
  return explainByLead((lead) => legVerdict(lead, name, time))
}

function podEtaVerdict(derivation: ShipmentDerivation): Verdict {
  const currentVerdict = legTimeVerdict('pod', 'eta')(derivation)
  if (currentVerdict.winner !== null || derivation.lastEta === null) return currentVerdict
  const rule = 'The last arrival that was predicted before the ship came. The source does not repeat it.'
  return { ...currentVerdict, winner: derivation.lastEta, rule }
}

/** The place where the container was handled, else the one that the documents name. */
function placeVerdict(name: LegName, fact: FactName): Explain {
  return explainByLead((lead) => {
    const index = lead.roles[name]
    const call = index === null ? undefined : lead.journey.calls[index]
    const named = factVerdict(fact, lead.facts)
    const isUndated = call === undefined && named.winner === null && name !== 'destination'
    if (isUndated) return undatedVerdict(name, lead)
    if (call === undefined || isNamedInArea(name, call.placeKey, lead)) return named
    const slot = call.slots.find(({ actual }) => actual !== null) ?? call.slots[0]
    const { winner } = statementVerdict(lead.journey, slot?.actual ?? slot?.estimate ?? null, '')
    const losers = [...(named.winner === null ? [] : [{ claim: named.winner, why: namedOnly }]), ...named.losers]
    const isNamed = named.winner !== null && hasHappened(call) === false
    return { winner, rule: isNamed ? calledAndNamed : called, losers: isNamed ? named.losers : losers }
  })
}

/**
 * Whether the train unloads the container in another town than the documents name. The destination stays the named
 * place.
 */
function isNamedInArea(name: LegName, placeKey: string, { named }: ContainerDerivation): boolean {
  const { placeOfDelivery } = named
  return name === 'destination' && placeOfDelivery !== null && placeKeyOf(placeOfDelivery) !== placeKey
}

/** For a port that the plan names without a time, where the plan leaves no doubt that it is the first or the last. */
function undatedVerdict(name: LegName, { container, facts }: ContainerDerivation): Verdict {
  const { place: displayedPlace } = name === 'pol' ? container.portOfLoading : container.portOfDischarge
  const isDisplayedPlace = (value: ObservedPlace) =>
    displayedPlace !== null && placeKeyOf(value) === placeKeyOf(displayedPlace)
  const fact = name === 'pol' ? 'undated_departure' : 'undated_arrival'
  return factVerdict(fact, facts, {
    isAcceptable: isDisplayedPlace,
    unacceptable: 'it is another place on the way',
  })
}

function hasHappened({ hasHappened: has }: { readonly hasHappened: boolean }): boolean {
  return has
}

const called =
  'The places where the container is handled decide which port is which, also if the documents name others.'
const calledAndNamed = 'A call there is expected, and the documents name the place.'
const namedOnly = 'only the documents name it; the calls of the container decide'

function podShipVerdict({ lead }: ShipmentDerivation): Verdict {
  if (lead === null) return createVerdictWithoutWinner('No source has stated anything yet.')
  const verdict = statementVerdict(lead.journey, lead.podShip, 'No source has named the ship.')
  if (verdict.winner === null) return verdict
  return {
    ...verdict,
    rule: 'The ship that is named at the port of discharge, else the last ship that loaded the container.',
  }
}

/** The parts of the projection of the container that represents the shipment. */
export function leadOf(
  derivations: readonly ContainerDerivation[],
  displayed: ContainerProjection | null,
): ContainerDerivation | null {
  return derivations.find(({ container }) => container === displayed) ?? null
}
