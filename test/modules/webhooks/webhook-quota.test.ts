import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApi } from '../../support/api.ts'

test('limits the webhooks of an account, also for many at the same moment; others have their own limit', async () => {
  const api = await openTestApi({ env: { LANDFALL_WEBHOOKS_MAX: '3' } })
  try {
    const post = (key = api.key) =>
      api.call({
        method: 'POST',
        url: '/v2/webhooks',
        key,
        body: {
          data: {
            type: 'webhook',
            attributes: {
              url: 'https://example.com/hook',
              active: true,
              events: ['container.transport.vessel_arrived'],
            },
          },
        },
      })
    const answers = await Promise.all(Array.from({ length: 8 }, () => post()))
    const made = answers.filter(({ status }) => status === 201)
    assert.equal(made.length, 3)
    const refused = answers.find(({ status }) => status !== 201)?.error()
    assert.equal(refused?.status, '422')
    assert.equal(refused?.source?.pointer, '/data')
    assert.match(refused?.detail ?? '', /has 3 webhooks/)
    assert.equal((await api.call({ url: '/v2/webhooks' })).many().length, 3)
    assert.equal((await post(await api.newKey(await api.newAccount(), ['read', 'write']))).status, 201)
    const url = `/v2/webhooks/${made[0]?.one().id}`
    assert.equal((await api.call({ method: 'DELETE', url })).status, 200)
    assert.equal((await post()).status, 201)
    assert.equal((await post()).status, 422)
  } finally {
    await api.close()
  }
})
