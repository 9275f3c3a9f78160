/**
 * Checks accounts that have alert rules: after events, the shipments of the events; and every ten minutes the whole
 * account, for what comes with time. One account at a time, under a lease; the one that waited longest comes first.
 */

import { inTransaction } from '../../db/database.ts'
import { nextDailyHour } from '../../domain/values/daily-hour.ts'
import { compareInstants, earlierOf } from '../../domain/values/time.ts'
import { type AlertRule, listAlertRules, lockAlertRule, putNextDigest } from '../../modules/alerts/alert-rules-sql.ts'
import { readEventsAfter } from '../../modules/events/list-events-sql.ts'
import { journeyNow, realNow, type Service } from '../../modules/service.ts'
import { leaseToken } from '../jobs/holder.ts'
import { type AlertWatch, leaseAlertWatch, releaseAlertWatch } from './alert-watches-sql.ts'
import { hasRecipient, notifyNewItems, resolveItems, sendAlert, type TouchedIds } from './notify-new-items.ts'
import { listItemsToCheck, listReportedItems, reportWaitingItems } from './reported-items-sql.ts'

const leaseMs = 5 * 60_000
const everyMs = 10 * 60_000
const eventsMax = 500
const checkedMax = 500

/** Works on one account; returns how many accounts it worked on. Any number of processes may do it at once. */
export async function watchAccounts(service: Service): Promise<number> {
  const token = leaseToken(service)
  const now = realNow(service)
  const until = new Date(service.clock.now() + leaseMs).toISOString()
  const watch = await leaseAlertWatch(service.pool, { token, now, until })
  if (watch === null) return 0
  const { accountId, dueAt: acquiredDueAt } = watch
  const stretch = await readEventsAfter(service.pool, {
    accountId,
    after: watch.sequence,
    limit: eventsMax,
    filter: { names: null, shipmentId: null, containerId: null, trackingRequestId: null },
  })
  const events = stretch.events.map(({ event }) => event)
  const touched: TouchedIds = {
    shipmentIds: [...new Set(events.flatMap(({ shipmentId }) => shipmentId ?? []))],
    requestIds: [...new Set(events.flatMap(({ trackingRequestId }) => trackingRequestId ?? []))],
  }
  const isTime = compareInstants(acquiredDueAt, now) <= 0
  const rules = (await listAlertRules(service.pool, accountId)).filter(({ isActive }) => isActive)
  let dueAt = isTime ? new Date(service.clock.now() + everyMs).toISOString() : acquiredDueAt
  for (const rule of rules) {
    const hasMore = await watchRule(service, watch, rule, isTime ? null : touched)
    const digestAt = isTime ? await sendDailyDigest(service, watch, rule) : rule.nextDigestAt
    if (hasMore) dueAt = now
    if (digestAt !== null) dueAt = earlierOf(dueAt, digestAt)
  }
  await releaseAlertWatch(service.pool, {
    accountId,
    token,
    sequence: stretch.examined,
    leasedDueAt: acquiredDueAt,
    dueAt,
    now,
  })
  return 1
}

async function watchRule(
  service: Service,
  watch: AlertWatch,
  rule: AlertRule,
  touched: TouchedIds | null,
): Promise<boolean> {
  const { accountId, companyName } = watch
  const of = { accountId, ruleId: rule.id }
  const question = buildAttentionQuestion(service, watch)
  const notified =
    touched === null
      ? await listItemsToCheck(service.pool, of, {
          before: question.realNow,
          isWaiting: false,
          limit: checkedMax,
        })
      : await listReportedItems(service.pool, of, { ...touched, limit: 10_000 })
  await resolveItems(service, rule, { ...question, notified })
  return notifyNewItems(service, rule, { ...question, companyName, touched })
}

function buildAttentionQuestion(service: Service, { accountId, isSandbox }: AlertWatch) {
  return { accountId, now: journeyNow(service, isSandbox), realNow: realNow(service) }
}

/** Sends the daily message when its hour has come. Returns when the next one is due; null when the rule has none. */
async function sendDailyDigest(service: Service, watch: AlertWatch, rule: AlertRule): Promise<string | null> {
  const { nextDigestAt } = rule
  const now = realNow(service)
  if (nextDigestAt === null || compareInstants(now, nextDigestAt) < 0) return nextDigestAt
  const of = { accountId: watch.accountId, ruleId: rule.id }
  // What is over by now is not reported.
  const waiting = await listItemsToCheck(service.pool, of, {
    before: now,
    isWaiting: true,
    limit: checkedMax,
  })
  await resolveItems(service, rule, { ...buildAttentionQuestion(service, watch), notified: waiting })
  const { dailyHour: hour, timeZone } = rule
  const next = nextDailyHour({ after: now, hour, timeZone })
  await inTransaction(service.pool, async (db) => {
    const current = await lockAlertRule(db, rule)
    // Another process was faster, or the rule was changed.
    if (current === null || current.nextDigestAt !== nextDigestAt || !current.isActive) return
    await putNextDigest(db, { ...rule, at: next })
    if (!(await hasRecipient(db, service, current))) return
    const items = (await reportWaitingItems(db, of, now)).map((notified) => ({
      ...notified,
      id: `${notified.reason}.${notified.subjectId}`,
    }))
    if (items.length > 0) await sendAlert(db, service, current, { companyName: watch.companyName, items })
  })
  return next
}
