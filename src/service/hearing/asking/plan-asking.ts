/** When a channel is asked about numbers next: as soon as the most eager of the shipments that have one wants it. */

import type { Concern, Stands } from '../../../core/at-facility.ts'
import type { ContainerProjection } from '../../../core/projection.ts'
import type { Urgency } from '../../../core/request-budget.ts'
import {
  failureGapMs,
  jitterOf,
  type LookFacts,
  type LookRules,
  lookGapMs,
  lookUrgency,
} from '../../../core/schedule.ts'
import { addMs, instantOf, msBetween } from '../../../core/time.ts'
import { freeUntilOf, isHeldThere } from '../../../core/waiting-box.ts'
import type { SpokenOf } from '../../../sources/told.ts'
import type { AskedChannel } from '../../../store/asked-channels.ts'
import { type NextAsking, type WantedNumber, whoWants } from '../../../store/asked-numbers.ts'
import type { Db } from '../../../store/database.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'
import { askAtOf, findConcern, isDue, standsOf } from '../intake/at-facilities.ts'

/** The sandbox's days may last a second. */
const fictionGapMinMs = 2_000

/** Of those that somebody wants asked. `failures`: how often in a row each failed before, where it failed again now. */
export async function planAskings(
  db: Db,
  service: Service,
  of: {
    readonly channel: AskedChannel
    readonly rules: LookRules
    readonly numbers: readonly SpokenOf[]
    readonly failures: ReadonlyMap<string, number> | null
  },
): Promise<readonly NextAsking[]> {
  const { channel, rules, numbers, failures } = of
  const wanted = Map.groupBy(await whoWants(db, { channelId: channel.id, numbers }), nameOf)
  const { isFiction } = channel
  const now = journeyNow(service, isFiction)
  const stands = standsOf(channel)
  return numbers.flatMap(({ kind, number }): readonly NextAsking[] => {
    const name = nameOf({ kind, number })
    const wanting = wanted.get(name) ?? []
    if (wanting.length === 0) return []
    const concern = stands === null ? null : concernIn(channel, stands, wanting)
    if (stands !== null && concern === null) return []
    const [{ accountId } = { accountId: '' }] = wanting
    if (concern !== null && !isDue(concern, now))
      return [{ kind, number, accountId, urgency: 'near', at: realAt(msUntil(concern)) }]
    const moment = { now, jitter: jitterOf(`${channel.id} ${name}`) }
    const failedBefore = failures?.get(name)
    const gapMs =
      failedBefore === undefined
        ? Math.min(...wanting.map((each) => Math.min(gapOf(each, moment, rules), liveliness(each))))
        : failureGapMs(failedBefore, rules)
    const urgency = urgencyOf(wanting, addMs(now, gapMs), rules)
    return [{ kind, number, accountId, urgency, at: realAt(gapMs) }]
  })

  /** As of looks (`plan-next-look.ts`): the sandbox tells journeys a day a second, and no schedule could know which. */
  function liveliness({ changedAt }: WantedNumber): number {
    if (!isFiction) return Number.POSITIVE_INFINITY
    const leastMs = fictionGapMinMs * service.journeyClock(true).pace()
    return Math.max(leastMs, msBetween({ from: changedAt, to: now }) / 4)
  }

  function msUntil(concern: Concern): number {
    return Date.parse(askAtOf(concern, now)) - Date.parse(now)
  }

  function realAt(gapMs: number): string {
    const realMs = Math.max(gapMs / service.journeyClock(isFiction).pace(), isFiction ? fictionGapMinMs : 0)
    return addMs(realNow(service), Math.ceil(realMs))
  }
}

/** What it is to the terminal or railway; null for one that does not come there, or has gone. */
export function concernIn(
  channel: AskedChannel,
  stands: Stands,
  wanting: readonly WantedNumber[],
): Concern | null {
  return findConcern(
    channel,
    stands,
    wanting.flatMap(({ containers }) => containers),
  )
}

export function nameOf({ kind, number }: SpokenOf): string {
  return `${kind} ${number}`
}

/** As urgent as the most urgent of those that want it. */
function urgencyOf(wanting: readonly WantedNumber[], at: string, rules: LookRules): Urgency {
  const facts = wanting.flatMap(({ containers, changedAt }) =>
    containers.map((container) => askingFacts(container, changedAt)),
  )
  return lookUrgency(facts, at, rules)
}

/** Every box is back and the shipment is tracked all the same: it is asked as seldom as can be, until that ends. */
function gapOf(
  { containers, changedAt }: WantedNumber,
  moment: Parameters<typeof lookGapMs>[1],
  rules: LookRules,
): number {
  const facts = containers.map((container) => askingFacts(container, changedAt))
  return lookGapMs(facts, moment, rules) ?? rules.gapMaxMs
}

/** What there may be news of: the arrival at the port of discharge, then the end of free time, as long as the box waits. */
function askingFacts(container: Omit<ContainerProjection, 'milestones'>, lastChangeAt: string): LookFacts {
  const { status, isTerminated } = container
  const { ata, eta, place } = container.portOfDischarge
  const zone = place?.timeZone ?? null
  const arrivedAt = ata === null ? null : instantOf(ata, zone).at
  const arrivesAt = arrivedAt === null && eta !== null ? instantOf(eta, zone).at : null
  const freeUntil = freeUntilOf(container)
  const inland = status === 'on_rail' ? (container.destination?.eta ?? null) : null
  const inlandAt =
    inland === null ? null : instantOf(inland, container.destination?.place?.timeZone ?? null).at
  const nextExpectedAt = arrivesAt ?? freeUntil ?? inlandAt
  const isHeld = isHeldThere(container)
  return { status, isTerminated, arrivedAt, lastChangeAt, nextExpectedAt, freeUntil, isHeld }
}
