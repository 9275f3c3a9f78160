// The operator lists issues (with a database), and tests how an answer is read (without one).
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { requestTracking } from '../../src/modules/tracking-requests/request-tracking.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { openCommandLine } from '../support/command-line.ts'
import { giveAccess, openTestService, type TestService } from '../support/service.ts'
import { event, journey } from '../support/tracking-harness.ts'

let running: TestService
let carrier: Carrier
let folder: string
const bill = 'HLCULOSSES000001'
const { call } = openCommandLine(() => ({ DATABASE_URL: running.databaseUrl }))
const fixture = fileURLToPath(new URL('../connectors/dcsa/fixtures/line-mscu.json', import.meta.url))

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-issues-'))
  running = await openTestService({ startAt: '2026-02-01T00:00:00Z' })
  carrier = await openCarrier()
  await giveAccess(running, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  const context = await running.newAccount()
  const odd = event({ told: 901, code: 'LOAD', at: 'never', place: 'CNSHG', bill })
  carrier.answers({ json: [...journey(bill, 'sailed'), odd] })
  const input = { requestType: 'bill_of_lading', requestNumber: bill, scac: 'HLCU' } as const
  await requestTracking(running.service, context, { ...input, refNumbers: [], shipmentTags: [] })
  await running.drain()
})
after(async () => {
  await carrier.close()
  await running.close()
  await rm(folder, { recursive: true })
})

test('issues are listed one a line, and filtered by line, kind, shipment and time', async () => {
  const told = await call('issues')
  assert.equal(told.code, 0, told.err)
  assert.match(
    told.out,
    /^2026-02-01T\S+ {2}HLCU {2}unreadable_time {2}×1 {2}lost: event {2}\/\d+\/eventDateTime {2}"never"/m,
  )
  assert.match((await call(`issues --shipment ${bill} --kind unreadable_time --line HLCU`)).err, /1 of 1/)
  assert.equal((await call('issues --since 2026-03-01')).out, '')
  const { issues, total } = JSON.parse((await call('issues --json --kind unreadable_time')).out)
  assert.deepEqual([issues.length, total, issues[0].path.endsWith('/eventDateTime')], [1, 1, true])
})

test('an invalid line, kind, time or limit exits with code 2, and an unknown shipment with code 1', async () => {
  for (const wrong of ['--line XXXX', '--kind nonsense', '--since soon', '--limit 0'])
    assert.equal((await call(`issues ${wrong}`)).code, 2, wrong)
  assert.equal((await call('issues --shipment NOTHERE123')).code, 1)
})

test('sources read shows the journey and the losses of a saved answer without an installation', async () => {
  const { call: alone } = openCommandLine(() => ({ LANDFALL_DATA: join(folder, 'none') }))
  const told = await alone(`sources read MSCU ${fixture} --at 2026-02-01`)
  assert.equal(told.code, 0, told.err)
  assert.match(told.out, /^MSCU bill_of_lading MEDUZQ004310: found\n9 events: 9 understood, 0 in part, 0 lost/)
  assert.match(told.out, /^ {2}ACT LOAD LADEN CNSHG 2026-01-12T10:04Z carrier:MSCU box=MEDU4801232/m)
  assert.match(told.out, /^MEDU4801232 {2}on_ship\n {2}ACT empty_out CNSHG 2026-01-05T01:38Z/m)
  const { verdict, counts } = JSON.parse((await alone(`sources read MSCU ${fixture} --json`)).out)
  assert.deepEqual([verdict, counts.understood], ['found', 9])
  const page = join(folder, 'page.html')
  await writeFile(page, '<html><input type="password"></html>')
  const login = await alone(`sources read MSCU ${page}`)
  assert.deepEqual([login.code, /login_page {2}lost: answer/.test(login.out)], [1, true])
  assert.equal((await alone(`sources read XXXX ${fixture}`)).code, 1)
  assert.equal((await alone(`sources read MSCU ${fixture} --kind letter`)).code, 2)
})

test('--redact writes a fixture that reads the same and contains none of the original numbers', async () => {
  const out = join(folder, 'fixture.json')
  const told = await call(`sources read MSCU ${fixture} --redact ${out} --at 2026-02-01`)
  assert.equal(told.code, 0, told.err)
  const text = await readFile(out, 'utf8')
  assert.doesNotMatch(text, /MEDU4801232|ZQ004310|177ZZZQLA000431|9730189|ANDES TRADER|2026-03-12/)
  const again = await call(`sources read MSCU ${out} --at 2026-02-01`)
  assert.match(again.out, /9 events: 9 understood, 0 in part, 0 lost/)
  assert.equal((await call(`sources read MSCU ${fixture} --redact ${out}`)).code, 1, 'never over a file that is there')
})
