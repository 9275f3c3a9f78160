/**
 * The setup of the deliveries benchmarks: accounts with journeys, receivers in another process, and events to announce.
 */

import { once } from 'node:events'
import { inTransaction } from '../../src/db/database.ts'
import { wakeWorkers } from '../../src/db/wake-workers.ts'
import { eventNames } from '../../src/domain/changes/event-table.ts'
import type { Context } from '../../src/modules/access/context.ts'
import { createWebhook } from '../../src/modules/webhooks/create-webhook.ts'
import { type DomainEvent, insertEvents } from '../../src/pipeline/projection/domain-events-sql.ts'
import { uuidV7 } from '../../src/platform/ids.ts'
import type { Came, Ports } from './deliveries-receivers.ts'
import { type Installation, openInstallation, storeSnapshot, track, workOffTasks } from './installation.ts'
import { makeShipments } from './journeys.ts'
import { progress } from './measure.ts'
import { lines, startProgram } from './program.ts'

export const receiversMax = 64
const accountsMax = 8
const shipmentsPerAccount = 16

export interface Hook {
  readonly accountId: string
  readonly webhookId: string
  readonly url: string
}

/** An event of some journey, which is announced again under a new id. */
export interface Template {
  readonly accountId: string
  readonly event: DomainEvent
}

export interface Stage {
  readonly installation: Installation
  /** One webhook for each receiver. The receivers are given to the accounts in turn. */
  readonly hooks: readonly Hook[]
  readonly slow: Hook
  /** Key: the account. Events of different shipments follow each other. */
  readonly templates: ReadonlyMap<string, readonly Template[]>
  /** From now on only these webhooks get notifications. Nothing is queued for the others. */
  readonly listen: (hooks: readonly Hook[]) => Promise<void>
  readonly announce: (templates: readonly Template[]) => Promise<readonly string[]>
  /** The arrivals since the last call: their times by the notification's id. */
  readonly arrived: () => Promise<ReadonlyMap<string, number>>
  readonly closeReceivers: () => void
  readonly close: () => Promise<void>
}

export async function openStage(): Promise<Stage> {
  const installation = await openInstallation()
  const { service } = installation
  const program = startProgram(new URL('./deliveries-receivers.ts', import.meta.url))
  const told = lines(program)
  const ask = async <Answer>(line: string): Promise<Answer> => {
    const answered = once(told, 'line') as Promise<[string]>
    program.stdin?.write(`${line}\n`)
    return JSON.parse((await answered)[0]) as Answer
  }
  const { ports, slowPort } = await ask<Ports>(JSON.stringify({ receivers: receiversMax }))
  progress(`deliveries: ${accountsMax} accounts track ${shipmentsPerAccount} shipments each`)
  const contexts: Context[] = []
  for (let account = 0; account < accountsMax; account += 1) {
    const context = await installation.newAccount()
    const tracked = await track(installation, context, makeShipments(shipmentsPerAccount, 30 + account))
    for (const each of tracked) await storeSnapshot(installation, each, 1)
    contexts.push(context)
  }
  await workOffTasks(installation)
  await service.pool.query('update events set sequence = -ordinal where sequence is null')
  const subscribe = async (port: number, account: number): Promise<Hook> => {
    const context = contexts[account % accountsMax]
    if (context === undefined) throw new Error('there is no account')
    const url = `http://127.0.0.1:${port}/hook`
    const { id } = await createWebhook(service, context, {
      url,
      isActive: false,
      events: eventNames,
      headers: null,
    })
    return { accountId: context.account.id, webhookId: id, url }
  }
  const hooks: Hook[] = []
  for (const [place, port] of ports.entries()) hooks.push(await subscribe(port, place))
  const slow = await subscribe(slowPort, 0)
  const templates = Map.groupBy(await readTemplates(installation), ({ accountId }) => accountId)
  await service.pool.query('vacuum analyze')
  return {
    installation,
    hooks,
    slow,
    templates,
    listen: async (wanted) => {
      await service.pool.query('update webhooks set is_active = (id = any($1::uuid[]))', [
        wanted.map(({ webhookId }) => webhookId),
      ])
    },
    announce: (each) => announce(installation, each),
    arrived: async () => new Map((await ask<Came>('tell')).came),
    closeReceivers: () => void program.kill(),
    close: async () => {
      program.kill()
      await installation.close()
    },
  }
}

async function readTemplates({ service }: Installation): Promise<readonly Template[]> {
  const { rows } = await service.pool.query<DomainEvent & { readonly accountId: string }>(
    `select account_id as "accountId", id, name, reference_type as "referenceType", reference_id as "referenceId",
            tracking_request_id as "trackingRequestId", shipment_id as "shipmentId", container_id as "containerId",
            payload
       from events where reference_type = 'transport_event'
      order by row_number() over (partition by shipment_id order by ordinal), ordinal`,
  )
  return rows.map(({ accountId, ...event }) => ({ accountId, event }))
}

/** Writes events to the outbox as a projection does, each in a transaction of its own account. Returns the new ids. */
async function announce({ service }: Installation, templates: readonly Template[]): Promise<readonly string[]> {
  const events = templates.map(({ accountId, event }) => ({
    accountId,
    event: { ...event, id: uuidV7(service.clock.now()) },
  }))
  for (const [accountId, ofAccount] of Map.groupBy(events, (each) => each.accountId)) {
    await inTransaction(service.pool, async (db) => {
      const at = new Date(service.clock.now()).toISOString()
      await insertEvents(db, { accountId, at, events: ofAccount.map(({ event }) => event) })
      wakeWorkers(db, 'events')
    })
  }
  return events.map(({ event }) => event.id)
}
