/** Why a container needs a person: its free time, its holds, its costs, the train that it waits for, and an event that is overdue. */

import type { Fee, Hold, SourceKind } from '../statements/observation.ts'
import { addDays, addMs, compareInstants, instantOf, localDateIn, localMidnight } from '../values/time.ts'
import { unreachable } from '../values/unreachable.ts'
import { type AttentionItem, makeAttentionItem, type StatementSource } from './attention-item.ts'
import { overdueDaysMax, soonMs, trainDays } from './attention-reasons.ts'
import { countDays, describeFreeTime, nameDay } from './day-count.ts'
import { type Expectation, groundOf, keyOf, nameEvent, proofOf, sourceStateOf } from './expectation.ts'
import { type CalculatedFreeDays, freeDaysOf, hasLeftByRail, isHeldThere, isWaiting } from './free-time.ts'
import type { ContainerProjection, Milestone, MilestoneName } from './projection.ts'

export const containerReasons = [
  'free_time_ended',
  'free_time_ends_soon',
  'held',
  'fees',
  'waiting_for_train',
  'overdue',
] as const
export type ContainerReason = (typeof containerReasons)[number]

export type AttentionContainer = Pick<
  ContainerProjection,
  'number' | 'status' | 'freeTime' | 'pickupTimeZone' | 'holds' | 'fees' | 'saidBy' | 'heardAt'
> & {
  readonly id: string
  readonly shipmentId: string
  /** Names of the milestones that happened, in journey order. */
  readonly happened: readonly MilestoneName[]
  readonly calculatedFreeDays: CalculatedFreeDays | null
  /** When it was last unloaded from a ship. */
  readonly discharged: Pick<Milestone, 'time' | 'place' | 'source' | 'claimId'> | null
  /** The last change of its holds or fees that was published; null when they came with the container. */
  readonly lastChange: { readonly at: string; readonly before: unknown } | null
  readonly createdAt: string
  /** What is overdue. Null when nothing is, or when another reason is asked for. */
  readonly overdue: {
    readonly expected: Expectation
    readonly scac: string
    /** When the line answered last; null when it is not polled. */
    readonly lastAnswerAt: string | null
  } | null
}

/** Null when the reason does not hold, or when its basis was not stated. */
export function containerItem(
  reason: ContainerReason,
  container: AttentionContainer,
  now: string,
): AttentionItem | null {
  switch (reason) {
    case 'free_time_ended':
    case 'free_time_ends_soon':
      return freeTimeItem(reason, container, now)
    case 'held':
      return isHeldThere(container) ? heldItem(container) : null
    case 'fees':
      // Fees of a container are to be paid where it can be held.
      return isHeldThere({ ...container, holds: someHold }) && container.fees.length > 0 ? feesItem(container) : null
    case 'waiting_for_train':
      return trainItem(container, now)
    case 'overdue':
      return overdueItem(container, now)
    default:
      return unreachable(reason)
  }
}

const someHold: readonly Hold[] = [{ name: 'other', status: 'hold', description: null }]

function freeTimeItem(
  reason: 'free_time_ended' | 'free_time_ends_soon',
  container: AttentionContainer,
  now: string,
): AttentionItem | null {
  const { pickupTimeZone, status, happened, calculatedFreeDays } = container
  if (!isWaiting(status)) return null
  const [lfd] = freeDaysOf(container, {
    hasLeftByRail: hasLeftByRail(status, happened),
    calculatedFreeDays: calculatedFreeDays ?? [],
  })
  if (lfd === undefined) return null
  const dueAt = localMidnight(addDays(lfd.on, 1), pickupTimeZone)
  const hasEnded = compareInstants(dueAt, now) <= 0
  if (hasEnded !== (reason === 'free_time_ended')) return null
  if (hasEnded && compareInstants(addDays(dueAt, overdueDaysMax), now) < 0) return null
  if (!hasEnded && compareInstants(dueAt, addMs(now, soonMs)) > 0) return null
  const today = localDateIn(now, pickupTimeZone)
  const giver = lfd.by === 'terms' ? `by the terms ${lfd.termsCode}` : `says the ${lfd.by}`
  return makeAttentionItem(reason, container.id, {
    ...idsOf(container),
    since: hasEnded ? dueAt : addMs(dueAt, -soonMs),
    dueAt,
    text: `${container.number}: ${describeFreeTime(lfd.on, today)}, ${giver}. Not picked up.`,
    short: hasEnded ? 'Free time ended' : 'Free time ends',
    foreign: [container.number, lfd.termsCode ?? ''],
    actBy: { on: lfd.on, daysLeft: countDays(today, lfd.on) },
    after: lfd.on,
    said: sourceOf(container, lfd.source ?? undefined),
  })
}

function heldItem(container: AttentionContainer): AttentionItem {
  return makeAttentionItem('held', container.id, {
    ...idsOf(container),
    ...changeOf(container),
    text: `${container.number} is held where it is: ${joinNames(container.holds.map(nameOfHold))}.`,
    short: `Hold: ${joinNames(container.holds.map(nameOfHold))}`,
    foreign: [container.number, ...container.holds.map(({ name }) => name)],
    after: container.holds,
    said: sourceOf(container, container.saidBy.holds ?? container.saidBy.hold),
  })
}

