/** For each attribute of a container, the verdict that explains it, made of the parts of the projection. */

import { callAt } from '../journey/call-slots.ts'
import { legStatements } from '../journey/leg.ts'
import type { Railway } from '../journey/railways.ts'
import type { ContainerDerivation } from '../shipment/container-derivation.ts'
import { resolveFees, resolveHolds } from '../shipment/holds-and-fees.ts'
import { type FactRow, factTable } from '../statements/facts.ts'
import type { FactName } from '../statements/observation.ts'
import { parseEquipment } from '../view/equipment.ts'
import { type InlandMoves, inlandMovesOf } from '../view/inland-moves.ts'
import type { Milestone, MilestoneName } from '../view/projection.ts'
import { cutOffVerdicts } from './cut-offs.ts'
import {
  createVerdictWithoutWinner,
  factVerdict,
  findBelievedStatement,
  holdsOrFeesVerdict,
  statementVerdict,
  type Verdict,
} from './verdict.ts'

type Explain = (derivation: ContainerDerivation) => Verdict

/** Keyed by the attribute of the wire. */
export const containerVerdicts: Readonly<Record<string, Explain>> = {
  equipment_type: equipmentVerdict,
  equipment_length: equipmentVerdict,
  equipment_height: equipmentVerdict,
  weight_in_lbs: weightVerdict,
  seal_number: statedFactVerdict('seal_number'),
  pickup_lfd: pickupLfdVerdict,
  'import_deadlines.pickup_lfd_terminal': statedFactVerdict('pickup_lfd_terminal'),
  'import_deadlines.pickup_lfd_rail': statedFactVerdict('pickup_lfd_rail'),
  'import_deadlines.pickup_lfd_line': statedFactVerdict('pickup_lfd_line'),
  ssl_lfd: statedFactVerdict('pickup_lfd_line'),
  ind_facility_lfd_on: statedFactVerdict('pickup_lfd_rail'),
  pickup_appointment_at: statedFactVerdict('pickup_appointment'),
  availability_known: availabilityVerdict,
  available_for_pickup: availabilityVerdict,
  holds_at_pod_terminal: holdsVerdict,
  ind_facility_holds: (derivation) => (derivation.roles.goesInland ? holdsVerdict(derivation) : notInland),
  fees_at_pod_terminal: feesVerdict,
  ind_facility_fees: (derivation) => (derivation.roles.goesInland ? feesVerdict(derivation) : notInland),
  location_at_pod_terminal: statedFactVerdict('yard_location'),
  pod_full_out_chassis_number: statedFactVerdict('chassis_number'),
  pod_rail_carrier_scac: (derivation) => railwayVerdict(derivation, 'pod_rail_carrier', derivation.railways.fromPort),
  ind_rail_carrier_scac: (derivation) =>
    railwayVerdict(derivation, 'destination_rail_carrier', derivation.railways.toEnd),
  delivered_at: statedFactVerdict('delivered'),
  // The API has no attribute for these. The pick-up number is left out on purpose: it is a secret of the cargo's owner.
  verified_gross_mass_kg: statedFactVerdict('verified_gross_mass_kg'),
  empty_return_place: statedFactVerdict('empty_return_place'),
  empty_return_by: statedFactVerdict('empty_return_by'),
  general_order_at: statedFactVerdict('general_order_at'),
  it_number: statedFactVerdict('it_number'),
  ...cutOffVerdicts,
  current_status: statusVerdict,
  empty_out_at: milestoneVerdict('empty_out'),
  pol_full_in_at: milestoneVerdict('full_in'),
  pol_vessel_loaded_at: milestoneVerdict('vessel_loaded'),
  pol_vessel_departed_at: (derivation) =>
    lastMilestoneVerdict(derivation, 'vessel_departed', legVerdict(derivation, 'pol', 'atd')),
  pod_arrived_at: (derivation) =>
    lastMilestoneVerdict(derivation, 'vessel_arrived', legVerdict(derivation, 'pod', 'ata')),
  pod_discharged_at: milestoneVerdict('vessel_discharged'),
  pod_full_out_at: (derivation) => inlandVerdict(derivation, 'outOfPort', createVerdictWithoutWinner(continuedInland)),
  final_destination_full_out_at: (derivation) => inlandVerdict(derivation, 'outOfEnd', notInland),
  empty_terminated_at: milestoneVerdict('empty_in'),
  pod_rail_loaded_at: (derivation) => inlandVerdict(derivation, 'loaded'),
  pod_rail_departed_at: (derivation) => inlandVerdict(derivation, 'departed'),
  ind_rail_unloaded_at: (derivation) => inlandVerdict(derivation, 'unloaded'),
  ind_eta_at: (derivation) => legVerdict(derivation, 'destination', 'eta'),
  ind_ata_at: (derivation) => legVerdict(derivation, 'destination', 'ata'),
}

