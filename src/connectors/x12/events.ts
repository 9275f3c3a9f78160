/** Converts the statuses of a message, and the dates of its places, into events. */

import type { EventObservation } from '../../domain/statements/observation.ts'
import type { EventTime } from '../../domain/values/time.ts'
import { setOnlyRamp } from '../at-ramp.ts'
import { quoteValue } from '../source-issue.ts'
import type { ReadContext, ReadStatus } from './context.ts'
import { writeDates } from './dates.ts'
import type { Effect } from './effects.ts'
import { listNamedRailways } from './facts.ts'
import { readMoment, readWallClock } from './moment.ts'
import { observeEvent } from './observe-event.ts'

/** One event for each key. If a status and the date of a place give the same event, the status counts. */
export function writeEvents(statuses: readonly ReadStatus[], context: ReadContext): readonly EventObservation[] {
  const ofPlaces = writeDates(context)
  const ofStatuses = statuses.flatMap((status) => writeStatus(status, ofPlaces, context))
  return [...new Map([...ofPlaces, ...ofStatuses].map((event) => [event.key, event])).values()]
}

function writeStatus(
  status: ReadStatus,
  ofPlaces: readonly EventObservation[],
  context: ReadContext,
): readonly EventObservation[] {
  const { issues, tally, stated } = context
  const isEstimateStated = ofPlaces.some(({ classifier }) => classifier === 'EST')
  const effects = status.effects ?? []
  const isUnknown = status.effects === null || (effects.some(({ kind }) => kind === 'estimate') && !isEstimateStated)
  if (isUnknown) {
    const what = status.effects === null ? 'is a status that is not mapped' : 'gives no new estimate'
    issues.add('unmapped_code', { path: status.path, lost: 'nothing' }, `${quoteValue(status.code)} ${what}`)
  }
  const events = effects.filter((effect) => effect.kind === 'event').map((effect) => resolveEffect(effect, context))
  // A status without a DCSA event code becomes an event with the sender's own code.
  const isRaw = isUnknown || effects.some(({ kind }) => becomesRawEvent(kind))
  const coded = [...events, ...(isRaw ? [null] : [])]
  if (coded.length === 0) {
    if (isFactReadable(status, stated)) tally.understood()
    else tally.lost('missing_field')
    return []
  }
  issues.beginEvent()
  const time = readMoment(status.moment, context)
  const observations = coded.flatMap((event) => {
    const observation = time === null ? null : buildEventOfEffect(event, { status, time }, context)
    return observation === null ? [] : [observation]
  })
  if (observations.length === 0) tally.lost(issues.lossOfEvent ?? 'wrong_structure')
  else if (isUnknown) tally.partly('unmapped_code')
  else if (events.length > 0 && stated.activity.place.unlocode === null)
    tally.partly(stated.activity.place.name === null ? 'no_place' : 'unknown_place')
  else tally.understood()
  return observations
}

/**
 * True when a status without an event can be read as a fact of the container. For some of these facts the time of the
 * status must be readable.
 */
function isFactReadable({ effects, moment }: ReadStatus, { numbers }: ReadContext['stated']): boolean {
  const isTime = effects?.some(({ kind }) => kind === 'last_free_day' || kind === 'appointment') ?? false
  return numbers.container !== null && (!isTime || readWallClock(moment.date, moment.time) !== null)
}

function becomesRawEvent(kind: Effect['kind']): boolean {
  return kind === 'note' || kind === 'seals_altered' || kind === 'moved_in_terminal'
}

type EventEffect = Extract<Effect, { kind: 'event' }>

/** Null for an `at_end` event at a place that is not the end of the transport. */
function resolveEffect(effect: EventEffect, { stated }: ReadContext): EventEffect | null {
  if (!effect.isAtEndOnly) return effect
  const ends = stated.places.filter(({ role }) => role === '7' || role === 'E').map(({ code }) => code)
  return stated.activity.code !== '' && ends.includes(stated.activity.code) ? effect : null
}

function buildEventOfEffect(
  effect: EventEffect | null,
  { status, time }: { readonly status: ReadStatus; readonly time: EventTime },
  context: ReadContext,
): EventObservation | null {
  const { stated } = context
  const equipment = containerOf(effect, status.path, context)
  if (equipment === undefined) return null
  const isByShip = effect?.mode === 'VESSEL' || effect?.mode === 'BARGE'
  const isLoaded = effect !== null && !isShipsMovement(effect)
  return observeEvent(
    {
      classifier: 'ACT',
      code: effect?.code ?? null,
      load: isLoaded ? (effect.load ?? stated.load) : null,
      mode: effect?.mode ?? null,
      time,
      place: setOnlyRamp(stated.activity.place, { code: effect?.code ?? null, railway: railwayOf(stated) }),
      vessel: isByShip ? stated.vessel : null,
      voyage: isByShip ? stated.voyage : null,
      original: status.code,
      equipment,
    },
    context,
  )
}

/** The railway of a train's message (322), if the message names exactly one. */
function railwayOf(stated: ReadContext['stated']): string | null {
  const [only, second] = stated.type === '322' ? new Set(listNamedRailways(stated).map(({ value }) => value)) : []
  return second === undefined ? (only ?? null) : null
}

/**
 * The container that the status is about. A status without a container can only be a movement of a ship, or a status
 * that is not mapped: these may be stated of the whole bill. Any other status would count for all containers of the
 * bill. Undefined: the status cannot be stated.
 */
function containerOf(
  effect: EventEffect | null,
  path: string,
  { issues, stated }: ReadContext,
): string | null | undefined {
  const { container, isContainerNamed } = stated.numbers
  if (container !== null || effect === null || (isShipsMovement(effect) && effect.mode === 'VESSEL')) return container
  const kind = isContainerNamed ? 'bad_equipment' : 'missing_field'
  issues.add(kind, { path, lost: 'event' }, 'the status has no container number that can be read')
  return undefined
}

function isShipsMovement({ code }: Pick<EventEffect, 'code'>): boolean {
  return code === 'ARRI' || code === 'DEPA'
}
