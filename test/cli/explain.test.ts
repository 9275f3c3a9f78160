// The operator explains a value, now and at an earlier time, while a server may use the same database.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { requestTracking } from '../../src/modules/tracking-requests/request-tracking.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { openCommandLine } from '../support/command-line.ts'
import { giveAccess, openTestService, type TestService } from '../support/service.ts'
import { box, journey } from '../support/tracking-harness.ts'

let running: TestService
let carrier: Carrier
const bill = 'HLCUEXPLAIN00001'
const { call } = openCommandLine(() => ({ DATABASE_URL: running.databaseUrl }))

before(async () => {
  running = await openTestService({ startAt: '2026-01-10T00:00:00Z' })
  carrier = await openCarrier()
  await giveAccess(running, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  const context = await running.newAccount()
  carrier.answers({ json: journey(bill, 'loaded') })
  const input = { requestType: 'bill_of_lading', requestNumber: bill, scac: 'HLCU' } as const
  await requestTracking(running.service, context, { ...input, refNumbers: [], shipmentTags: [] })
  await running.drain()
  carrier.answers({ json: journey(bill, 'sailed') })
  await running.pass(24)
})
after(async () => {
  await carrier.close()
  await running.close()
})

test('explain marks the claim that was chosen for a value', async () => {
  const result = await call(`explain ${box} pol_vessel_departed_at`)
  assert.equal(result.code, 0, result.err)
  assert.match(result.out, /✓ ACT DEPA - +CNSHG 2026-01-07T21:00Z carrier:HLCU {2}read 2026-01-1/)
})

test('with --as-of before the first claim, no claim is chosen', async () => {
  const result = await call(`explain ${box} pol_vessel_departed_at --as-of 2026-01-10T00:10:00Z`)
  assert.equal(result.code, 0, result.err)
  assert.match(result.out, /as of 2026-01-10T00:10:00\.000Z/)
  assert.doesNotMatch(result.out, /✓/)
})

test('explain accepts a bill, and refuses an unknown number, an unknown attribute and an invalid time', async () => {
  assert.match((await call(`explain ${bill} pol_atd_at`)).out, /^shipment HLCUEXPLAIN00001\n/)
  assert.equal((await call('explain LDFU9999990')).code, 1)
  assert.match((await call(`explain ${box} nothing`)).err, /no value `nothing`/)
  assert.equal((await call(`explain ${box} --as-of soon`)).code, 2)
})
