// /v2/trade_intel: programs learn in the form that they expect that there is no trade data here.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

const requests = [
  ['GET', 'meta'],
  ['POST', 'companies/search'],
  ['POST', 'companies/profile'],
  ['POST', 'commodities/search'],
  ['POST', 'importers/top'],
  ['POST', 'trends'],
  ['POST', 'breakdown'],
  ['POST', 'containers/lookup'],
  ['POST', 'bills_of_lading/lookup'],
] as const

for (const [method, path] of requests)
  test(`${method} /v2/trade_intel/${path} is 403 with an error text, and 401 without a key`, async () => {
    const send = (key: string | null) =>
      api.app.inject({
        method,
        url: `/v2/trade_intel/${path}`,
        headers: { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Token ${key}` }) },
        ...(method === 'POST' ? { payload: '{"limit":5}' } : {}),
      })
    const refused = await send(api.key)
    assert.equal(refused.statusCode, 403)
    assert.match(String(refused.headers['content-type']), /^application\/json/)
    assert.match((refused.json() as { error: string }).error, /not enabled/)
    assert.equal((await send(null)).statusCode, 401)
  })
