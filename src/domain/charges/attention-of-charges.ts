/** A container that will cost within 48 hours, or costs already, by the terms on record. */

import { addDays, addMs, compareInstants, localDateIn } from '../values/time.ts'
import { type AttentionItem, makeAttentionItem } from '../view/attention-item.ts'
import { overdueDaysMax, soonMs } from '../view/attention-reasons.ts'
import { countDays, nameDay } from '../view/day-count.ts'
import { isSlotOfPickup } from '../view/free-time.ts'
import { isFetched, phaseOf } from '../view/phase.ts'
import type { ContainerStatus } from '../view/projection.ts'
import { sumByCurrency } from './bill.ts'
import { writeMoney } from './money.ts'
import { type ContainerTally, calculateChargeSums, rateOn, type TermsTally } from './tally.ts'

export interface AttentionCharges {
  readonly id: string
  readonly shipmentId: string
  readonly number: string
  readonly status: ContainerStatus
  readonly tally: ContainerTally
}

/** Null when no clock of it costs by then. */
export function costItem(container: AttentionCharges, now: string): AttentionItem | null {
  const latest = addMs(now, soonMs)
  const earliest = addDays(now, -overdueDaysMax)
  const terms = container.tally.terms
    .flatMap((each) =>
      isClockRunning(each) && !isOver(each, container.status)
        ? [{ each, at: each.chargedFrom.at, day: each.chargedFrom.day }]
        : [],
    )
    .filter(({ at }) => compareInstants(at, latest) <= 0 && compareInstants(at, earliest) >= 0)
    .toSorted((a, b) => compareInstants(a.at, b.at))
  const [first] = terms
  if (first === undefined) return null
  const rates = terms.map(({ each }) => rateOn(each, now))
  const perDay = sumByCurrency(rates)
  const isUnpriced = rates.some((rate) => rate === null)
  const owed = sumByCurrency(
    terms.flatMap(({ each }) => calculateChargeSums(each, { now, until: localDateIn(now, each.zone) }).owed.totals),
  )
  const hasBegun = compareInstants(first.at, now) <= 0
  const priced = perDay.map(writeMoney).join(' and ')
  const amount =
    perDay.length === 0
      ? 'at a rate that is not known'
      : `${priced} a day${isUnpriced ? ', and more at a rate that is not known' : ''}`
  const today = localDateIn(now, first.each.zone)
  const day = nameDay(first.day, today)
  const when = hasBegun ? `costs since ${day}` : `will cost from ${day} on`
  // The day before the first charged day is the last on which nothing is lost.
  const lastFree = addDays(first.day, -1)
  const codes = terms.map(({ each }) => `${each.kind.replace('_', ' ')} by ${each.code}`).join(', ')
  return makeAttentionItem('will_cost', container.id, {
    containerId: container.id,
    shipmentId: container.shipmentId,
    since: hasBegun ? first.at : addMs(first.at, -soonMs),
    dueAt: first.at,
    text: `${container.number} ${when}: ${amount} (${codes}).`,
    short: hasBegun ? 'Costs' : 'Will cost',
    foreign: [container.number, ...terms.map(({ each }) => each.code)],
    actBy: { on: lastFree, daysLeft: countDays(today, lastFree) },
    costs: { owed, perDay, fees: [] },
    basis: `${first.day} ${terms.map(({ each }) => each.code).join()}`,
    after: {
      from: first.day,
      per_day: perDay,
      is_unpriced: isUnpriced,
      owed,
      terms: terms.map(({ each }) => each.code),
    },
  })
}

/** Somebody has stated that the container is out, so nobody has to pick it up. Its clock still waits for the gate-out. */
function isOver({ slot }: TermsTally, status: ContainerStatus): boolean {
  return isSlotOfPickup(slot) && isFetched(phaseOf(status, null))
}

function isClockRunning(
  terms: TermsTally,
): terms is TermsTally & { readonly chargedFrom: NonNullable<TermsTally['chargedFrom']> } {
  return terms.missing === null && terms.stoppedOn === null && terms.chargedFrom !== null
}
