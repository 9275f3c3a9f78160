/** An upgraded installation, opened with its secret at the moment when it was stored, and sent the same requests. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { openRenderer } from '../../src/api/notifications/notification-document.ts'
import { deliverDue } from '../../src/pipeline/delivery/start-deliveries.ts'
import { numberEvents } from '../../src/pipeline/event-sequence/number-events.ts'
import { foldBy } from '../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../src/pipeline/ledger/rebuild-projections.ts'
import { repairHistory } from '../../src/pipeline/ledger/repair-history.ts'
import { readRules } from '../../src/pipeline/ledger/rules.ts'
import type { EgressRequest } from '../../src/platform/egress.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { compareAnswers } from './compare-answers.ts'
import type { Difference } from './differences.ts'
import type { Kept } from './kept.ts'
import type { ObservedWebhook } from './observed.ts'
import { byKey, type Dump } from './rows.ts'

export interface Upgraded {
  readonly kept: Kept
  readonly api: TestApi
  /** The deliveries to receivers since it was opened; every receiver accepts them. */
  readonly sent: readonly EgressRequest[]
  readonly close: () => Promise<void>
}

/** `url`: of the upgraded database, which is cloned and not changed. */
export async function openUpgraded(kept: Kept, url: string): Promise<Upgraded> {
  const database = await openTestDatabase({ like: url })
  const sent: EgressRequest[] = []
  const api = await openTestApi({
    startAt: kept.seenAt,
    env: kept.settings,
    on: { database, secret: kept.secret },
  })
  const answer = { status: 200, headers: {}, body: Buffer.from('ok'), truncated: false, address: '127.0.0.1' }
  const request: TestApi['service']['egress']['request'] = async (asked) => {
    sent.push(asked)
    return { kind: 'answer', ...answer, durationMs: 1 }
  }
  Object.assign(api.service.egress, { request })
  return { kept, api, sent, close: () => api.close() }
}

/** Every stored request, sent again with its key; `only` those at some addresses. */
export async function askAgain({ kept, api }: Upgraded, only = /^/): Promise<readonly Difference[]> {
  const differences: Difference[] = []
  for (const { key, url, status, data } of kept.observed.answers) {
    if (!only.test(url)) continue
    const answer = await api.call({ url: wholeList(url), key })
    if (answer.status !== status) differences.push({ what: 'wire status', where: url, was: status, now: answer.text })
    else differences.push(...compareAnswers(url, data, answer.body.data))
  }
  return differences
}

/** Some lists had no pages before: they are requested as one page with everything that was stored. */
function wholeList(url: string): string {
  return /\/(raw|transport)_events$/.test(url) ? `${url}?page[size]=100` : url
}

/** Everything encrypted, decrypted: also values that a migration or a start has encrypted again. */
export function openSealedAgain({ kept, api }: Upgraded, { tables }: Dump): readonly Difference[] {
  const rows = new Map(tables.map((table) => [table.name, byKey(table)]))
  return kept.observed.sealed.flatMap(({ table, column, key, clear }) => {
    const sealed = rows.get(table)?.get(key)?.get(column) ?? null
    const now = sealed === null ? 'nothing' : open(api, sealed)
    return now === clear ? [] : [{ what: `sealed ${table}.${column}`, where: key, was: clear, now }]
  })
}

function open({ service }: TestApi, sealed: string): string {
  try {
    return service.encryption.decrypt(Buffer.from(sealed.replace(/^\\x/, ''), 'hex'))
  } catch (error) {
    return `not opened: ${String(error)}`
  }
}

/** The ledger folded again by the code of today, compared with the served rows. */
export async function foldAgain({ api }: Upgraded): Promise<readonly Difference[]> {
  const report = await rebuildProjections(api.service, foldBy(readRules(api.service.config)), {
    repair: false,
    differencesMax: 1_000,
    progress: () => {},
  })
  return report.differences.flatMap(({ table, id, kind, columns }) =>
    (columns.length === 0 ? [''] : columns.map((column) => `.${column}`)).map((column) => ({
      what: `fold ${table}${column}`,
      where: id,
      was: 'as it was served',
      now: kind,
    })),
  )
}