/** A fact that is believed as it is stated, by the rule of its row. */
function statedFactVerdict(name: FactName): Explain {
  const { containerScope: rule }: FactRow = factTable[name]
  return (derivation) =>
    factVerdict(name, derivation.facts, {
      facts: rule === 'pickup' ? derivation.factsOfPickup : derivation.facts,
      isAcceptable: (_, claim) => rule !== 'itself' || derivation.isAboutContainer(claim),
      unacceptable: 'it was stated for the whole bill, which has several containers',
    })
}

const notStated = createVerdictWithoutWinner('No source has said that it happened.')
const notInland = createVerdictWithoutWinner('The container does not continue to an inland place.')
const continuedInland = 'It continued inland, so it left the ramp at its destination full, not the port.'

const legKinds = { pol: 'loading', pod: 'discharge', destination: 'inland' } as const

export type LegName = keyof typeof legKinds

/** One of the four times at a place of the route. */
export function legVerdict(
  { journey, roles }: Pick<ContainerDerivation, 'journey' | 'roles'>,
  leg: LegName,
  time: 'etd' | 'atd' | 'eta' | 'ata',
): Verdict {
  const index = roles[leg]
  const call = index === null ? undefined : journey.calls[index]
  if (call === undefined) return createVerdictWithoutWinner('No source has reported a call there.')
  const statement = legStatements(call, legKinds[leg])[time]
  return statementVerdict(journey, statement, 'No source has said so.')
}

function milestoneVerdict(name: MilestoneName): Explain {
  return (derivation) => lastMilestoneVerdict(derivation, name, notStated)
}

function lastMilestoneVerdict(
  { container, journey }: ContainerDerivation,
  name: MilestoneName,
  otherwise: Verdict,
): Verdict {
  // A milestone may happen again at a later call. The attribute shows the last.
  const reached = container.milestones.findLast((each) => each.kind === 'actual' && each.name === name)
  if (reached === undefined) return otherwise
  return statementVerdict(
    journey,
    findBelievedStatement(journey, reached.claimId),
    'It was announced and is still valid.',
  )
}

/** `beside`: the verdict for a container that the attribute does not apply to. */
function inlandVerdict(
  { container, journey, roles }: ContainerDerivation,
  move: keyof InlandMoves<Milestone>,
  beside = notStated,
): Verdict {
  const keyAt = (index: number | null) => callAt(journey, index)?.placeKey ?? null
  const [port, end] = [keyAt(roles.pod), keyAt(roles.destination)]
  const happened = container.milestones.filter(({ kind }) => kind === 'actual')
  const moves = inlandMovesOf(happened, {
    isPort: (key) => key === port,
    isEnd: roles.goesInland ? (key) => key === end : null,
  })
  const reached = moves[move]
  if (reached !== undefined)
    return statementVerdict(
      journey,
      findBelievedStatement(journey, reached.claimId),
      'It was announced and is still valid.',
    )
  const isOtherGate = move === 'outOfPort' ? moves.outOfEnd !== undefined : !roles.goesInland
  return isOtherGate ? beside : notStated
}

