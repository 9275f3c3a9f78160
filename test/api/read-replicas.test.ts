// Reading from a real streaming replica: an account always reads its own changes, however far the replica is behind,
// and no request fails when the replica does.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { readAtReplica } from '../../src/modules/read-at-replica.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { withConnection } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'
import { serve } from '../support/loopback-server.ts'
import { connect, openTestMcp, type TestMcp } from '../support/mcp.ts'
import { type Replicated, startReplicated, whyNoReplica } from '../support/replicated.ts'
import { type Seeded, seededAt, seedShipment } from '../support/seed.ts'
import { testSecret } from '../support/service.ts'

const why = whyNoReplica()

describe('read replicas', { skip: why ?? false }, () => {
  let servers: Replicated
  /** The API in two processes: each has its own pool, its own replica and its own memory. */
  let api: TestApi
  let other: TestApi
  let mcp: TestMcp
  let client: Client
  let seeded: Seeded
  const opened: TestApi[] = []

  const openOne = async (env: Readonly<Record<string, string>> = {}): Promise<TestApi> => {
    const one = await openTestApi({
      startAt: seededAt,
      on: { database: { url: servers.primaryUrl, close: async () => {} }, secret: testSecret },
      // Long enough for a busy machine.
      env: { DATABASE_REPLICA_URL: servers.replicaUrl, LANDFALL_REPLICA_WAIT_MS: '1000', ...env },
    })
    opened.push(one)
    return one
  }
  /** Without a replica. */
  const openPlain = async (): Promise<TestApi> => {
    const one = await openTestApi({
      startAt: seededAt,
      on: { database: { url: servers.primaryUrl, close: async () => {} }, secret: testSecret },
    })
    opened.push(one)
    return one
  }
  before(async () => {
    servers = await startReplicated()
    api = await openOne()
    other = await openOne()
    seeded = await seedShipment(api)
    mcp = await openTestMcp(other)
    client = await connect(mcp.url, { authorization: `Token ${api.key}` })
    await servers.caughtUp()
  })
  after(async () => {
    await client?.close()
    await mcp?.close()
    await seeded?.carrier.close()
    for (const each of opened) await each.close()
    await servers?.close()
  })

  /** Requests, counted by where they were read and why. */
  const placed = async (by: TestApi): Promise<Readonly<Record<string, number>>> =>
    Object.fromEntries(
      [
        ...(await by.service.metrics.write()).matchAll(
          /^landfall_read_placed_total\{target="(\w+)",reason="(\w+)"\} (\d+)/gm,
        ),
      ].map(([, target, reason, count]) => [`${target} ${reason}`, Number(count)]),
    )
  const since = async (by: TestApi, before: Readonly<Record<string, number>>) =>
    Object.fromEntries(
      Object.entries(await placed(by)).flatMap(([name, count]) =>
        count === (before[name] ?? 0) ? [] : [[name, count - (before[name] ?? 0)]],
      ),
    )
  const inUse = (by: TestApi) => eventually(async () => (await by.call({ url: '/readyz' })).text.includes('"used":1'))
  const post = (url: string, type: string, attributes: object, relationships?: object) =>
    api.call({
      method: 'POST',
      url,
      body: { data: { type, attributes, ...(relationships === undefined ? {} : { relationships }) } },
    })
  const patch = (url: string, attributes: object, headers: Readonly<Record<string, string>> = {}) =>
    api.call({ method: 'PATCH', url, body: { data: { attributes } }, headers })
  /** Through the process that made the change, and through the other. */
  const asks = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    [api, other].map((each) => each.call({ url, key: api.key, headers }))
  const seeEverywhere = async (url: string, text: string, isThere = true): Promise<void> => {
    for (const answer of await Promise.all(asks(url))) {
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.text.includes(text), isThere, `${url}: ${answer.text.slice(0, 300)}`)
    }
  }

  test('read-only requests use an up-to-date replica and return the same entity tags as the primary', async () => {
    await inUse(api)
    await inUse(other)
    const before = await placed(other)
    for (const url of [
      '/v2/shipments',
      `/v2/shipments/${seeded.shipmentId}`,
      `/v2/search?query=${seeded.bill}`,
      '/v2/containers?format=csv',
      `/v2/containers/${seeded.containerIds[0]}/raw_events`,
      `/v2/shipments/${seeded.shipmentId}/history`,
    ])
      await seeEverywhere(url, url.includes('raw') ? 'raw_event' : /history|csv/.test(url) ? 'id' : 'CNSH')
    assert.deepEqual(await since(other, before), { 'replica fresh': 6 })
    const tag = async (by: TestApi, url: string) => (await by.call({ url, key: api.key })).headers['etag']
    const at = `/v2/shipments/${seeded.shipmentId}`
    const plain = await openPlain()
    assert.equal(await tag(other, at), await tag(plain, at))
    const again = await Promise.all(asks(at, { 'if-none-match': String(await tag(other, at)) }))
    assert.deepEqual(
      again.map(({ status }) => status),
      [304, 304],
    )
  })

  describe('when the replica is ten seconds behind', () => {
    before(async () => {
      await servers.caughtUp()
      await servers.delay(10)
    })
    after(async () => {
      await servers.delay(0)
      await servers.caughtUp()
    })

    test('an account reads its own changes at once, in both processes', async () => {
      const otherBefore = await placed(other)
      const stranger = { url: '/v2/webhooks', key: other.key }
      const request = await post('/v2/tracking_requests', 'tracking_request', {
        request_type: 'bill_of_lading',
        request_number: 'LAGS00000001',
        scac: 'ONEY',
      })
      await seeEverywhere('/v2/tracking_requests', 'LAGS00000001')
      await seeEverywhere(`/v2/tracking_requests/${request.one().id}`, 'LAGS00000001')
      await seeEverywhere('/v2/tracking_requests?format=csv', 'LAGS00000001')

      const at = `/v2/shipments/${seeded.shipmentId}`
      const [known] = await Promise.all(asks(at))
      await patch(at, { tags: ['lagging'], ref_numbers: ['PO-LAG'] })
      await seeEverywhere(at, 'lagging')
      await seeEverywhere('/v2/shipments?filter[tags]=lagging', seeded.shipmentId)
      await seeEverywhere('/v2/search?query=PO-LAG', 'PO-LAG')
      // The old tag is not valid any more, and the new one is.
      for (const answer of await Promise.all(asks(at, { 'if-none-match': String(known?.headers['etag']) })))
        assert.equal(answer.status, 200)

      const note = await post(`${at}/notes`, 'note', { text: 'call the trucker' })
      await seeEverywhere(`${at}/notes`, 'call the trucker')
      await patch(`${at}/notes/${note.one().id}`, { text: 'called' })
      await seeEverywhere(`${at}/notes/${note.one().id}`, 'call the trucker', false)
      await api.call({ method: 'DELETE', url: `${at}/notes/${note.one().id}` })
      await seeEverywhere(`${at}/notes`, note.one().id, false)

      const events = ['container.created']
      const webhook = await post('/v2/webhooks', 'webhook', { url: 'https://example.com/lag', events })
      await seeEverywhere('/v2/webhooks', webhook.one().id)
      await api.call({ method: 'DELETE', url: `/v2/webhooks/${webhook.one().id}` })
      await seeEverywhere('/v2/webhooks', webhook.one().id, false)

      await post('/v2/custom_field_definitions', 'custom_field_definition', {
        entity_type: 'Shipment',
        api_slug: 'lag_code',
        display_name: 'Lag',
        data_type: 'short_text',
      })
      await seeEverywhere('/v2/custom_field_definitions', 'lag_code')
      // Under a key the whole request is one transaction, and its answer is sent after the commit.
      const once = await api.call({
        method: 'POST',
        url: '/v2/parties',
        headers: { 'idempotency-key': 'lag-1' },
        body: { data: { type: 'party', attributes: { company_name: 'Lag & Sons' } } },
      })
      assert.equal(once.status, 201, once.text)
      await seeEverywhere('/v2/parties', 'Lag & Sons')

      await patch(at, { tags: ['told-to-agents'] })
      const result = await client.callTool({
        name: 'get_shipment_details',
        arguments: { id: seeded.shipmentId },
      })
      assert.ok(JSON.stringify(result).includes('told-to-agents'), JSON.stringify(result).slice(0, 400))

      // Another account reads its own change, and nobody else's.
      await other.call({ ...stranger, ...newWebhook('stranger') })
      const theirs = await other.call(stranger)
      assert.ok(theirs.text.includes('stranger'), theirs.text)
      assert.equal((await api.call({ url: '/v2/webhooks' })).text.includes('stranger'), false)
      // Proves that the tests above can fail: the replica has none of it.
      assert.deepEqual(await ask(servers.replicaUrl, "select id from notes where text = 'called'"), [])
      const seen = await since(other, otherBefore)
      assert.ok((seen['primary behind'] ?? 0) >= 10, JSON.stringify(seen))
      assert.equal(seen['replica fresh'], undefined)
    })

    test('details, lists, search and exports equal those of the primary', async () => {
      const bill = 'CNSH00000555'
      const { shipmentId, containerIds } = await seedShipment(api, { bill, carrier: seeded.carrier })
      const plain = await openPlain()
      for (const url of [
        `/v2/search?query=${bill}`,
        `/v2/shipments/${shipmentId}?include=containers`,
        `/v2/shipments/${shipmentId}/history`,
        `/v2/shipments/${shipmentId}/etas`,
        `/v2/containers/${containerIds[0]}/raw_events`,
        `/v2/containers/${containerIds[0]}/transport_events`,
        `/v2/containers/${containerIds[0]}/history`,
        '/v2/containers?format=csv',
        '/v2/shipments?page[size]=100',
      ]) {
        const [there, here] = [await other.call({ url, key: api.key }), await plain.call({ url, key: api.key })]
        assert.equal(there.status, 200, url)
        assert.equal(there.text, here.text, url)
      }
    })

    test('a receiver that requests the API during a delivery sees the delivered state', async (t) => {
      const asked: { readonly heard: string; readonly status: number; readonly text: string }[] = []
      const { url } = await serve(t, (request, response) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => chunks.push(chunk))
        request.on('end', async () => {
          const { data } = JSON.parse(Buffer.concat(chunks).toString()) as {
            readonly data: { readonly id: string; readonly event: string }
          }
          const [notification, shipments] = await Promise.all([
            other.call({ url: `/v2/webhook_notifications/${data.id}`, key: api.key }),
            other.call({ url: '/v2/shipments?page[size]=100', key: api.key }),
          ])
          asked.push({ heard: data.event, status: notification.status, text: shipments.text })
          response.end()
        })
      })
      const events = ['tracking_request.succeeded', 'container.transport.vessel_arrived']
      const webhook = await post('/v2/webhooks', 'webhook', { url, events })
      assert.equal(webhook.status, 201, webhook.text)
      // The number belongs to another shipment, so that there is a second one to read.
      await seedShipment(api, { bill: 'CNSH00000777', carrier: seeded.carrier })
      assert.ok(asked.length >= 2, JSON.stringify(asked.map(({ heard }) => heard)))
      for (const { heard, status, text } of asked) {
        assert.equal(status, 200, heard)
        assert.ok(text.includes('CNSH00000777'), heard)
      }
      await api.call({ method: 'DELETE', url: `/v2/webhooks/${webhook.one().id}` })
    })

    test('a change by an outside database client is read at once too', async () => {
      const { account } = other.context
      await servers.caughtUp()
      await ask(
        servers.primaryUrl,
        `insert into parties (account_id, id, company_name, created_at, updated_at, last_changed_by)
         values ('${account.id}', gen_random_uuid(), 'By hand', now(), now(), '{"actor":{"type":"system","id":"x"},"at":"2026-01-01T00:00:00.000Z"}')`,
      )
      const answer = await other.call({ url: '/v2/parties' })
      assert.ok(answer.text.includes('By hand'), answer.text)
    })
  })

  test('the replica counts as up to date while the primary is idle', async () => {
    await inUse(other)
    for (const last of [
      'checkpoint',
      'select pg_switch_wal()',
      // A record longer than a page, by a transaction that is rolled back.
      "do $$ begin perform pg_logical_emit_message(true, 'rest', repeat('x', 40000)); end $$",
      "begin; select pg_logical_emit_message(true, 'rest', repeat('x', 20000)); rollback",
    ]) {
      await ask(servers.primaryUrl, last)
      await eventually(async () => {
        const before = await placed(other)
        await other.call({ url: '/v2/shipments', key: api.key })
        return (await since(other, before))['replica fresh'] === 1
      })
      const before = await placed(other)
      for (let round = 0; round < 5; round += 1) await other.call({ url: '/v2/shipments', key: api.key })
      assert.deepEqual(await since(other, before), { 'replica fresh': 5 }, last)
    }
  })

  test('a commit with synchronous_commit off is visible to the next read', async () => {
    await ask(servers.primaryUrl, 'alter role landfall set synchronous_commit = off')
    try {
      const hasty = await openOne()
      const at = `/v2/shipments/${seeded.shipmentId}`
      for (let round = 0; round < 20; round += 1) {
        await hasty.call({
          method: 'PATCH',
          url: at,
          key: api.key,
          body: { data: { attributes: { tags: [`hasty-${round}`] } } },
        })
        const answer = await hasty.call({ url: at, key: api.key })
        assert.deepEqual(answer.one().attributes['tags'], [`hasty-${round}`])
      }
    } finally {
      await ask(servers.primaryUrl, 'alter role landfall set synchronous_commit = on')
    }
  })

  test('lists, exports and search do not query shipments and containers at the primary', async () => {
    await inUse(other)
    const plain = await openPlain()
    const isAsked = /(from|join) (shipments|containers|shipment_|container_)/
    for (const url of ['/v2/shipments', '/v2/containers?format=csv', `/v2/search?query=${seeded.bill}`]) {
      assert.deepEqual(
        (await sentBy(other, url, api.key)).filter((text) => isAsked.test(text)),
        [],
        url,
      )
      assert.notDeepEqual(
        (await sentBy(plain, url, api.key)).filter((text) => isAsked.test(text)),
        [],
        url,
      )
    }
  })

  test('a query that writes is executed only once, at the primary', async () => {
    await ask(
      servers.primaryUrl,
      `create sequence reads_counted;
       create function count_read() returns bigint language sql as $$ select nextval('reads_counted') $$`,
    )
    await servers.caughtUp()
    await inUse(api)
    const read = () =>
      Promise.resolve(
        readAtReplica(api.service, api.context, async () => {
          const { rows } = await api.service.pool.query({
            name: 'count_read',
            text: 'select count_read() as n',
          })
          return rows
        }),
      )
    assert.deepEqual([await read(), await read()], [[{ n: 1 }], [{ n: 2 }]])
    const moved = api.logged().filter(({ event, reason }) => event === 'read.moved' && reason === 'refused')
    assert.equal(moved.length, 1)
  })

  test('a server that is not a replica of this primary is not used', async () => {
    const itself = await openOne({ DATABASE_REPLICA_URL: servers.primaryUrl })
    assert.equal((await itself.call({ url: '/v2/shipments' })).status, 200)
    assert.deepEqual(await placed(itself), { 'primary not_a_replica': 1 })
    const lines = itself.logged().filter(({ event }) => event === 'replica.not_used')
    assert.deepEqual(
      lines.map(({ reason }) => reason),
      ['not_a_replica'],
    )
    assert.ok((await itself.call({ url: '/readyz' })).text.includes('"replicas":{"total":1,"used":0}'))
    const strangers = await startReplicated()
    try {
      const lost = await openOne({ DATABASE_REPLICA_URL: strangers.replicaUrl })
      assert.equal((await lost.call({ url: '/v2/shipments' })).status, 200)
      assert.deepEqual(await placed(lost), { 'primary another_database': 1 })
      await lost.close()
      opened.splice(opened.indexOf(lost), 1)
    } finally {
      await strangers.close()
    }
  })

  test('a replica serves most reads even while the account changes data constantly', async () => {
    await inUse(api)
    await inUse(other)
    const before = await placed(other)
    const at = `/v2/shipments/${seeded.shipmentId}`
    const rounds = 40
    for (let round = 0; round < rounds; round += 1) {
      await patch(at, { tags: [`round-${round}`] })
      const answer = await other.call({ url: at, key: api.key })
      assert.deepEqual(answer.one().attributes['tags'], [`round-${round}`])
    }
    const seen = await since(other, before)
    assert.ok((seen['replica fresh'] ?? 0) >= rounds * 0.75, JSON.stringify(seen))
  })

  test('a statement that replication cancels is repeated at the primary and logged', async () => {
    const raw = (text: string) => ask(servers.primaryUrl, text)
    const onReplica = (text: string) => ask(servers.replicaUrl, text)
    await onReplica(`alter system set max_standby_streaming_delay = '50ms'`)
    await onReplica('select pg_reload_conf()')
    await raw('create table slow_reading (n integer)')
    await raw('insert into slow_reading values (1)')
    await servers.caughtUp()
    await inUse(api)
    const reading = Promise.resolve(
      readAtReplica(api.service, api.context, async () => {
        const { rows } = await api.service.pool.query<{ n: number; isStandby: boolean }>({
          name: 'slow_reading',
          text: `select count(*)::int as n, pg_is_in_recovery() as "isStandby"
                   from slow_reading, pg_sleep(case when pg_is_in_recovery() then 20 else 0 end) group by 2`,
        })
        return rows
      }),
    )
    await new Promise((resolve) => setTimeout(resolve, 300))
    await raw('alter table slow_reading add column later integer')
    assert.deepEqual(await reading, [{ n: 1, isStandby: false }])
    assert.ok(
      api.logged().some(({ event, reason }) => event === 'read.moved' && reason === 'conflict'),
      'no line about it',
    )
    await raw('drop table slow_reading')
  })

  test('no request fails while the replica is stopped, and the replica is used again after its restart', async () => {
    await servers.caughtUp()
    await inUse(other)
    let isOver = false
    const statuses = new Map<number, number>()
    const run = async (): Promise<void> => {
      while (!isOver) {
        for (const url of ['/v2/shipments', '/v2/containers', `/v2/search?query=${seeded.bill}`]) {
          const { status } = await other.call({ url, key: api.key })
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }
    }
    const running = [run(), run()]
    const lines = () => other.logged().filter(({ event }) => event === 'replica.not_used').length
    const linesBefore = lines()
    await new Promise((resolve) => setTimeout(resolve, 300))
    await servers.stopReplica()
    await eventually(async () => (await other.call({ url: '/readyz' })).text.includes('"used":0'))
    const ready = await other.call({ url: '/readyz' })
    assert.equal(ready.status, 200)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await servers.startReplica()
    await inUse(other)
    const before = await placed(other)
    await eventually(async () => ((await since(other, before))['replica fresh'] ?? 0) > 3)
    isOver = true
    await Promise.all(running)
    assert.deepEqual([...statuses.keys()], [200])
    assert.ok(lines() - linesBefore <= 2, 'the outage is said once')
  })

  test('a frozen replica delays requests but fails none, and the process stays ready', async () => {
    await servers.caughtUp()
    await inUse(other)
    await other.call({ url: '/v2/shipments', key: api.key })
    const { goOn } = await servers.freeze()
    try {
      const startedAt = performance.now()
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => other.call({ url: '/v2/shipments', key: api.key })),
      )
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.ok(performance.now() - startedAt < 15_000)
      await eventually(async () => (await other.call({ url: '/readyz' })).text.includes('"used":0'))
      assert.equal((await other.call({ url: '/readyz' })).status, 200)
      const before = await placed(other)
      await other.call({ url: '/v2/shipments', key: api.key })
      assert.deepEqual(await since(other, before), { 'primary unreachable': 1 })
    } finally {
      goOn()
    }
    await inUse(other)
  })

  test('a promoted replica is no longer used', async () => {
    await inUse(api)
    await servers.promote()
    await eventually(async () => (await api.call({ url: '/readyz' })).text.includes('"used":0'))
    await patch(`/v2/shipments/${seeded.shipmentId}`, { tags: ['after'] })
    await seeEverywhere(`/v2/shipments/${seeded.shipmentId}`, 'after')
    const before = await placed(api)
    await api.call({ url: '/v2/shipments' })
    assert.deepEqual(await since(api, before), { 'primary not_a_replica': 1 })
  })

  test('after a failover, a replica of the old primary is not used, even if its log is longer', async () => {
    const late = await servers.addReplica()
    // It has more of the log than the new primary, and none of its changes.
    await ask(servers.primaryUrl, "select pg_logical_emit_message(true, 'late', repeat('x', 5000000))")
    await servers.becomePrimary()
    const failedOver = await openTestApi({
      startAt: seededAt,
      on: { database: { url: servers.replicaUrl, close: async () => {} }, secret: testSecret },
      env: { DATABASE_REPLICA_URL: late },
    })
    opened.push(failedOver)
    const { status } = await failedOver.call(newParty('After the failover'))
    assert.equal(status, 201)
    assert.ok((await failedOver.call({ url: '/v2/parties' })).text.includes('After the failover'))
    assert.deepEqual(await placed(failedOver), { 'primary another_timeline': 1 })
  })
})

/** The statements that one request sends to the primary. */
async function sentBy({ service, call }: TestApi, url: string, key: string): Promise<readonly string[]> {
  const sent: string[] = []
  const hear = (client: { query: (...given: never[]) => unknown }): void => {
    const query = client.query
    client.query = (...given: never[]) => {
      const [statement] = given as readonly unknown[]
      sent.push(typeof statement === 'string' ? statement : String((statement as { text?: string }).text))
      client.query = query
      return query.apply(client, given)
    }
  }
  service.pool.on('acquire', hear as never)
  const { status } = await call({ url, key })
  service.pool.off('acquire', hear as never)
  assert.equal(status, 200)
  return sent
}

const newParty = (name: string) =>
  ({
    method: 'POST',
    url: '/v2/parties',
    body: { data: { type: 'party', attributes: { company_name: name } } },
  }) as const

const newWebhook = (path: string) =>
  ({
    method: 'POST',
    body: {
      data: {
        type: 'webhook',
        attributes: { url: `https://example.com/${path}`, events: ['container.created'] },
      },
    },
  }) as const

async function ask(url: string, text: string): Promise<readonly object[]> {
  return withConnection(url, async (connection) => (await connection.query(text)).rows)
}