function feesItem(container: AttentionContainer): AttentionItem {
  return makeAttentionItem('fees', container.id, {
    ...idsOf(container),
    ...changeOf(container),
    text: `Fees are to be paid for ${container.number}: ${joinNames(container.fees.map(nameOfFee))}.`,
    short: `Fees: ${joinNames(feeTypes(container.fees))}`,
    foreign: [container.number, ...container.fees.map(({ currencyCode }) => currencyCode)],
    costs: { owed: [], perDay: [], fees: container.fees },
    after: container.fees.map(({ type, amount, currencyCode }) => ({
      type,
      amount,
      currency_code: currencyCode,
    })),
    said: sourceOf(container, container.saidBy.fees ?? container.saidBy.fee),
  })
}

function trainItem(container: AttentionContainer, now: string): AttentionItem | null {
  const { discharged } = container
  if (container.status !== 'awaiting_inland_transfer' || discharged === null) return null
  const since = instantOf(discharged.time, discharged.place.timeZone).at
  if (compareInstants(addDays(since, trainDays), now) > 0) return null
  return makeAttentionItem('waiting_for_train', container.id, {
    ...idsOf(container),
    since,
    text: `${container.number} waits for its train since ${since.slice(0, 10)}, when it was unloaded at the port.`,
    short: `Waits for its train since ${nameDay(since, now)}`,
    foreign: [container.number],
    said: { kind: discharged.source, code: null, claimId: discharged.claimId },
  })
}

function overdueItem(container: AttentionContainer, now: string): AttentionItem | null {
  if (container.overdue === null) return null
  const { expected, scac, lastAnswerAt } = container.overdue
  const state = sourceStateOf(lastAnswerAt, now)
  const aboutLine = {
    answering: `${scac} answers and reports nothing new.`,
    silent: `${scac} has not answered since ${(lastAnswerAt ?? '').slice(0, 10)}, so it may be silence and no delay.`,
    unknown: `${scac} is not polled, so it may be silence and no delay.`,
  }[state]
  const name = nameEvent(expected.expected)
  return makeAttentionItem('overdue', container.id, {
    ...idsOf(container),
    since: expected.dueAt,
    text: [
      `${container.number}: ${name} is overdue.`,
      proofOf(expected, now),
      groundOf(expected),
      aboutLine,
      describeLastReport(container, expected),
    ]
      .filter((each) => each !== '')
      .join(' '),
    short: `Overdue: ${name.replace('the ', '')}${state === 'silent' ? `, ${scac} silent` : ''}`,
    foreign: [container.number, scac, ...Object.keys({ ...container.heardAt?.terminal, ...container.heardAt?.rail })],
    basis: keyOf(expected),
    after: { expected: expected.expected, leg: expected.leg, source_state: state },
  })
}

/** When the terminal or railway last stated anything, where the event is one of theirs. */
function describeLastReport({ heardAt }: AttentionContainer, { leg }: Expectation): string {
  if (leg !== 'at_terminal' && leg !== 'on_rail') return ''
  const heard = Object.entries({ ...heardAt?.terminal, ...heardAt?.rail })
  const [last] = heard.toSorted(([, a], [, b]) => compareInstants(b, a))
  return last === undefined ? '' : `${last[0]} last stated something on ${last[1].slice(0, 10)}.`
}

function idsOf({ id, shipmentId }: AttentionContainer): Pick<AttentionItem, 'containerId' | 'shipmentId'> {
  return { containerId: id, shipmentId }
}

function changeOf({ lastChange, createdAt }: AttentionContainer): Pick<AttentionItem, 'since' | 'before'> {
  return { since: lastChange?.at ?? createdAt, before: lastChange?.before ?? null }
}

/** For terminals and railways the code is known: that of the one that made the last statement. */
function sourceOf({ heardAt }: AttentionContainer, kind: SourceKind | undefined): StatementSource | null {
  if (kind === undefined) return null
  const statedAtByCode = kind === 'terminal' || kind === 'rail' ? Object.entries(heardAt?.[kind] ?? {}) : []
  const [last] = statedAtByCode.toSorted(([, a], [, b]) => compareInstants(b, a))
  return { kind, code: last?.[0] ?? null, claimId: null }
}

function nameOfHold({ name, status }: Hold): string {
  return status === 'pending' ? `${name} (pending)` : name
}

function nameOfFee({ type, amount, currencyCode }: Fee): string {
  return `${type.replaceAll('_', ' ')} ${amount} ${currencyCode}`
}

/** A total alone says nothing of what it is for. */
function feeTypes(fees: readonly Fee[]): readonly string[] {
  const parts = fees.filter(({ type }) => type !== 'total')
  return (parts.length === 0 ? fees : parts).map(({ type }) => type.replaceAll('_', ' '))
}

function joinNames(names: readonly string[]): string {
  return [...new Set(names)].join(', ')
}
