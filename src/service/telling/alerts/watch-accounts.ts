/**
 * Looks through accounts that have alert rules: after events, what they touched; and every ten minutes the whole
 * account, for what comes with time. One account at a time, under a lease; the one that waited longest comes first.
 */

import { nextDailyHour } from '../../../core/values/daily-hour.ts'
import { compareInstants, earlierOf } from '../../../core/values/time.ts'
import { inTransaction } from '../../../store/database.ts'
import { readEventsAfter } from '../../../store/read/events.ts'
import {
  type AlertRule,
  listAlertRules,
  lockAlertRule,
  putNextDigest,
} from '../../../store/telling/alert-rules.ts'
import { listToldOf, listToldToCheck, takeWaiting } from '../../../store/telling/alert-told.ts'
import { type AlertWatch, releaseAlertWatch, takeAlertWatch } from '../../../store/telling/alert-watches.ts'
import { leaseToken } from '../../ground/holder.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'
import { hasReader, sendAlert, settle, type Touched, tellNew } from './find-new.ts'

const leaseMs = 5 * 60_000
const everyMs = 10 * 60_000
const eventsMax = 500
const checkedMax = 500

/** Works on one account; returns how many accounts it worked on. Any number of processes may do it at once. */
export async function watchAccounts(service: Service): Promise<number> {
  const token = leaseToken(service)
  const now = realNow(service)
  const until = new Date(service.clock.now() + leaseMs).toISOString()
  const watch = await takeAlertWatch(service.pool, { token, now, until })
  if (watch === null) return 0
  const { accountId, dueAt: takenDueAt } = watch
  const stretch = await readEventsAfter(service.pool, {
    accountId,
    after: watch.sequence,
    limit: eventsMax,
    filter: { names: null, shipmentId: null, containerId: null, trackingRequestId: null },
  })
  const events = stretch.events.map(({ event }) => event)
  const touched: Touched = {
    shipmentIds: [...new Set(events.flatMap(({ shipmentId }) => shipmentId ?? []))],
    requestIds: [...new Set(events.flatMap(({ trackingRequestId }) => trackingRequestId ?? []))],
  }
  const isTime = compareInstants(takenDueAt, now) <= 0
  const rules = (await listAlertRules(service.pool, accountId)).filter(({ isActive }) => isActive)
  let dueAt = isTime ? new Date(service.clock.now() + everyMs).toISOString() : takenDueAt
  for (const rule of rules) {
    const hasMore = await watchRule(service, watch, rule, isTime ? null : touched)
    const digestAt = isTime ? await tellDaily(service, watch, rule) : rule.nextDigestAt
    if (hasMore) dueAt = now
    if (digestAt !== null) dueAt = earlierOf(dueAt, digestAt)
  }
  await releaseAlertWatch(service.pool, {
    accountId,
    token,
    sequence: stretch.examined,
    takenDueAt,
    dueAt,
    now,
  })
  return 1
}

async function watchRule(
  service: Service,
  watch: AlertWatch,
  rule: AlertRule,
  touched: Touched | null,
): Promise<boolean> {
  const { accountId, companyName } = watch
  const of = { accountId, ruleId: rule.id }
  const question = questionOf(service, watch)
  const told =
    touched === null
      ? await listToldToCheck(service.pool, of, {
          before: question.realNow,
          isWaiting: false,
          limit: checkedMax,
        })
      : await listToldOf(service.pool, of, { ...touched, limit: 10_000 })
  await settle(service, rule, { ...question, told })
  return tellNew(service, rule, { ...question, companyName, touched })
}

function questionOf(service: Service, { accountId, isFiction }: AlertWatch) {
  return { accountId, now: journeyNow(service, isFiction), realNow: realNow(service) }
}

/** Sends the daily message when its hour has come. Returns when the next one is due; null when the rule has none. */
async function tellDaily(service: Service, watch: AlertWatch, rule: AlertRule): Promise<string | null> {
  const { nextDigestAt } = rule
  const now = realNow(service)
  if (nextDigestAt === null || compareInstants(now, nextDigestAt) < 0) return nextDigestAt
  const of = { accountId: watch.accountId, ruleId: rule.id }
  // What is over by now is not told.
  const waiting = await listToldToCheck(service.pool, of, { before: now, isWaiting: true, limit: checkedMax })
  await settle(service, rule, { ...questionOf(service, watch), told: waiting })
  const { dailyHour: hour, timeZone } = rule
  const next = nextDailyHour({ after: now, hour, timeZone })
  await inTransaction(service.pool, async (db) => {
    const current = await lockAlertRule(db, rule)
    // Another process was faster, or the rule was changed.
    if (current === null || current.nextDigestAt !== nextDigestAt || !current.isActive) return
    await putNextDigest(db, { ...rule, at: next })
    if (!(await hasReader(db, service, current))) return
    const items = (await takeWaiting(db, of, now)).map((told) => ({
      ...told,
      id: `${told.reason}.${told.subjectId}`,
    }))
    if (items.length > 0) await sendAlert(db, service, current, { companyName: watch.companyName, items })
  })
  return next
}
