/** What about a container needs a person: its free time, what holds it, what it costs, and the train that it waits for. */

import type { Fee, Hold, SourceKind } from '../statements/observation.ts'
import { addDays, addMs, compareInstants, instantOf, localMidnight } from '../values/time.ts'
import { unreachable } from '../values/unreachable.ts'
import { type AttentionItem, makeItem, type SaidBy } from './attention-item.ts'
import { overdueDaysMax, soonMs, trainDays } from './attention-reasons.ts'
import { earliestLfd } from './free-time.ts'
import type { ContainerProjection, Milestone } from './projection.ts'
import { freeUntilOf, isHeldThere } from './waiting-box.ts'

export const boxReasons = [
  'free_time_ended',
  'free_time_ends_soon',
  'held',
  'fees',
  'waiting_for_train',
] as const
export type BoxReason = (typeof boxReasons)[number]

export type AttentionBox = Pick<
  ContainerProjection,
  'number' | 'status' | 'freeTime' | 'pickupTimeZone' | 'holds' | 'fees' | 'saidBy' | 'heardAt'
> & {
  readonly id: string
  readonly shipmentId: string
  /** When it was last unloaded from a ship. */
  readonly discharged: Pick<Milestone, 'time' | 'place' | 'source' | 'claimId'> | null
  /** The last change of its holds or fees that was told; null when they came with the container. */
  readonly lastChange: { readonly at: string; readonly before: unknown } | null
  readonly createdAt: string
}

/** Null when the reason does not hold, or nobody has said what it goes by. */
export function boxItem(reason: BoxReason, box: AttentionBox, now: string): AttentionItem | null {
  switch (reason) {
    case 'free_time_ended':
    case 'free_time_ends_soon':
      return freeTimeItem(reason, box, now)
    case 'held':
      return isHeldThere(box) ? heldItem(box) : null
    case 'fees':
      // A box is asked for fees where it can be held.
      return isHeldThere({ ...box, holds: someHold }) && box.fees.length > 0 ? feesItem(box) : null
    case 'waiting_for_train':
      return trainItem(box, now)
    default:
      return unreachable(reason)
  }
}

const someHold: readonly Hold[] = [{ name: 'other', status: 'hold', description: null }]
const facts = { line: 'pickup_lfd_line', terminal: 'pickup_lfd_terminal', rail: 'pickup_lfd_rail' } as const
const givers = { line: 'line', terminal: 'terminal', rail: 'railway' } as const

function freeTimeItem(
  reason: 'free_time_ended' | 'free_time_ends_soon',
  box: AttentionBox,
  now: string,
): AttentionItem | null {
  if (freeUntilOf(box) === null) return null
  const { freeTime, pickupTimeZone, status } = box
  const lfd = earliestLfd(freeTime, { pickupTimeZone, isOnRail: status === 'on_rail' })
  if (lfd === null) return null
  const dueAt = localMidnight(addDays(lfd.day, 1), pickupTimeZone)
  const hasEnded = compareInstants(dueAt, now) <= 0
  if (hasEnded !== (reason === 'free_time_ended')) return null
  if (hasEnded && compareInstants(addDays(dueAt, overdueDaysMax), now) < 0) return null
  if (!hasEnded && compareInstants(dueAt, addMs(now, soonMs)) > 0) return null
  const ends = hasEnded ? 'ended with' : 'ends with'
  return makeItem(reason, box.id, {
    ...of(box),
    since: hasEnded ? dueAt : addMs(dueAt, -soonMs),
    dueAt,
    text: `Free time of ${box.number} ${ends} ${lfd.day}, the last free day of the ${givers[lfd.by]}. It is not out yet.`,
    after: lfd.day,
    said: saidOf(box, box.saidBy[facts[lfd.by]]),
  })
}

function heldItem(box: AttentionBox): AttentionItem {
  return makeItem('held', box.id, {
    ...of(box),
    ...changeOf(box),
    text: `${box.number} is held where it is: ${listed(box.holds.map(nameOfHold))}.`,
    after: box.holds,
    said: saidOf(box, box.saidBy.holds ?? box.saidBy.hold),
  })
}

function feesItem(box: AttentionBox): AttentionItem {
  return makeItem('fees', box.id, {
    ...of(box),
    ...changeOf(box),
    text: `Fees are to be paid for ${box.number}: ${listed(box.fees.map(nameOfFee))}.`,
    after: box.fees.map(({ type, amount, currencyCode }) => ({ type, amount, currency_code: currencyCode })),
    said: saidOf(box, box.saidBy.fees ?? box.saidBy.fee),
  })
}

function trainItem(box: AttentionBox, now: string): AttentionItem | null {
  const { discharged } = box
  if (box.status !== 'awaiting_inland_transfer' || discharged === null) return null
  const since = instantOf(discharged.time, discharged.place.timeZone).at
  if (compareInstants(addDays(since, trainDays), now) > 0) return null
  return makeItem('waiting_for_train', box.id, {
    ...of(box),
    since,
    text: `${box.number} waits for its train since ${since.slice(0, 10)}, when it was unloaded at the port.`,
    said: { kind: discharged.source, code: null, claimId: discharged.claimId },
  })
}

function of({ id, shipmentId }: AttentionBox): Pick<AttentionItem, 'containerId' | 'shipmentId'> {
  return { containerId: id, shipmentId }
}

function changeOf({ lastChange, createdAt }: AttentionBox): Pick<AttentionItem, 'since' | 'before'> {
  return { since: lastChange?.at ?? createdAt, before: lastChange?.before ?? null }
}

/** Of terminals and railways the code is at hand: that of the one that spoke last. */
function saidOf({ heardAt }: AttentionBox, kind: SourceKind | undefined): SaidBy | null {
  if (kind === undefined) return null
  const heard = kind === 'terminal' || kind === 'rail' ? Object.entries(heardAt?.[kind] ?? {}) : []
  const [last] = heard.toSorted(([, a], [, b]) => compareInstants(b, a))
  return { kind, code: last?.[0] ?? null, claimId: null }
}

function nameOfHold({ name, status }: Hold): string {
  return status === 'pending' ? `${name} (pending)` : name
}

function nameOfFee({ type, amount, currencyCode }: Fee): string {
  return `${type.replaceAll('_', ' ')} ${amount} ${currencyCode}`
}

function listed(names: readonly string[]): string {
  return [...new Set(names)].join(', ')
}
