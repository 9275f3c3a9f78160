/** For each attribute of a container, the verdict that explains it, taken from the parts of the projection. */

import { callAt } from '../journey/call-slots.ts'
import { toldOfLeg } from '../journey/leg.ts'
import type { Railway } from '../journey/railways.ts'
import type { BoxMaking } from '../shipment/box-making.ts'
import { settleFees, settleHolds } from '../shipment/holds-and-fees.ts'
import { parseEquipment } from '../shown/equipment.ts'
import { type InlandMoves, inlandMovesOf } from '../shown/inland-moves.ts'
import type { Milestone, MilestoneName } from '../shown/projection.ts'
import { cutOffVerdicts } from './cut-offs.ts'
import {
  factVerdict,
  findTold,
  settledVerdict,
  statementVerdict,
  type Verdict,
  verdictOf,
} from './verdict.ts'

type Explain = (box: BoxMaking) => Verdict

const ofBill = 'it was stated for the whole bill, which has several containers'

/** Keyed by the attribute of the wire. */
export const containerVerdicts: Readonly<Record<string, Explain>> = {
  equipment_type: equipment,
  equipment_length: equipment,
  equipment_height: equipment,
  weight_in_lbs: weight,
  seal_number: (box) =>
    factVerdict('seal_number', box.facts, {
      isAcceptable: (_, claim) => box.isOfBox(claim),
      unacceptable: ofBill,
    }),
  pickup_lfd: pickupLfd,
  'import_deadlines.pickup_lfd_terminal': ({ facts }) => factVerdict('pickup_lfd_terminal', facts),
  'import_deadlines.pickup_lfd_rail': ({ facts }) => factVerdict('pickup_lfd_rail', facts),
  'import_deadlines.pickup_lfd_line': ({ facts }) => factVerdict('pickup_lfd_line', facts),
  ssl_lfd: ({ facts }) => factVerdict('pickup_lfd_line', facts),
  ind_facility_lfd_on: ({ facts }) => factVerdict('pickup_lfd_rail', facts),
  pickup_appointment_at: (box) => factVerdict('pickup_appointment', box.facts, { facts: box.factsOfPickup }),
  availability_known: availability,
  available_for_pickup: availability,
  holds_at_pod_terminal: holds,
  ind_facility_holds: (box) => (box.roles.goesInland ? holds(box) : notInland),
  fees_at_pod_terminal: fees,
  ind_facility_fees: (box) => (box.roles.goesInland ? fees(box) : notInland),
  location_at_pod_terminal: (box) => factVerdict('yard_location', box.facts, { facts: box.factsOfPickup }),
  pod_full_out_chassis_number: ({ facts }) => factVerdict('chassis_number', facts),
  pod_rail_carrier_scac: (box) => railwayVerdict(box, 'pod_rail_carrier', box.railways.fromPort),
  ind_rail_carrier_scac: (box) => railwayVerdict(box, 'destination_rail_carrier', box.railways.toEnd),
  delivered_at: ({ facts }) => factVerdict('delivered', facts),
  // The wire has no attribute for these. The pick-up number is left out on purpose: it is a secret of the cargo's
  // owner.
  empty_return_place: ({ facts }) => factVerdict('empty_return_place', facts),
  empty_return_by: ({ facts }) => factVerdict('empty_return_by', facts),
  general_order_at: ({ facts }) => factVerdict('general_order_at', facts),
  it_number: ({ facts }) => factVerdict('it_number', facts),
  ...cutOffVerdicts,
  current_status: status,
  empty_out_at: milestone('empty_out'),
  pol_full_in_at: milestone('full_in'),
  pol_vessel_loaded_at: milestone('vessel_loaded'),
  pol_vessel_departed_at: (box) => milestoneOr(box, 'vessel_departed', legVerdict(box, 'pol', 'atd')),
  pod_arrived_at: (box) => milestoneOr(box, 'vessel_arrived', legVerdict(box, 'pod', 'ata')),
  pod_discharged_at: milestone('vessel_discharged'),
  pod_full_out_at: (box) => inlandVerdict(box, 'outOfPort', verdictOf(leavesInland)),
  final_destination_full_out_at: (box) => inlandVerdict(box, 'outOfEnd', notInland),
  empty_terminated_at: milestone('empty_in'),
  pod_rail_loaded_at: (box) => inlandVerdict(box, 'loaded'),
  pod_rail_departed_at: (box) => inlandVerdict(box, 'departed'),
  ind_rail_unloaded_at: (box) => inlandVerdict(box, 'unloaded'),
  ind_eta_at: (box) => legVerdict(box, 'destination', 'eta'),
  ind_ata_at: (box) => legVerdict(box, 'destination', 'ata'),
}

const notSaid = verdictOf('No source has said that it happened.')
const notInland = verdictOf('The container does not continue to an inland place.')
const leavesInland = 'It continued inland, so it left the ramp at its destination full, not the port.'

const legKinds = { pol: 'loading', pod: 'discharge', destination: 'inland' } as const

export type LegName = keyof typeof legKinds

/** One of the four times at a place of the route. */
export function legVerdict(
  { journey, roles }: Pick<BoxMaking, 'journey' | 'roles'>,
  leg: LegName,
  time: 'etd' | 'atd' | 'eta' | 'ata',
): Verdict {
  const index = roles[leg]
  const call = index === null ? undefined : journey.calls[index]
  if (call === undefined) return verdictOf('No source has reported a call there.')
  const told = toldOfLeg(call, legKinds[leg])[time]
  return statementVerdict(journey, told, 'No source has said so.')
}

