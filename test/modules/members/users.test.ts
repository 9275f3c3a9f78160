/** Who made a request and who stopped a shipment: if a person did it, the person is shown. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'
import { askAs, signUpFirst } from '../../support/person.ts'
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

const userOf = (resource: WireResource, relation: string): unknown => resource.relationships?.[relation]?.data
const include = 'include=line_tracking_stopped_by_user'

test('a tracking request or a stop made with an API key has no user', async () => {
  const requests = await api.call({ url: '/v2/tracking_requests?include=user' })
  assert.ok(requests.many().length > 0)
  for (const request of requests.many()) assert.equal(userOf(request, 'user'), null)
  const url = `/v2/shipments/${seeded.shipmentId}`
  await api.call({ method: 'PATCH', url: `${url}/stop_tracking` })
  assert.equal(userOf((await api.call({ url })).one(), 'line_tracking_stopped_by_user'), null)
  await api.call({ method: 'PATCH', url: `${url}/resume_tracking` })
})

test('a request names the person who created it, and a shipment names the person who stopped its tracking', async () => {
  const headers = await askAs(await signUpFirst(api))
  const [known] = (await api.call({ url: '/v2/tracking_requests' })).many()
  const scac = known?.attributes['scac']
  const attributes = { request_type: 'bill_of_lading', scac, request_number: 'BYAPERSON01' }
  const made = await api.call({
    method: 'POST',
    url: '/v2/tracking_requests',
    key: null,
    headers,
    body: { data: { type: 'tracking_request', attributes } },
  })
  assert.equal(made.status, 201)
  const asked = await api.call({ url: `/v2/tracking_requests/${made.one().id}?include=user` })
  const link = userOf(asked.one(), 'user') as { readonly id: string; readonly type: string }
  assert.equal(link.type, 'user')
  const user = asked.body.included?.find(({ type }) => type === 'user')
  assert.equal(user?.id, link.id)
  assert.deepEqual(user?.attributes, { name: 'Ada Harbour', email: 'ada@example.com' })

  const url = `/v2/shipments/${seeded.shipmentId}`
  await api.call({ method: 'PATCH', url: `${url}/stop_tracking`, key: null, headers })
  const stopped = await api.call({ url: `${url}?${include}` })
  assert.deepEqual(userOf(stopped.one(), 'line_tracking_stopped_by_user'), link)
  assert.equal(stopped.body.included?.find(({ type }) => type === 'user')?.id, link.id)
  const listed = await api.call({ url: `/v2/shipments?${include}` })
  assert.deepEqual(userOf(listed.many()[0] as WireResource, 'line_tracking_stopped_by_user'), link)

  await api.call({ method: 'PATCH', url: `${url}/resume_tracking` })
  assert.equal(userOf((await api.call({ url })).one(), 'line_tracking_stopped_by_user'), null)
})
