// The graph of arrival estimates, on a terminal and elsewhere, from the API and from the database.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { openCommandLine } from '../support/command-line.ts'
import { secondShip, seedRoute, tellRoute, told } from '../support/route-seed.ts'

let api: TestApi
let carrier: Carrier
let url: string
const bill = 'ONEYESTIMATE1'
const where = () => ({
  DATABASE_URL: api.databaseUrl,
  LANDFALL_API_KEY: api.key,
  LANDFALL_API_URL: url,
})
const piped = openCommandLine(() => ({ ...where(), LANG: 'C.UTF-8' }))
const terminal = openCommandLine(() => ({ ...where(), LANG: 'C.UTF-8' }), { isTTY: true })
const plain = openCommandLine(() => ({ ...where(), LANG: 'C.UTF-8', NO_COLOR: '1' }), { isTTY: true })
const curve = /▁█▅ {2}2026-01-24T00:00Z to 2026-01-26T00:00Z, 2 days later; 3 estimates, 2026-01-01 to 2026-01-01$/m

const journeyTo = (arrival: string) => [
  told('LOAD', 'CNSHA', '2026-01-05T02:00:00Z', 'A', secondShip),
  told('DEPA', 'CNSHA', '2026-01-05T12:00:00Z', 'A', secondShip),
  told('ARRI', 'USLAX', arrival, 'B', secondShip),
]

before(async () => {
  api = await openTestApi({ startAt: '2026-01-06T00:00:00Z' })
  url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  carrier = await openCarrier()
  await seedRoute(api, { bill, carrier, journey: journeyTo('2026-01-24T00:00:00Z') })
  for (const arrival of ['2026-01-28T00:00:00Z', '2026-01-26T00:00:00Z']) {
    tellRoute(api, carrier, { bill, journey: journeyTo(arrival) })
    await api.pass(24)
  }
})
after(async () => {
  await carrier.close()
  await api.close()
})

test('the shipments command draws the arrival estimates of one number on a terminal, and omits them for programs', async () => {
  const call = `shipments --number ${bill}`
  const seen = await terminal.call(call)
  assert.equal(seen.code, 0, seen.err)
  assert.match(seen.out, new RegExp(`^\n?${bill} was expected {2}`, 'm'))
  assert.match(seen.out, curve)
  const inWords = await plain.call(call)
  assert.match(inWords.out, /was expected {2}2026-01-24T00:00Z to 2026-01-26T00:00Z, 2 days later; 3 estimates/)
  assert.doesNotMatch(inWords.out, /[▁-█]/)
  assert.doesNotMatch((await piped.call(call)).out, /expected/)
  const json = await terminal.call(`${call} --json`)
  assert.equal(JSON.parse(json.out).bill_of_lading_number, bill)
  assert.doesNotMatch((await terminal.call('shipments')).out, /expected/, 'a list asks nothing more of the server')
})

test('the explain command with --as-of draws only the arrival estimates known at that time', async () => {
  const now = await terminal.call(`explain ${bill} pod_eta_at`)
  assert.equal(now.code, 0, now.err)
  assert.match(now.out, curve)
  const then = await terminal.call(`explain ${bill} pod_eta_at --as-of 2026-01-06T20:00:00Z`)
  assert.match(then.out, /▁█ {2}.*, 4 days later; 2 estimates/)
  assert.doesNotMatch((await piped.call(`explain ${bill}`)).out, /[▁-█]/)
  assert.doesNotMatch((await terminal.call(`explain ${bill} pol_atd_at`)).out, /[▁-█]/)
})
