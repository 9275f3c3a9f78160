/**
 * From a merged journey to the contract's milestones. One table defines the meaning of a code in each role of a place
 * (notes on DCSA T&T 2.2: there is no transshipment flag and no berthed code, and the meaning of a gate move depends on
 * the events before).
 */

import { actualOf, hasSlot, isReachedByFeeder, statementAt } from '../journey/call-slots.ts'
import { type Happening, listHappenings } from '../journey/happenings.ts'
import type { Call, Journey } from '../journey/journey.ts'
import type { AreaOf } from '../journey/rail-area.ts'
import { isPassedThrough, type Roles } from '../journey/roles.ts'
import type { JourneyIssue, Milestone, MilestoneName } from '../view/projection.ts'
import { isGateOfDray } from './dray.ts'
import { buildMilestone } from './milestone-of.ts'
import { readEstimates } from './read-estimates.ts'

/** A milestone of the contract, or something else that changes the status. */
export type Step = MilestoneName | 'gated_in_off_dock' | 'dropped' | 'put_on_truck'

export interface JourneyStep {
  readonly step: Step
  readonly happening: Happening
}

export interface MilestoneReading {
  readonly steps: readonly JourneyStep[]
  readonly milestones: readonly Milestone[]
  readonly estimates: readonly Milestone[]
  readonly issues: readonly JourneyIssue[]
}

export interface MilestoneContext {
  readonly roles: Roles
  /** Whether a source named the place of delivery, so that arriving there is the end of the way. */
  readonly isInlandNamed: boolean
  readonly areaOf: AreaOf
}

export function readMilestones(journey: Journey, way: MilestoneContext): MilestoneReading {
  const happenings = listHappenings(journey)
  const context: Context = { calls: journey.calls, happenings, ...way, passed: new Map() }
  const progress: Progress = {
    isLoaded: false,
    isDischarged: false,
    isFullOut: false,
    hasArrivedInland: false,
  }
  const steps: JourneyStep[] = []
  const issues: JourneyIssue[] = []
  for (const [index, happening] of happenings.entries()) {
    const newSteps = stepsOf(happening, index, context, progress)
    for (const step of newSteps) steps.push({ step, happening })
    if (newSteps.length === 0 && !isDray(happening, index, context)) issues.push(...unmappedIssues(happening))
    updateProgress(progress, happening, newSteps)
  }
  const milestones = steps.flatMap(({ step, happening }) =>
    isMilestone(step) ? [buildMilestone('actual', step, happening.call, happening.statement)] : [],
  )
  const estimates = readEstimates(journey.calls, way.roles, { happenings, wasFetched: progress.isFullOut })
  return { steps, milestones, estimates, issues }
}

interface Context extends MilestoneContext {
  readonly calls: readonly Call[]
  readonly happenings: readonly Happening[]
  readonly passed: Map<number, boolean>
}

interface Progress {
  isLoaded: boolean
  isDischarged: boolean
  isFullOut: boolean
  hasArrivedInland: boolean
}

type Role = 'pol' | 'pod' | 'between'
type MoveCode = 'LOAD' | 'DEPA' | 'ARRI' | 'DISC'

/** What a sea-going ship does, by the role of the call. Without an entry the contract has no milestone. */
const shipSteps: Readonly<Record<Role, Partial<Record<MoveCode, MilestoneName>>>> = {
  pol: { LOAD: 'vessel_loaded', DEPA: 'vessel_departed' },
  between: {
    ARRI: 'transshipment_arrived',
    DISC: 'transshipment_discharged',
    LOAD: 'transshipment_loaded',
    DEPA: 'transshipment_departed',
  },
  pod: { ARRI: 'vessel_arrived', DISC: 'vessel_discharged' },
}

/** Feeders and trains are modes of their own, before the mother vessel and after it. */
const bargeSteps: Readonly<Record<MoveCode, MilestoneName>> = {
  LOAD: 'feeder_loaded',
  DEPA: 'feeder_departed',
  ARRI: 'feeder_arrived',
  DISC: 'feeder_discharged',
}
const railSteps: Readonly<Record<MoveCode, MilestoneName>> = {
  LOAD: 'rail_loaded',
  DEPA: 'rail_departed',
  ARRI: 'rail_arrived',
  DISC: 'rail_unloaded',
}

