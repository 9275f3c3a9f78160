/**
 * Plans when a channel is asked about each number next: as early as any shipment or request with that number wants it.
 */

import type { Urgency } from '../../../core/looking/request-budget.ts'
import {
  failureGapMs,
  jitterOf,
  type LookFacts,
  type LookRules,
  lookGapMs,
  lookUrgency,
} from '../../../core/looking/schedule.ts'
import type { Concern, Stands } from '../../../core/shipment/at-facility.ts'
import type { ContainerProjection } from '../../../core/shown/projection.ts'
import { freeUntilOf, isHeldThere } from '../../../core/shown/waiting-box.ts'
import { addMs, instantOf, msBetween } from '../../../core/values/time.ts'
import type { SpokenOf } from '../../../sources/told.ts'
import type { AskedChannel } from '../../../store/channels/asked-channels.ts'
import { type NextAsking, type WantedNumber, whoWants } from '../../../store/channels/asked-numbers.ts'
import type { Db } from '../../../store/database.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'
import { askAtOf, findConcern, isDue, standsOf } from '../intake/at-facilities.ts'

/** Minimum real time between two questions about one number of the sandbox, whose days may last a second. */
const fictionGapMinMs = 2_000

/**
 * The next questions. Numbers that nobody wants asked are left out. `failures`: how many times in a row each number
 * failed before the failure of now; null when nothing failed now.
 */
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

  /**
   * For the sandbox, a gap that is short after news and grows while there is none, as `plan-next-look.ts` has it for
   * looks. The sandbox simulates a day of a journey each second, and no schedule can know of which journey.
   */
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

/**
 * How the boxes concern a terminal or railway: at which of its facilities, and from when. Null when they do not come
 * there, or have left.
 */
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

/** The urgency of the most urgent shipment or request that wants the number. */
function urgencyOf(wanting: readonly WantedNumber[], at: string, rules: LookRules): Urgency {
  const facts = wanting.flatMap(({ containers, changedAt }) =>
    containers.map((container) => askingFacts(container, changedAt)),
  )
  return lookUrgency(facts, at, rules)
}

/**
 * When every box is back and the shipment is still tracked, the number is asked about as seldom as the rules allow,
 * until tracking ends.
 */
function gapOf(
  { containers, changedAt }: WantedNumber,
  moment: Parameters<typeof lookGapMs>[1],
  rules: LookRules,
): number {
  const facts = containers.map((container) => askingFacts(container, changedAt))
  return lookGapMs(facts, moment, rules) ?? rules.gapMaxMs
}

/**
 * Says which news can come next: the arrival at the port of discharge, then the end of free time while the box waits,
 * then the arrival of a box on rail at its inland destination.
 */
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
