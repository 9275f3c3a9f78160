/**
 * Plans when a channel is polled about each number next: as early as any shipment or request with that number wants it.
 */

import type { MentionedNumber } from '../../connectors/pushed-source.ts'
import type { Db } from '../../db/database.ts'
import type { Urgency } from '../../domain/polling/request-budget.ts'
import {
  failureGapMs,
  jitterOf,
  type PollFacts,
  type PollRules,
  pollGapMs,
  pollUrgency,
} from '../../domain/polling/schedule.ts'
import type { FacilityCoverage, FacilityVisit } from '../../domain/shipment/at-facility.ts'
import { addMs, instantOf, msBetween } from '../../domain/values/time.ts'
import { firstFreeMidnight, isHeldThere } from '../../domain/view/free-time.ts'
import type { ContainerProjection } from '../../domain/view/projection.ts'
import { facilitySitesOf, findFacilityVisit, isDue, pollTimeOf } from '../../modules/channels/facility-polls.ts'
import type { PolledChannel } from '../../modules/channels/polled-channels-sql.ts'
import { journeyNow, realNow, type Service } from '../../modules/service.ts'
import { findInterestedParties, type NextPoll, type WantedNumber } from './polled-numbers-sql.ts'

/** Minimum real time between two polls about one number of the sandbox, whose days may last a second. */
const sandboxGapMinMs = 2_000

/**
 * The next polls. Numbers that nobody wants polled are left out. `failures`: how many times in a row each number failed
 * before the present failure; null when nothing failed now.
 */
export async function planChannelPolls(
  db: Db,
  service: Service,
  of: {
    readonly channel: PolledChannel
    readonly rules: PollRules
    readonly numbers: readonly MentionedNumber[]
    readonly failures: ReadonlyMap<string, number> | null
  },
): Promise<readonly NextPoll[]> {
  const { channel, rules, numbers, failures } = of
  const wanted = Map.groupBy(await findInterestedParties(db, { channelId: channel.id, numbers }), toNumberKey)
  const { isSandbox } = channel
  const now = journeyNow(service, isSandbox)
  const facilitySites = facilitySitesOf(channel)
  return numbers.flatMap(({ kind, number }): readonly NextPoll[] => {
    const name = toNumberKey({ kind, number })
    const wanting = wanted.get(name) ?? []
    if (wanting.length === 0) return []
    const concern = facilitySites === null ? null : findVisitAtChannel(channel, facilitySites, wanting)
    if (facilitySites !== null && concern === null) return []
    const [{ accountId } = { accountId: '' }] = wanting
    if (concern !== null && !isDue(concern, now))
      return [{ kind, number, accountId, urgency: 'near', at: realAt(msUntil(concern)) }]
    const moment = { now, jitter: jitterOf(`${channel.id} ${name}`) }
    const failedBefore = failures?.get(name)
    const gapMs =
      failedBefore === undefined
        ? Math.min(...wanting.map((each) => Math.min(computePollGapMs(each, moment, rules), sandboxGapMs(each))))
        : failureGapMs(failedBefore, rules)
    const urgency = urgencyOf(wanting, addMs(now, gapMs), rules)
    return [{ kind, number, accountId, urgency, at: realAt(gapMs) }]
  })

  /**
   * For the sandbox, a gap that is short after news and grows while there is none, as `plan-next-polls.ts` has it. The
   * sandbox simulates a day of a journey each second, and no schedule can know of which journey.
   */
  function sandboxGapMs({ changedAt }: WantedNumber): number {
    if (!isSandbox) return Number.POSITIVE_INFINITY
    const leastMs = sandboxGapMinMs * service.journeyClock(true).pace()
    return Math.max(leastMs, msBetween({ from: changedAt, to: now }) / 4)
  }

  function msUntil(concern: FacilityVisit): number {
    return Date.parse(pollTimeOf(concern, now)) - Date.parse(now)
  }

  function realAt(gapMs: number): string {
    const realMs = Math.max(gapMs / service.journeyClock(isSandbox).pace(), isSandbox ? sandboxGapMinMs : 0)
    return addMs(realNow(service), Math.ceil(realMs))
  }
}

/**
 * How the containers concern a terminal or railway: at which of its facilities, and from when. Null when they do not
 * come there, or have left.
 */
export function findVisitAtChannel(
  channel: PolledChannel,
  facilitySites: FacilityCoverage,
  wanting: readonly WantedNumber[],
): FacilityVisit | null {
  return findFacilityVisit(
    channel,
    facilitySites,
    wanting.flatMap(({ containers }) => containers),
  )
}

export function toNumberKey({ kind, number }: MentionedNumber): string {
  return `${kind} ${number}`
}

/** The urgency of the most urgent shipment or request that wants the number. */
function urgencyOf(wanting: readonly WantedNumber[], at: string, rules: PollRules): Urgency {
  const facts = wanting.flatMap(({ containers, changedAt }) =>
    containers.map((container) => pollFactsOf(container, changedAt)),
  )
  return pollUrgency(facts, at, rules)
}

/**
 * When every container is back and the shipment is still tracked, the number is polled as seldom as the rules allow,
 * until tracking ends.
 */
function computePollGapMs(
  { containers, changedAt }: WantedNumber,
  moment: Parameters<typeof pollGapMs>[1],
  rules: PollRules,
): number {
  const facts = containers.map((container) => pollFactsOf(container, changedAt))
  return pollGapMs(facts, moment, rules) ?? rules.gapMaxMs
}

/**
 * Which news can come next: the arrival at the port of discharge, then the end of free time while the container waits,
 * then the arrival of a container on rail at its inland destination.
 */
function pollFactsOf(container: Omit<ContainerProjection, 'milestones'>, lastChangeAt: string): PollFacts {
  const { status, isTerminated } = container
  const { ata, eta, place } = container.portOfDischarge
  const zone = place?.timeZone ?? null
  const arrivedAt = ata === null ? null : instantOf(ata, zone).at
  const arrivesAt = arrivedAt === null && eta !== null ? instantOf(eta, zone).at : null
  const freeUntil = firstFreeMidnight(container)
  const inland = status === 'on_rail' ? (container.destination?.eta ?? null) : null
  const inlandAt = inland === null ? null : instantOf(inland, container.destination?.place?.timeZone ?? null).at
  const nextExpectedAt = arrivesAt ?? freeUntil ?? inlandAt
  const isHeld = isHeldThere(container)
  return { status, isTerminated, arrivedAt, lastChangeAt, nextExpectedAt, freeUntil, isHeld }
}
