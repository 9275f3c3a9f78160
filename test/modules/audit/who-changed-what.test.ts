/** References and tags as users write them, and who changed what: on the resource, and in the record of changes. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
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

const patch = (url: string, attributes: object) => api.call({ method: 'PATCH', url, body: { data: { attributes } } })
const changedBy = async (url: string): Promise<unknown> =>
  ((await api.call({ url })).body.data as { meta: { last_changed_by: unknown } }).meta.last_changed_by
const recorded = async (targetId: string | undefined): Promise<readonly Record<string, unknown>[]> =>
  (
    await api.service.pool.query(
      `select action, actor_type, request_id, diff from audit_events where target_id = $1 order by at, id`,
      [targetId],
    )
  ).rows

describe('references and tags', () => {
  test('lose surrounding blanks, empty values and duplicates, and keep their order', async () => {
    const url = `/v2/shipments/${seeded.shipmentId}`
    const answer = await patch(url, { ref_numbers: [' B ', 'A', 'B', ''], tags: ['urgent', 'urgent ', ' '] })
    assert.deepEqual(answer.one().attributes['ref_numbers'], ['B', 'A'])
    assert.deepEqual(answer.one().attributes['tags'], ['urgent'])
    const onlyTags = await patch(url, { tags: ['cold', 'late'] })
    assert.deepEqual(onlyTags.one().attributes['ref_numbers'], ['B', 'A'], 'what is not named stays')
    assert.deepEqual((await patch(url, { tags: null })).one().attributes['tags'], [])
    const box = await patch(`/v2/containers/${seeded.containerIds[0]}`, { ref_numbers: ['x', ' x'] })
    assert.deepEqual(box.one().attributes['ref_numbers'], ['x'])
  })

  test('are limited to 100 entries of at most 200 characters', async () => {
    const url = `/v2/shipments/${seeded.shipmentId}`
    const many = await patch(url, { tags: Array.from({ length: 101 }, String) })
    assert.equal(many.error().source?.pointer, '/data/attributes/tags')
    const long = await patch(url, { ref_numbers: ['ok', 'x'.repeat(201)] })
    assert.equal(long.error().source?.pointer, '/data/attributes/ref_numbers/1')
  })
})

describe('change tracking', () => {
  test('a resource that no user has changed has no last_changed_by', async () => {
    assert.equal(await changedBy(`/v2/containers/${seeded.containerIds[1]}`), null)
  })

  test('shows who changed a resource in meta.last_changed_by, and records the difference and the request', async () => {
    const [id] = seeded.containerIds
    api.clock.advance(60_000)
    const at = new Date(api.clock.now()).toISOString()
    const answer = await api.call({
      method: 'PATCH',
      url: `/v2/containers/${id}`,
      headers: { 'x-request-id': 'req-7' },
      body: { data: { attributes: { ref_numbers: ['LOT 9'], delivered_at: '2026-03-11' } } },
    })
    assert.equal(answer.status, 200)
    const by = (await changedBy(`/v2/containers/${id}`)) as {
      actor: { type: string; id: string }
      at: string
    }
    assert.equal(by.actor.type, 'api_key')
    assert.equal(Date.parse(by.at), Date.parse(at))
    const { rows } = await api.service.pool.query('select 1 from api_keys where id = $1', [by.actor.id])
    assert.equal(rows.length, 1)
    const last = (await recorded(id)).at(-1)
    assert.equal(last?.['action'], 'container.updated')
    assert.equal(last?.['request_id'], 'req-7')
    const diff = last?.['diff'] as Record<string, readonly unknown[]>
    assert.deepEqual(diff['refNumbers'], [['x'], ['LOT 9']])
    assert.equal(diff['deliveredAt']?.[0], null)
  })

  test('a request is recorded when it is created, and so are stops and resumes of a shipment', async () => {
    const [made] = await recorded(seeded.trackingRequestId)
    assert.equal(made?.['action'], 'tracking_request.created')
    assert.equal(made?.['actor_type'], 'api_key')
    for (const verb of ['stop_tracking', 'resume_tracking'])
      await api.call({ method: 'PATCH', url: `/v2/shipments/${seeded.shipmentId}/${verb}` })
    const actions = (await recorded(seeded.shipmentId)).map(({ action }) => action)
    assert.deepEqual(actions.slice(-2), ['shipment.tracking_stopped', 'shipment.tracking_resumed'])
  })

  test('does not record a refused change', async () => {
    const count = async () =>
      (await api.service.pool.query('select count(*) as n from audit_events')).rows[0]?.n as number
    const before = await count()
    await patch(`/v2/shipments/${seeded.shipmentId}`, { status: 'x' })
    assert.equal(await count(), before)
    const made = await api.call({
      method: 'POST',
      url: '/v2/webhooks',
      body: {
        data: {
          type: 'webhook',
          attributes: {
            url: 'https://example.com/hook',
            events: ['container.created'],
            headers: [{ name: 'X-Token', value: 'very secret' }],
          },
        },
      },
    })
    const { id } = made.one()
    await patch(`/v2/webhooks/${id}`, { active: false })
    await api.call({ method: 'POST', url: `/v2/webhooks/${id}/rotate_secret` })
    await api.call({ method: 'DELETE', url: `/v2/webhooks/${id}` })
    const rows = await recorded(id)
    assert.deepEqual(rows.map(({ action }) => action).toSorted(), [
      'webhook.created',
      'webhook.deleted',
      'webhook.secret_rotated',
      'webhook.updated',
    ])
    const { secret } = made.one().attributes
    assert.ok(!JSON.stringify(rows).includes('very secret') && !JSON.stringify(rows).includes(String(secret)))
  })
})
