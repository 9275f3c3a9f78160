import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'

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

test('lists, filters and includes never show data of another account', async () => {
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

test('two accounts that track the same bill each see their own shipment, with the raw events of their own claims', async () => {
  const other = await api.newAccount()
  const key = await api.newKey(other, ['read', 'write'])
  const theirs = await seedShipment(api, { key, carrier: seeded.carrier })
  assert.notEqual(theirs.shipmentId, seeded.shipmentId)
  const rawIds = async (containerId: string | undefined, as: string) =>
    (await api.call({ url: `/v2/containers/${containerId}/raw_events`, key: as })).many().map(({ id }) => id)
  const [ours, others] = [await rawIds(seeded.containerIds[0], api.key), await rawIds(theirs.containerIds[0], key)]
  assert.ok(ours.length > 0 && others.length > 0)
  assert.deepEqual(
    ours.filter((id) => others.includes(id)),
    [],
  )
})
