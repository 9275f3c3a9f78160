import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../support/seed.ts'

let api: TestApi
let seeded: Seeded
before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const randomId = '018f0000-0000-7000-8000-0000000000aa'

interface Operations {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
}

test("every operation answers another account's id exactly as a random one, and changes nothing", async () => {
  const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
  const { paths } = api.app.swagger() as unknown as Operations
  const ids = [seeded.trackingRequestId, seeded.shipmentId, ...seeded.containerIds]
  const dump = async () => {
    const { rows } = await api.service.pool.query(
      `select md5(string_agg(t::text, '|' order by t::text)) as sum from (select to_jsonb(s)::text as t from shipments s
       union all select to_jsonb(c)::text from containers c union all select to_jsonb(r)::text from tracking_requests r
       union all select to_jsonb(l)::text from ledger l) as everything(t)`,
    )
    return rows[0]?.sum
  }
  const before = await dump()
  let tried = 0
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of Object.keys(methods)) {
      const isByBody = path === '/v2/containers' && method === 'patch'
      if (!path.includes('{') && !isByBody) continue
      if (path.startsWith('/v2/shipping_lines')) continue // nobody's own
      for (const id of ids) {
        const ask = (asked: string) =>
          api.call({
            method: method.toUpperCase() as 'GET' | 'PATCH',
            url: path.replace('{id}', asked),
            key: stranger,
            ...(method === 'patch'
              ? {
                  body: {
                    data: { ...(isByBody ? { id: asked } : {}), attributes: { ref_numbers: ['theft'] } },
                  },
                }
              : {}),
          })
        const [theirs, random] = [await ask(id), await ask(randomId)]
        assert.equal(theirs.status, 404, `${method} ${path}`)
        assert.equal(theirs.text, random.text, `${method} ${path}`)
        tried += 1
      }
    }
  }
  assert.ok(tried >= 40, `${tried} were tried`)
  assert.equal(await dump(), before)
})

test("lists, filters and includes never show another account's things", async () => {
  const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
  for (const url of [
    '/v2/shipments?include=containers.transport_events',
    `/v2/shipments?q=${seeded.bill}`,
    `/v2/shipments?number=${seeded.bill}`,
    '/v2/containers?include=shipment,raw_events',
    `/v2/containers?filter[number]=${seeded.numbers[0]}`,
    '/v2/tracking_requests',
    `/v2/tracking_requests?filter[request_number]=${seeded.bill}`,
  ]) {
    const answer = await api.call({ url, key: stranger })
    assert.deepEqual(answer.many(), [], url)
    assert.deepEqual(answer.body.meta?.['total'], 0, url)
  }
})

test('two accounts that track the same bill see their own shipment each, with the raw events of their own claims', async () => {
  const other = await api.newAccount()
  const key = await api.newKey(other, ['read', 'write'])
  const theirs = await seedShipment(api, { key, carrier: seeded.carrier })
  assert.notEqual(theirs.shipmentId, seeded.shipmentId)
  const rawIds = async (containerId: string | undefined, as: string) =>
    (await api.call({ url: `/v2/containers/${containerId}/raw_events`, key: as })).many().map(({ id }) => id)
  const [ours, others] = [
    await rawIds(seeded.containerIds[0], api.key),
    await rawIds(theirs.containerIds[0], key),
  ]
  assert.ok(ours.length > 0 && others.length > 0)
  assert.deepEqual(
    ours.filter((id) => others.includes(id)),
    [],
  )
})