/** Lets the repair of the history run to its end; returns how many parts it did. */
export async function mendAll({ api }: Upgraded): Promise<number> {
  const fold = foldBy(readRules(api.service.config))
  for (let done = 0; ; done += 1) {
    const mended = await repairHistory(api.service, fold)
    if (mended === null) return done
    await mended.cooldown
  }
}

/** As if the old rules had read a discharge three hours earlier than those of today; returns the container. */
export async function olderDischarge({ api }: Upgraded): Promise<string> {
  const { rows } = await api.service.pool.query<{ container: string }>({
    text: `with picked as (
             select t.account_id, t.id, t.container_id, t.occurs_at
               from transport_events t join containers c on c.account_id = t.account_id and c.id = t.container_id
              where t.event = 'container.transport.vessel_discharged' and t.invalidated_at is null
                and c.projection::text like '%"' || to_char(t.occurs_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') || '%'
              order by t.account_id, t.id limit 1),
           spelt as (select p.*, to_char(p.occurs_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as was,
                            to_char((p.occurs_at - interval '3 hours') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as now
                       from picked p),
           box as (update containers c set projection = replace(c.projection::text, s.was, s.now)::jsonb
                     from spelt s where c.account_id = s.account_id and c.id = s.container_id
                returning c.account_id, c.shipment_id),
           walks as (delete from mendings),
           shipment as (update shipments h set rules = 1 from box b
                         where h.account_id = b.account_id and h.id = b.shipment_id)
           update transport_events t
              set occurs_at = t.occurs_at - interval '3 hours',
                  milestone = replace(t.milestone::text, s.was, s.now)::jsonb
             from spelt s where t.account_id = s.account_id and t.id = s.id
           returning t.container_id as container`,
  })
  const [row] = rows
  if (row === undefined) throw new Error('no container of the kept installation was discharged')
  return row.container
}

export async function eventsOf({
  api,
}: Upgraded): Promise<readonly { readonly id: string; readonly name: string; readonly container: string | null }[]> {
  const { rows } = await api.service.pool.query<{ id: string; name: string; container: string | null }>({
    text: 'select id, name, container_id as container from events order by ordinal',
  })
  return rows
}

/**
 * Pending work continues: events get their numbers, and everything that is due within the next three days is
 * sent.
 */
export async function goOn({ api }: Upgraded): Promise<void> {
  const { service, clock } = api
  const hours = [0, 1, 6, 24, 72]
  for (const [index, hour] of hours.entries()) {
    clock.advance((hour - (hours[index - 1] ?? 0)) * 3_600_000)
    while ((await numberEvents(service)) > 0);
    await deliverDue(service, { render: openRenderer(service) })
  }
}

type Headers = Readonly<Record<string, string>>

/** Checked as a receiver does, without our code: Standard Webhooks 1.0, and the hex HMAC of the body under its header. */
export function isSignedBy(
  secret: string,
  { headers, body }: { readonly headers: Headers; readonly body: Buffer },
  hexHeader = 'x-landfall-signature',
): { readonly standard: boolean; readonly hex: boolean } {
  const of = (name: string): string =>
    Object.entries(headers).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1] ?? ''
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const head = `${of('webhook-id')}.${of('webhook-timestamp')}.`
  const standard = `v1,${createHmac('sha256', key).update(head).update(body).digest('base64')}`
  const hex = createHmac('sha256', secret).update(body).digest('hex')
  return {
    standard: of('webhook-signature')
      .split(' ')
      .some((each) => isEqual(each, standard)),
    hex: [hexHeader, `${hexHeader}-next`].some((name) => isEqual(of(name), hex)),
  }
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

/** The secrets with which the webhook's receiver checks today, from the database, the oldest first. */
export async function secretsOf({ api }: Upgraded, { id }: Pick<ObservedWebhook, 'id'>): Promise<readonly string[]> {
  const { rows } = await api.service.pool.query<{ sealed: Buffer }>({
    text: 'select secret_sealed as sealed from webhook_secrets where webhook_id = $1 order by created_at, id',
    values: [id],
  })
  return rows.map(({ sealed }) => api.service.encryption.decrypt(sealed))
}