function stepsOf(happening: Happening, index: number, context: Context, progress: Progress): readonly Step[] {
  const { statement } = happening
  switch (statement.code) {
    case 'ARRI':
    case 'DEPA':
    case 'LOAD':
    case 'DISC':
      return statement.load === 'EMPTY' ? [] : moveSteps(happening, statement.code, context, progress)
    case 'GTOT':
      return gateOutSteps(happening, index, context, progress)
    case 'GTIN':
      return gateInSteps(happening, index, context, progress)
    case 'AVPU':
      return ['available']
    case 'DROP':
      return progress.isFullOut ? ['dropped'] : []
    default:
      return []
  }
}

function moveSteps(happening: Happening, code: MoveCode, context: Context, progress: Progress): readonly Step[] {
  switch (happening.statement.mode) {
    case 'VESSEL':
      return shipMoveSteps(happening, code, context)
    case 'BARGE':
      return [
        bargeSteps[code],
        ...feederLandingSteps(happening, code, context),
        ...inlandArrival(happening, code, context, progress),
      ]
    case 'RAIL':
      return [railSteps[code], ...inlandArrival(happening, code, context, progress)]
    case 'TRUCK':
      if (code === 'LOAD') return progress.isDischarged ? ['put_on_truck'] : []
      if (code === 'DISC') return progress.isFullOut ? ['dropped'] : []
      return inlandArrival(happening, code, context, progress)
  }
}

function shipMoveSteps(happening: Happening, code: MoveCode, context: Context): readonly Step[] {
  const { call, callIndex, slot } = happening
  const role = callIndex === context.roles.pol ? 'pol' : callIndex === context.roles.pod ? 'pod' : 'between'
  if (slot.key === 'BERTH VESSEL') {
    if (role !== 'pod') return []
    return actualOf(call, 'ARRI VESSEL') === null ? ['vessel_arrived', 'vessel_berthed'] : ['vessel_berthed']
  }
  if (role === 'between' && (isPassed(callIndex, context) || isShipSailingOn(happening, context))) return []
  const step = shipSteps[role][code]
  return step === undefined ? [] : [step]
}

/**
 * At the port of discharge, a feeder's arrival or discharge counts as the ship's too, unless somebody reports it as a
 * ship's.
 */
function feederLandingSteps(
  { call, callIndex }: Happening,
  code: MoveCode,
  { roles }: Context,
): readonly MilestoneName[] {
  if (callIndex !== roles.pod || !isReachedByFeeder(call)) return []
  const asShip = code === 'ARRI' ? ['ARRI VESSEL', 'BERTH VESSEL'] : ['DISC LADEN VESSEL']
  const step = shipSteps.pod[code]
  return step === undefined || asShip.some((key) => actualOf(call, key) !== null) ? [] : [step]
}

function isPassed(callIndex: number, context: Context): boolean {
  const known = context.passed.get(callIndex)
  if (known !== undefined) return known
  const isPassedThere = isPassedThrough(context.calls, callIndex)
  context.passed.set(callIndex, isPassedThere)
  return isPassedThere
}

/** Calls of the ship before it loaded the container, or after it discharged it: the container is not on board. */
function isShipSailingOn(happening: Happening, context: Context): boolean {
  const { pol, pod } = context.roles
  const isOutside = (pol !== null && happening.callIndex < pol) || (pod !== null && happening.callIndex > pod)
  return isOutside && !happening.call.slots.some((slot) => /^(LOAD|DISC) LADEN/.test(slot.key))
}

/**
 * A train's arrival is `rail_arrived` wherever it happens. At the end of the way, the container's own arrival is added,
 * once. So when an interchange was mistaken for the end, one milestone is withdrawn, and no train's arrival is missing.
 */
function inlandArrival(happening: Happening, code: MoveCode, context: Context, progress: Progress): readonly Step[] {
  if (code !== 'ARRI' || progress.hasArrivedInland) return []
  if (happening.callIndex !== context.roles.destination) return []
  return context.isInlandNamed || isKnownEnd(happening) ? ['arrived_at_inland_destination'] : []
}

