// What the tests of the intake share: a service with a line on loopback, and channels to which messages are sent.
import type { TestContext } from 'node:test'
import type { Context } from '../../../src/modules/access/context.ts'
import { createChannel, getChannel, type NewChannel } from '../../../src/modules/channels/channels.ts'
import { type IngestResult, ingestDelivery } from '../../../src/pipeline/ingestion/ingest-delivery.ts'
import { openStage, type Stage } from '../../support/tracking-harness.ts'

export interface IntakeStage extends Stage {
  /** A channel of the account; of the whole installation with `as` null. Returns its key. */
  readonly open: (of: Partial<NewChannel> & { readonly as?: Context | null }) => Promise<string>
  readonly send: (channel: string, body: unknown, key?: string | null) => Promise<IngestResult>
  readonly milestones: (as?: Context) => Promise<readonly string[]>
}

export async function openIntake(t: TestContext, options: Parameters<typeof openStage>[1] = {}): Promise<IntakeStage> {
  const stage = await openStage(t, options)
  const { service } = stage
  return {
    ...stage,
    open: async ({ as = stage.account, ...of }) => {
      const made = await createChannel(service, {
        name: 'hapag',
        account: as === null ? null : { id: as.account.id, isSandbox: as.account.isSandbox },
        speaker: { kind: 'shipping_line', code: 'HLCU' },
        source: 'dcsa',
        profile: { scac: 'HLCU' },
        isFirstHand: true,
        keyKind: 'bearer',
        ...of,
      })
      return made.key
    },
    send: async (name, body, idempotencyKey = null) =>
      ingestDelivery(service, await getChannel(service, name), {
        body: Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
        contentType: 'application/json',
        idempotencyKey,
      }),
    milestones: async (as = stage.account) => {
      const rows = await stage.rows<{ name: string }>(
        `select distinct m ->> 'name' as name from containers c, jsonb_array_elements(c.projection -> 'milestones') as m
          where c.account_id = $1 and m ->> 'kind' = 'actual' order by name`,
        [as.account.id],
      )
      return rows.map(({ name }) => name)
    },
  }
}
