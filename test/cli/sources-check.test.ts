// An operator tests a line with their own credentials: the answer is shown, and if the access works it is marked as
// tested.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { putCredential } from '../../src/modules/accounts/accounts-sql.ts'
import { equipmentEvent, transportEvent } from '../connectors/dcsa/events.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { openCommandLine } from '../support/command-line.ts'
import { giveAccess, openTestService, type TestService } from '../support/service.ts'

let running: TestService
let carrier: Carrier
let account: string
const { call, folder } = openCommandLine(() => ({
  DATABASE_URL: running.databaseUrl,
  LANDFALL_ALLOWED_NETWORKS: '127.0.0.0/8',
}))
const secret = 'a key that nobody may read'

before(async () => {
  running = await openTestService()
  carrier = await openCarrier()
  account = (await running.newAccount()).account.id
  carrier.answers({ json: [transportEvent({}), equipmentEvent({})] }, 'KNOWN1234567')
})
after(async () => {
  await carrier.close()
  await running.close()
})

const check = (words: string) => call(`sources check ${words} --account ${account}`)
const give = (scac: string, changes: Readonly<Record<string, unknown>> = {}) =>
  giveAccess(running, { scac, profile: carrier.profile(scac, changes) })
const verifiedAt = async (scac: string): Promise<unknown> =>
  JSON.parse((await check(`${scac} KNOWN1234567 --json`)).out).verifiedAt

test('the sources check shows the answer of a line and its interpretation, and stores nothing', async () => {
  await give('TRKU')
  const { code, out, err } = await check('TRKU KNOWN1234567')
  assert.equal(code, 0, err)
  assert.match(out, /^http:\/\/127\.0\.0\.1:\d+\/v2\/events\S*KNOWN1234567\S*: 200, application\/json, \d+ bytes after/)
  assert.match(out, /TRKU bill_of_lading KNOWN1234567: found/)
  assert.match(out, /This access has not been tested yet\.\n$/)
  for (const table of ['kept_snapshots', 'looks', 'subjects', 'tracking_requests'])
    assert.equal((await running.service.pool.query(`select from ${table}`)).rowCount, 0, table)
})

test('access to a line is marked as tested after it found a number, until its profile changes', async () => {
  await give('ARKU')
  assert.equal((await check('ARKU KNOWN1234567 --verify')).code, 0)
  assert.match(String(await verifiedAt('ARKU')), /^\d{4}-/)
  const { code, out } = await check('ARKU UNKNOWN7654321 --verify')
  assert.equal(code, 1)
  assert.match(out, /not_found[\s\S]*Tested on/)
  await give('ARKU', { headers: { accept: 'application/json', 'x-new': '1' } })
  assert.equal(await verifiedAt('ARKU'), null)
})

test('access to a line is not marked as tested when the line denies it', async () => {
  await give('KMTU')
  carrier.answers({ status: 401, json: { statusCode: 401 } }, 'DENIED123456')
  const { code, out, err } = await check('KMTU DENIED123456 --verify')
  assert.equal(code, 1)
  assert.match(out, /: 401,[\s\S]*access_denied/)
  assert.match(err, /The access is not marked as tested/)
  assert.equal(await verifiedAt('KMTU'), null)
})

test('a redacted fixture of the answer contains none of its numbers', async () => {
  await give('CULU')
  const file = join(folder, 'fixture.json')
  const { code, err } = await check(`CULU KNOWN1234567 --redact ${file}`)
  assert.equal(code, 0, err)
  assert.ok(!readFileSync(file, 'utf8').includes('APZU4812090'))
})

test('a line is not polled without access, or without --pay if it bills requests', async () => {
  const without = await check('COSU 6412345670')
  assert.equal(without.code, 1)
  assert.match(without.err, /no access to it\. Its operator can run `landfall connect COSU`/)
  await give('CMDU', { isBilled: true })
  const before = carrier.asked.length
  const billed = await check('CMDU KNOWN1234567')
  assert.equal(billed.code, 1)
  assert.match(billed.err, /bills every request[\s\S]*--pay/)
  assert.equal(carrier.asked.length, before)
  assert.equal((await check('CMDU KNOWN1234567 --pay')).code, 0)
})

test('the sources check prints no secret', async () => {
  const { encryption: vault, pool } = running.service
  await putCredential(pool, {
    id: '0190d5a0-0000-7000-8000-000000000001',
    accountId: account,
    scac: 'PCIU',
    source: 'dcsa',
    profile: carrier.profile('PCIU', { auth: { keyHeaders: { 'x-key': 'apiKey' }, oauth: null } }),
    encryptedSecret: vault.encrypt(JSON.stringify({ apiKey: secret })),
    isSandbox: false,
    createdAt: new Date().toISOString(),
  })
  for (const words of ['PCIU KNOWN1234567', 'PCIU KNOWN1234567 --json']) {
    const { code, out, err } = await check(words)
    assert.equal(code, 0, err)
    assert.ok(!`${out}${err}`.includes(secret))
  }
})