/**
 * When nobody named the destination, the end shows by an inland terminal, by handling there, or by a predicted arrival.
 */
function isKnownEnd({ call, statement, slot }: Happening): boolean {
  const { facilityType } = statement.event.place
  if (facilityType === 'RAMP' || facilityType === 'INTE' || slot.estimate !== null) return true
  return hasSlot(call, 'DISC LADEN RAIL', 'AVPU', 'GTOT LADEN GATE')
}

function gateOutSteps(happening: Happening, index: number, context: Context, progress: Progress): readonly Step[] {
  const { statement, slot, callIndex } = happening
  if (statement.load === 'EMPTY') return progress.isLoaded || progress.isDischarged ? [] : ['empty_out']
  if (statement.load === null || isRailGate(slot.key)) return []
  const { pol, pod } = context.roles
  if (callIndex !== pod && isLoadedAfter(happening)) return []
  if (isDray(happening, index, context)) return []
  const isPastPort = pod !== null && callIndex >= pod && (pol === null || callIndex > pol)
  return progress.isDischarged || (isPastPort && progress.isLoaded) ? ['full_out'] : []
}

function isDray(happening: Happening, index: number, { happenings, roles, areaOf }: Context): boolean {
  const after = happenings.slice(index + 1)
  return isGateOfDray(happening, { after, destination: roles.destination, areaOf })
}

/** Whether the container goes by truck to another terminal of the port, where a ship loads it. */
function isLoadedAfter({ call, statement }: Happening): boolean {
  const loading = statementAt(call, 'LOAD LADEN VESSEL')
  return loading !== null && loading.from >= statement.from
}

function gateInSteps(happening: Happening, index: number, context: Context, progress: Progress): readonly Step[] {
  const { statement, slot } = happening
  if (statement.load === 'EMPTY') {
    return progress.isFullOut && !context.happenings.slice(index + 1).some(goesOnLaden) ? ['empty_in'] : []
  }
  if (statement.load === null || isRailGate(slot.key)) return []
  if (!progress.isLoaded && !progress.isDischarged) return ['full_in']
  return slot.key === 'GTIN LADEN OFF_DOCK' ? ['gated_in_off_dock'] : []
}

/** Whether an event shows that a container had not come back empty, although a source stated it. */
function goesOnLaden({ statement }: Happening): boolean {
  return statement.load === 'LADEN' && (statement.code === 'GTOT' || statement.code === 'LOAD')
}

function updateProgress(progress: Progress, { statement, slot }: Happening, newSteps: readonly Step[]): void {
  if (statement.load === 'LADEN' && statement.code === 'LOAD') progress.isLoaded = true
  if (statement.code === 'DEPA') progress.isLoaded = true
  if (statement.load === 'LADEN' && statement.code === 'DISC') progress.isDischarged = true
  if (newSteps.includes('full_out') || slot.key === 'GTOT LADEN OFF_DOCK') progress.isFullOut = true
  if (newSteps.includes('arrived_at_inland_destination')) progress.hasArrivedInland = true
}

/**
 * A gate move that its source reports beside the train: the train's own milestones state the same
 * (`journey/rail-gates.ts`).
 */
function isRailGate(slotKey: string): boolean {
  return slotKey === 'GTOT LADEN RAIL' || slotKey === 'GTIN LADEN RAIL'
}

/**
 * An empty return that is not accepted becomes an issue. A ship's call that states nothing about the container does
 * not.
 */
function unmappedIssues({ statement, slot, call }: Happening): readonly JourneyIssue[] {
  if (isRailGate(slot.key)) return []
  const isSilent =
    statement.code === 'ARRI' || statement.code === 'DEPA' || statement.load === null || slot.key.endsWith('RAIL')
  if (isSilent && statement.code !== 'GTIN' && statement.code !== 'GTOT') return []
  const kind = slot.key.startsWith('GTIN EMPTY') ? 'contradicted' : 'unmapped_event'
  return [{ kind, claimId: statement.claim.id, detail: `${slot.key} at ${call.key} is no milestone there` }]
}

function isMilestone(step: Step): step is MilestoneName {
  return step !== 'gated_in_off_dock' && step !== 'dropped' && step !== 'put_on_truck'
}