/** The railway that is named as the carrier, else the one that itself reports its train there. */
function railwayVerdict(
  { facts, journey }: ContainerDerivation,
  name: 'pod_rail_carrier' | 'destination_rail_carrier',
  railway: Railway | null,
): Verdict {
  const named = factVerdict(name, facts)
  if (named.winner !== null || railway === null) return named
  const { losers } = statementVerdict(journey, findBelievedStatement(journey, railway.claim.id), '')
  return { winner: railway.claim, rule: 'The railway itself reports its train there.', losers }
}

function equipmentVerdict(derivation: ContainerDerivation): Verdict {
  return factVerdict('size_type', derivation.facts, {
    isAcceptable: (value, claim) => derivation.isAboutContainer(claim) && parseEquipment(value) !== null,
    unacceptable: 'it is a code that Landfall does not know, or it was stated for a bill with several containers',
  })
}

function weightVerdict(derivation: ContainerDerivation): Verdict {
  const verdict = statedFactVerdict('weight_kg')(derivation)
  if (verdict.winner !== null || derivation.container.weightKg === null) return verdict
  const [whole, ...others] = verdict.losers
  return {
    winner: whole?.claim ?? null,
    rule: 'The line gives the weight of the whole bill; it is shared evenly among the containers.',
    losers: others,
  }
}

function pickupLfdVerdict({ container, facts }: ContainerDerivation): Verdict {
  const { line, terminal } = container.freeTime
  const name = line !== null ? 'pickup_lfd_line' : terminal !== null ? 'pickup_lfd_terminal' : 'pickup_lfd_rail'
  const verdict = factVerdict(name, facts)
  const others = facts.filter(
    ({ observation }) => observation.fact.startsWith('pickup_lfd_') && observation.fact !== name,
  )
  const why = 'the last free day of the line counts before that of the terminal, and that before the railway’s'
  return { ...verdict, losers: [...verdict.losers, ...others.map((claim) => ({ claim, why }))] }
}

function availabilityVerdict(derivation: ContainerDerivation): Verdict {
  const byFact = factVerdict('available', derivation.facts, { facts: derivation.factsOfPickup })
  const availabilityMilestone = derivation.container.milestones.findLast(
    ({ name }) => name === 'available' || name === 'not_available',
  )
  const event =
    availabilityMilestone === undefined
      ? null
      : findBelievedStatement(derivation.journey, availabilityMilestone.claimId)
  if (event === null) return byFact
  const losers =
    byFact.winner === null ? byFact.losers : [{ claim: byFact.winner, why: laterStatementReason }, ...byFact.losers]
  return { ...statementVerdict(derivation.journey, event, ''), losers }
}

const laterStatementReason = 'the event that was chosen comes from a source with a higher rank, or is later'

function holdsVerdict({ facts: all, factsOfPickup: facts }: ContainerDerivation): Verdict {
  return holdsOrFeesVerdict(resolveHolds(facts), ['holds', 'hold'], { all, facts })
}

function feesVerdict({ facts: all, factsOfPickup: facts }: ContainerDerivation): Verdict {
  return holdsOrFeesVerdict(resolveFees(facts), ['fees', 'fee'], { all, facts })
}

/** The verdict on the status: the last step that shows where the container is. */
function statusVerdict(derivation: ContainerDerivation): Verdict {
  const { container, journey, steps } = derivation
  if (container.deliveredAt !== null && container.status === 'delivered') {
    return { ...factVerdict('delivered', derivation.facts), rule: 'The customer says that it was delivered.' }
  }
  const pickedUp = factVerdict('picked_up', derivation.facts)
  if (pickedUp.winner !== null && container.status === 'picked_up' && !steps.some(({ step }) => step === 'full_out'))
    return { ...pickedUp, rule: 'The customer says that it was picked up, and no source has reported a later move.' }
  const last = steps.findLast(({ step }) => step !== 'available' && step !== 'not_available')
  if (last === undefined) return createVerdictWithoutWinner('Nothing is known to have happened yet.')
  const { winner, losers } = statementVerdict(journey, last.happening.statement, '')
  return { winner, rule: `The last thing known to have happened: ${last.step}.`, losers }
}
