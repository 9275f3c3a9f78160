import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWebhook } from '../../../src/service/telling/webhooks/create-webhook.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { openPerson, signUpFirst } from '../../support/person.ts'

let api: TestApi
before(async () => {
  api = await openTestApi({ env: { LANDFALL_SIGNATURE_HEADER: 'X-House-Signature' } })
})
after(() => api.close())

test('the page of webhooks shows under which names each is signed for, and nothing that is secret', async () => {
  const owner = await signUpFirst(api)
  const empty = await owner.open('/account/webhooks')
  assert.match(empty.text, /There is no webhook yet/)
  assert.match(empty.text, /X-House-Signature/)
  const common = { events: ['container.created'], isActive: true }
  const plain = await createWebhook(api.service, api.context, {
    ...common,
    url: 'https://example.com/?<plain>',
    headers: [{ name: 'Authorization', value: 'hush hush' }],
  })
  await createWebhook(api.service, api.context, {
    ...common,
    url: 'https://example.com/other',
    isActive: false,
    contentType: 'application/vnd.api+json',
    signatureHeader: 'X-One,X-Two',
  })
  const stranger = await api.newAccount()
  await createWebhook(api.service, stranger, { ...common, url: 'https://example.com/stranger' })
  const { status, text } = await owner.open('/account/webhooks')
  assert.equal(status, 200)
  assert.match(text, /example\.com\/\?&#60;plain&#62;<\/code><\/th><td>on</)
  assert.match(text, /<td>off<\/td>\n<td>1<\/td><td><code>application\/vnd\.api\+json<\/code><\/td>/)
  assert.match(text, /<code>X-One<\/code>, <code>X-Two<\/code>/)
  for (const hidden of ['hush', plain.secret, 'stranger']) assert.ok(!text.includes(hidden), hidden)
})

test('only signed-in people see it', async () => {
  const answer = await openPerson(api).open('/account/webhooks')
  assert.equal(answer.status, 303)
})