function milestone(name: MilestoneName): Explain {
  return (box) => milestoneOr(box, name, notSaid)
}

function milestoneOr({ container, journey }: BoxMaking, name: MilestoneName, otherwise: Verdict): Verdict {
  // A milestone may happen again at a later call. The attribute shows the last.
  const told = container.milestones.findLast((each) => each.kind === 'actual' && each.name === name)
  if (told === undefined) return otherwise
  return statementVerdict(journey, findTold(journey, told.claimId), 'It was announced and is still valid.')
}

/** `beside`: the verdict for a box that the attribute does not apply to. */
function inlandVerdict(
  { container, journey, roles }: BoxMaking,
  move: keyof InlandMoves<Milestone>,
  beside = notSaid,
): Verdict {
  const keyAt = (index: number | null) => callAt(journey, index)?.placeKey ?? null
  const [port, end] = [keyAt(roles.pod), keyAt(roles.destination)]
  const happened = container.milestones.filter(({ kind }) => kind === 'actual')
  const moves = inlandMovesOf(happened, {
    isPort: (key) => key === port,
    isEnd: roles.goesInland ? (key) => key === end : null,
  })
  const told = moves[move]
  if (told !== undefined)
    return statementVerdict(journey, findTold(journey, told.claimId), 'It was announced and is still valid.')
  const isOtherGate = move === 'outOfPort' ? moves.outOfEnd !== undefined : !roles.goesInland
  return isOtherGate ? beside : notSaid
}

/** The railway that is named as the carrier, else the one that itself reports its train there. */
function railwayVerdict(
  { facts, journey }: BoxMaking,
  name: 'pod_rail_carrier' | 'destination_rail_carrier',
  railway: Railway | null,
): Verdict {
  const named = factVerdict(name, facts)
  if (named.winner !== null || railway === null) return named
  const { losers } = statementVerdict(journey, findTold(journey, railway.claim.id), '')
  return { winner: railway.claim, rule: 'The railway itself reports its train there.', losers }
}

function equipment(box: BoxMaking): Verdict {
  return factVerdict('size_type', box.facts, {
    isAcceptable: (value, claim) => box.isOfBox(claim) && parseEquipment(value) !== null,
    unacceptable:
      'it is a code that Landfall does not know, or it was stated for a bill with several containers',
  })
}

function weight(box: BoxMaking): Verdict {
  const verdict = factVerdict('weight_kg', box.facts, {
    isAcceptable: (_, claim) => box.isOfBox(claim),
    unacceptable: ofBill,
  })
  if (verdict.winner !== null || box.container.weightKg === null) return verdict
  const [whole, ...others] = verdict.losers
  return {
    winner: whole?.claim ?? null,
    rule: 'The line gives the weight of the whole bill; it is shared evenly among the containers.',
    losers: others,
  }
}

function pickupLfd({ container, facts }: BoxMaking): Verdict {
  const { line, terminal } = container.freeTime
  const name =
    line !== null ? 'pickup_lfd_line' : terminal !== null ? 'pickup_lfd_terminal' : 'pickup_lfd_rail'
  const verdict = factVerdict(name, facts)
  const others = facts.filter(
    ({ observation }) => observation.fact.startsWith('pickup_lfd_') && observation.fact !== name,
  )
  const why =
    'the last free day of the line counts before that of the terminal, and that before the railway’s'
  return { ...verdict, losers: [...verdict.losers, ...others.map((claim) => ({ claim, why }))] }
}

function availability(box: BoxMaking): Verdict {
  const byFact = factVerdict('available', box.facts, { facts: box.factsOfPickup })
  const word = box.container.milestones.findLast(
    ({ name }) => name === 'available' || name === 'not_available',
  )
  const event = word === undefined ? null : findTold(box.journey, word.claimId)
  if (event === null) return byFact
  const losers =
    byFact.winner === null ? byFact.losers : [{ claim: byFact.winner, why: laterWord }, ...byFact.losers]
  return { ...statementVerdict(box.journey, event, ''), losers }
}

const laterWord = 'the event that was chosen comes from a source with a higher rank, or is later'

function holds({ facts: all, factsOfPickup: facts }: BoxMaking): Verdict {
  return settledVerdict(settleHolds(facts), ['holds', 'hold'], { all, facts })
}

function fees({ facts: all, factsOfPickup: facts }: BoxMaking): Verdict {
  return settledVerdict(settleFees(facts), ['fees', 'fee'], { all, facts })
}

/** The verdict on the status: the last step that says where the box is. */
function status(box: BoxMaking): Verdict {
  const { container, journey, steps } = box
  if (container.deliveredAt !== null && container.status === 'delivered') {
    return { ...factVerdict('delivered', box.facts), rule: 'The customer says that it was delivered.' }
  }
  const last = steps.findLast(({ step }) => step !== 'available' && step !== 'not_available')
  if (last === undefined) return verdictOf('Nothing is known to have happened yet.')
  const { winner, losers } = statementVerdict(journey, last.happening.told, '')
  return { winner, rule: `The last thing known to have happened: ${last.step}.`, losers }
}
