// The events about documents have two pairs of names at webhooks: what each webhook gets, with real deliveries.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { openRenderer } from '../../../src/api/notifications/notification-document.ts'
import { contractEventNames } from '../../../src/domain/changes/event-table.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { paper, testReaders } from '../../support/document-readers.ts'
import { handIn } from '../../support/hand-in.ts'
import { openReceiver, type Receiver } from '../../support/webhooks-harness.ts'

const earlier = ['document.extracted', 'document.extraction_failed']
const newer = ['document_representation.created', 'document_representation.failed']

let api: TestApi
let receiver: Receiver
before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString(), render: openRenderer })
  testReaders(api.service)
  receiver = await openReceiver()
})
after(async () => {
  await receiver.close()
  await api.close()
})
afterEach(async () => {
  await api.service.pool.query('delete from webhooks')
  receiver.received.length = 0
})

interface Delivered {
  readonly id: string
  readonly hook: string
  readonly event: string
  readonly included: readonly string[]
}

/** The notifications of a hook that arrived, in the order of their events. */
function deliveredTo(id: string): readonly Delivered[] {
  return receiver.received
    .toSorted((a, b) => a.sequence - b.sequence)
    .map(({ body }) => {
      const { data, included } = JSON.parse(body.toString())
      const { webhook } = data.relationships
      return {
        id: data.id,
        hook: webhook.data.id,
        event: data.attributes.event,
        included: included.map(({ type }: { type: string }) => type),
      }
    })
    .filter(({ hook }) => hook === id)
}
const namesSentTo = (id: string) => deliveredTo(id).map(({ event }) => event)

async function hook(events?: readonly string[], key = api.key): Promise<string> {
  const attributes = { url: receiver.url, active: true, ...(events === undefined ? {} : { events }) }
  const body = { data: { type: 'webhook', attributes } }
  return (await api.call({ method: 'POST', url: '/v2/webhooks', body, key })).one().id
}
const shownEvents = async (id: string) =>
  (await api.call({ url: `/v2/webhooks/${id}` })).one().attributes['events'] as readonly string[]
const change = (id: string, attributes: object) =>
  api.call({ method: 'PATCH', url: `/v2/webhooks/${id}`, body: { data: { attributes } } })

/** As it is stored by the release before: a pattern with the names that it meant then. */
async function hookOfBefore(): Promise<string> {
  const id = await hook()
  await api.service.pool.query('update webhooks set events = $2 where id = $1', [id, ['*', ...contractEventNames]])
  return id
}

let made = 0
/** Hands in a document that can be read and one that cannot, and delivers what follows. */
async function readTwo(key = api.key): Promise<void> {
  for (const type of ['arrival_notice', 'encrypted']) {
    made += 1
    await handIn(api, key, paper(type, `bill=NAMES${made}`))
    await api.drain()
  }
}

test('a webhook from before gets the earlier names, one made now without events the newer names, each event once', async () => {
  const [before, without, all] = [await hookOfBefore(), await hook(), await hook(['*'])]
  assert.deepEqual(await shownEvents(before), contractEventNames)
  const shown = await shownEvents(without)
  assert.equal(shown.length, 43)
  assert.deepEqual(shown.slice(-2), newer)
  await readTwo()
  assert.deepEqual(namesSentTo(before), earlier)
  assert.deepEqual(namesSentTo(without), newer)
  assert.deepEqual(namesSentTo(all), newer)
  for (const { included } of [...deliveredTo(before), ...deliveredTo(without)])
    assert.deepEqual(included, ['document', 'document_representation'])
  const { rows } = await api.service.pool.query(`select name from events where reference_type = 'document'`)
  assert.deepEqual(rows.map(({ name }) => name).toSorted(), earlier)
})

test('a webhook with a list of names gets the names that it lists', async () => {
  const makeHook = async (events: readonly string[], expected: readonly string[]) => {
    const id = await hook(events)
    assert.deepEqual(
      (await shownEvents(id)).filter((name) => name.startsWith('document')),
      expected,
      events.join(),
    )
    return [id, expected] as const
  }
  const hooks = [
    await makeHook(earlier, earlier),
    await makeHook(newer, newer),
    await makeHook(['document.*'], earlier),
    await makeHook(['document_representation.*'], newer),
    await makeHook(['document_representation.failed'], ['document_representation.failed']),
    // The written name counts, not the one that the pattern means.
    await makeHook(['*', ...earlier], earlier),
    await makeHook(['*', 'document.extracted'], ['document.extracted', 'document_representation.failed']),
    await makeHook(['container.updated', 'landfall.*'], []),
  ]
  await readTwo()
  for (const [id, expected] of hooks) assert.deepEqual(namesSentTo(id), expected)
})

