/** Questions to channels that are told and asked as well: takes numbers that are due, each channel's at its own pace. */

import { addMs } from '../../core/time.ts'
import { uuidV7 } from '../../platform/ids.ts'
import type { Asking } from '../../sources/told.ts'
import { findToldSource } from '../../sources/told-registry.ts'
import { putOff } from '../../store/asked-boxes.ts'
import { type AskedChannel, lockDueChannels, noteAsked } from '../../store/asked-channels.ts'
import { type DueNumber, leaseNumbers, letGo, whoWants } from '../../store/asked-numbers.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import { leaveLineAlone, takeSlot } from '../../store/line-slots.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import { isDue, standsOf } from './at-facilities.ts'
import { concernIn, nameOf, planAskings } from './plan-asking.ts'

/** Longer than any question may take (time-outs and pages included), so that a lease outlives it. */
const leaseMs = 180_000
/** A channel that cannot be asked at all is looked at again then. */
const unusableMs = 3_600_000

/** Numbers of one kind that go out in one question, under our lease. */
export interface AskingJob {
  readonly channel: AskedChannel
  readonly asking: Asking<unknown>
  readonly numbers: readonly DueNumber[]
  readonly token: string
}

/** Up to `limit`, one of each channel. */
export async function takeAskings(service: Service, limit: number): Promise<readonly AskingJob[]> {
  const now = realNow(service)
  return inTransaction(service.pool, async (db) => {
    const jobs: AskingJob[] = []
    for (const channel of await lockDueChannels(db, { now, limit })) {
      const job = await takeOf(service, db, channel, now)
      if (job !== null) jobs.push(job)
    }
    return jobs
  })
}

async function takeOf(
  service: Service,
  db: Db,
  channel: AskedChannel,
  now: string,
): Promise<AskingJob | null> {
  const channelId = channel.id
  const asking = findToldSource(channel.source)?.asking
  const profile = asking?.parseProfile(channel.asking)
  if (asking === undefined || profile?.ok !== true) {
    const trouble = `what it is asked with cannot be read: ${profile?.ok === false ? profile.reason : channel.source}`
    await noteAsked(db, { channelId, answeredAt: null, trouble })
    await leaveLineAlone(db, { credentialId: channelId, now, until: addMs(now, unusableMs) })
    return null
  }
  const token = uuidV7(service.clock.now())
  const batchMax = asking.batchMax(channel.asking)
  const lease = { channelId, token, now, until: addMs(now, leaseMs), batchMax }
  const { numbers, unwanted, early } = await sorted(service, db, channel, await leaseNumbers(db, lease))
  await letGo(db, { channelId, token, numbers: unwanted })
  const rules = asking.rulesOf?.(channel.asking) ?? asking.rules
  const later = { channel, rules, numbers: early, failures: null }
  await putOff(db, { channelId, token, next: await planAskings(db, service, later) })
  if (numbers.length === 0) return null
  const pace = asking.rateOf(channel.asking)
  if (pace === null || (await takeSlot(db, { credentialId: channelId, now, ...pace })))
    return { channel, asking, numbers, token }
  await putOff(db, { channelId, token, next: numbers.map(({ kind, number }) => ({ kind, number, at: now })) })
  return null
}

interface Sorted {
  readonly numbers: readonly DueNumber[]
  /** By nobody, or by those whose boxes do not come to the facility, or have gone. */
  readonly unwanted: readonly DueNumber[]
  /** Their ship is far from the facility. */
  readonly early: readonly DueNumber[]
}

async function sorted(
  service: Service,
  db: Db,
  channel: AskedChannel,
  due: readonly DueNumber[],
): Promise<Sorted> {
  const stands = standsOf(channel)
  const wanted = Map.groupBy(await whoWants(db, { channelId: channel.id, numbers: due }), nameOf)
  const at = journeyNow(service, channel.isFiction)
  const groups = Map.groupBy(due, (each) => {
    const wanting = wanted.get(nameOf(each)) ?? []
    if (wanting.length === 0) return 'unwanted'
    const concern = stands === null ? null : concernIn(channel, stands, wanting)
    if (stands !== null && concern === null) return 'unwanted'
    return concern === null || isDue(concern, at) ? 'numbers' : 'early'
  })
  const of = (group: keyof Sorted) => groups.get(group) ?? []
  return { numbers: of('numbers'), unwanted: of('unwanted'), early: of('early') }
}
