import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Context } from '../../../src/modules/access/context.ts'
import { numberEvents } from '../../../src/pipeline/event-sequence/number-events.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { arrived, uuid, writeEvents } from '../../support/webhooks-harness.ts'
import { listen, openStream, readPages } from './events-reader.ts'

let api: TestApi
let base: string
before(async () => {
  api = await openTestApi()
  base = await listen(api)
})
after(() => api.close())

interface Seen {
  readonly id: string
  readonly sequence: number
}

test('concurrent writers give each account one complete order of events', async () => {
  const accounts = await Promise.all(
    [1, 2].map(async () => {
      const context = await api.newAccount()
      return { context, key: await api.newKey(context, ['read']) }
    }),
  )
  const written = new Map<Context, string[][]>(accounts.map(({ context }) => [context, []]))
  let total: number | null = null
  const perAccount = 8 * 12 * 2.5
  const writers = accounts.flatMap(({ context }) =>
    Array.from({ length: 8 }, async () => {
      const shipmentId = uuid()
      const ids: string[] = []
      for (let round = 0; round < 12; round += 1) {
        const names = Array.from<unknown, typeof arrived>({ length: 1 + (round % 4) }, () => arrived)
        ids.push(...(await writeEvents(api.service, context, { shipmentId, names })))
      }
      written.get(context)?.push(ids)
    }),
  )
  let isWriting = true
  const sequencers = [1, 2, 3].map(async () => {
    while (isWriting) if ((await numberEvents(api.service)) === 0) await new Promise(setImmediate)
  })
  const asSeen = (events: readonly { readonly id: string; readonly attributes: object }[]) =>
    events.map(
      ({ id, attributes }): Seen => ({
        id,
        sequence: Number((attributes as { readonly sequence: number }).sequence),
      }),
    )
  const readers = accounts.flatMap(({ context, key }) => {
    const pages = (query: string) => readPages(base, { key, query, last: () => total }).then((events) => asSeen(events))
    const stream = async () => {
      const opened = await openStream(base, { key })
      const received: Seen[] = []
      while (received.length < perAccount) {
        const { id, document } = await opened.next()
        received.push({ id: document.data.id, sequence: id })
      }
      opened.leave()
      return received
    }
    /** Disconnects after every tenth event and connects again with the last id. */
    const restless = async () => {
      const received: Seen[] = []
      while (received.length < perAccount) {
        const headers = { 'last-event-id': String(received.at(-1)?.sequence ?? 0) }
        const opened = await openStream(base, { key, headers })
        for (let taken = 0; taken < 10 && received.length < perAccount; taken += 1) {
          const { id, document } = await opened.next()
          received.push({ id: document.data.id, sequence: id })
        }
        opened.leave()
      }
      return received
    }
    const kinds = {
      'pages of 3': pages('?limit=3'),
      waits: pages('?wait=1'),
      stream: stream(),
      restless: restless(),
    }
    return Object.entries(kinds).map(([kind, reading]) => ({ kind, context, reading }))
  })
  await Promise.all(writers)
  total = perAccount
  const read = await Promise.all(readers.map(async ({ reading, ...rest }) => ({ ...rest, seen: await reading })))
  isWriting = false
  await Promise.all(sequencers)
  for (const { kind, context, seen } of read) {
    const truth = await api.service.pool.query<Seen>(
      'select id, sequence from events where account_id = $1 order by sequence',
      [context.account.id],
    )
    assert.equal(truth.rows.length, perAccount)
    assert.deepEqual(seen, truth.rows, kind)
    assert.deepEqual(
      seen.map(({ sequence }) => sequence),
      Array.from(seen, (_, index) => index + 1),
    )
    const place = new Map(seen.map(({ id, sequence }) => [id, sequence]))
    for (const ids of written.get(context) ?? []) {
      const numbers = ids.map((id) => place.get(id) ?? 0)
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b),
        'a shipment kept its order',
      )
    }
  }
})

test('a reader does not see event numbers that are not committed yet', async () => {
  const context = await api.newAccount()
  const key = await api.newKey(context, ['read'])
  const client = await api.service.pool.connect()
  await writeEvents(api.service, context, { shipmentId: uuid(), names: [arrived, arrived] })
  await client.query('begin')
  await client.query(
    `update events set sequence = 1 where id = (select id from events where account_id = $1 order by ordinal limit 1)`,
    [context.account.id],
  )
  await client.query('insert into event_counters values ($1, 1)', [context.account.id])
  const answer = await api.call({ url: '/v2/events', key })
  await client.query('rollback')
  client.release()
  assert.deepEqual(answer.body.meta, { last_sequence: 0, size: 0 })
})