test('a webhook that lists both names of an event gets it once, by the newer name', async () => {
  const [both, patterns] = [await hook([...earlier, ...newer]), await hook(['document.*', 'document_representation.*'])]
  assert.deepEqual(await shownEvents(both), [...earlier, ...newer])
  await readTwo()
  assert.deepEqual(namesSentTo(both), newer)
  assert.deepEqual(namesSentTo(patterns), newer)
})

test('a change of other settings keeps the names of a webhook from before, a new list of events replaces them', async () => {
  const id = await hookOfBefore()
  await change(id, { content_type: 'application/vnd.api+json' })
  await readTwo()
  assert.deepEqual(namesSentTo(id), earlier)
  await change(id, { events: ['*'] })
  await readTwo()
  assert.deepEqual(namesSentTo(id), [...earlier, ...newer])
  const { rows } = await api.service.pool.query(
    `select diff -> 'events' as events from audit_events where action = 'webhook.updated' and diff ? 'events'`,
  )
  assert.deepEqual(rows, [{ events: [['*', ...earlier], ['*']] }])
})

test('the list shows and finds a notification by the name that was sent, the feed has the event once by its own name', async () => {
  const [before, now] = [await hookOfBefore(), await hook()]
  await readTwo()
  const list = async (query: string) => (await api.call({ url: `/v2/webhook_notifications${query}` })).many()
  for (const [id, [read, failed]] of [
    [before, earlier],
    [now, newer],
  ] as const) {
    const all = await list(`?filter[webhook_id]=${id}&sort=created_at`)
    assert.deepEqual(all.map(({ attributes }) => attributes['event']).toSorted(), [read, failed].toSorted())
    const found = await list(`?filter[event]=${read}&filter[webhook_id]=${id}`)
    assert.deepEqual(
      found.map((each) => each.id),
      deliveredTo(id).flatMap((each) => (each.event === read ? [each.id] : [])),
    )
  }
  const feed = await api.call({ url: '/v2/events?after=0&limit=1000&filter[event]=document.extracted' })
  const numbers = feed.many().map(({ attributes }) => attributes['sequence'])
  assert.equal(new Set(numbers).size, numbers.length)
  assert.ok(numbers.length > 0)
  const unknown = await api.call({ url: '/v2/events?filter[event]=document_representation.created' })
  assert.equal(unknown.error().source?.parameter, 'filter[event]')
})

test('a redelivery keeps the name of the first delivery, also after the bytes are gone and the list was changed', async () => {
  const id = await hook(earlier)
  await readTwo()
  const first = deliveredTo(id)
  assert.deepEqual(
    first.map(({ event }) => event),
    earlier,
  )
  await change(id, { events: newer })
  for (const isGone of [false, true]) {
    if (isGone) await api.service.pool.query('delete from webhook_payloads')
    receiver.received.length = 0
    for (const each of first) {
      api.clock.advance(1_000)
      await api.call({ method: 'POST', url: `/v2/webhook_notifications/${each.id}/redeliver` })
      await api.drain()
    }
    assert.deepEqual(deliveredTo(id), first)
  }
})

test('a recovery sends events that a webhook missed by the names that it lists now, and none again by another name', async () => {
  await readTwo()
  const id = await hook(['document.extracted'])
  const recover = async () => {
    const body = { since: new Date(Date.now() - 3_600_000).toISOString(), mode: 'all' }
    await api.call({ method: 'POST', url: `/v2/webhooks/${id}/recover`, body })
    await api.drain()
  }
  api.clock.advance(60_000)
  await recover()
  const read = namesSentTo(id)
  assert.ok(read.length > 0 && read.every((name) => name === 'document.extracted'))
  await change(id, { events: ['*'] })
  receiver.received.length = 0
  await recover()
  const failed = namesSentTo(id)
  assert.equal(failed.length, read.length)
  assert.ok(failed.every((name) => name === 'document_representation.failed'))
})

test('webhooks of another account get their own documents by their own names', async () => {
  const key = await api.newKey(await api.newAccount(), ['read', 'write'])
  const [own, foreign] = [await hook(earlier), await hook(undefined, key)]
  await readTwo()
  assert.deepEqual([namesSentTo(own), namesSentTo(foreign)], [earlier, []])
  await readTwo(key)
  assert.deepEqual([namesSentTo(own), namesSentTo(foreign)], [earlier, newer])
})
