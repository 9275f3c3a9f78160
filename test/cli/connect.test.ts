// An operator connects a carrier at the terminal: sees what is needed, types the secrets, and gets a number tracked.
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { equipmentEvent, transportEvent } from '../connectors/dcsa/events.ts'
import { type LineServer, sendJson, startLine } from '../connectors/line-server.ts'
import { answerOf, box, lbctBox } from '../connectors/terminal-api/answers.ts'
import { openCommandLine } from '../support/command-line.ts'
import { openTestService, type TestService } from '../support/service.ts'

let running: TestService
let line: LineServer
const { typed, call, folder } = openCommandLine(() => ({
  DATABASE_URL: running.databaseUrl,
  LANDFALL_ALLOWED_NETWORKS: '127.0.0.0/8',
}))
const secret = 'the-right-key'
const limits = { 'x-ratelimit-limit-minute': '7' }

before(async () => {
  running = await openTestService()
  line = await startLine(({ headers, url }, response) => {
    if (headers['x-key'] === secret || url.pathname.includes(secret))
      return sendJson(
        response,
        url.pathname.startsWith('/v2') ? [transportEvent({}), equipmentEvent({})] : { containers: [lbctBox] },
        limits,
      )
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end('{"message":"Invalid API key"}')
  })
})
after(async () => {
  await line.close()
  await running.close()
})

function write(name: string, content: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(content))
  return file
}
const profile = () =>
  write('profile.json', { base: line.base, auth: { keyHeaders: { 'x-key': 'apiKey' }, oauth: null } })
const channelsOf = async (scac: string) =>
  (
    await running.service.pool.query<{ secret: Buffer; profile: { rate: object }; account: string | null }>(
      `select secret_sealed as secret, profile, account_id as account from channels where scac = $1`,
      [scac],
    )
  ).rows

test('connect without a name lists what can be connected', async () => {
  const { code, out } = await call('connect')
  assert.equal(code, 0)
  assert.match(out, /^ACLU {10}Atlantic Container Line$/m)
  assert.match(out, /^lbct {10}Long Beach Container Terminal$/m)
})

test('the guide of a carrier shows where access is requested, and what is unknown as unknown', async () => {
  const { code, out } = await call('connect Hapag-Lloyd --guide')
  assert.equal(code, 0)
  assert.match(out, /^Hapag-Lloyd \(HLCU\)$/m)
  assert.match(out, /^ {2}Where {12}https:\/\/api-portal\.hlag\.com$/m)
  assert.match(out, /^ {2}You bring {8}clientId, clientSecret$/m)
  assert.match(out, /looked up 2026-11-30/)
  assert.match((await call('connect ARKU --guide')).out, /^ {2}Cost {13}unknown$/m)
})

test('typed secrets are tried, stored encrypted and never shown, and the number is tracked', async () => {
  const { code, out, err } = await typed(`connect TRKU --profile ${profile()}`, [
    'a-wrong-key',
    'LDF71800000',
    'y',
    secret,
    'LDF71800000',
    'y',
  ])
  assert.equal(code, 0, err)
  assert.match(out, /Turkon Line does not accept the secret[\s\S]*Nothing was stored\.[\s\S]*The access works\./)
  assert.match(out, /Read {13}2 of 2 events understood \(100 %\)/)
  assert.match(out, /Limit stated {5}x-ratelimit-limit-minute: 7/)
  assert.match(out, /Turkon Line is connected\. At most 7 a minute, as its answer states\./)
  assert.match(out, /LDF71800000 is tracked for My company \(tracking request [0-9a-f-]{36}\)\./)
  assert.ok(![out, err].some((text) => text.includes(secret) || text.includes('a-wrong-key')))
  const [stored, ...others] = await channelsOf('TRKU')
  assert.equal(others.length, 0)
  assert.deepEqual(stored?.profile.rate, { perMinute: 7 })
  assert.ok(stored?.secret.includes(secret) === false)
  const keyFile = join(folder, 'first-api-key-of-carriers')
  assert.ok(out.includes(keyFile) && readFileSync(keyFile, 'utf8').startsWith('lf_'))
  // The command has the real clock.
  running.clock.advance(Date.now() + 60_000 - running.clock.now())
  await running.drain()
  const { rows } = await running.service.pool.query(
    `select shipment_id is not null as found from tracking_requests where request_number = 'LDF71800000'`,
  )
  assert.deepEqual(rows, [{ found: true }])
})

test('a trial that fails stores nothing, in a script as well', async () => {
  const files = `--profile ${profile()} --secrets ${write('wrong.json', { apiKey: 'wrong' })}`
  const { code, out } = await call(`connect CULU ${files} --number LDF71800000 --json`)
  assert.equal(code, 1)
  const { cause, remedy, saved } = JSON.parse(out)
  assert.deepEqual([cause, saved], ['wrong_secret', null])
  assert.match(remedy, /^Copy apiKey again/)
  assert.deepEqual(await channelsOf('CULU'), [])
  const undescribed = await call('connect CULU --number LDF71800000')
  assert.equal(undescribed.code, 2)
  assert.match(undescribed.err, /No interface of China United Lines is publicly known\. Describe yours in a file/)
  const without = await call(`connect CULU --profile ${profile()} --number LDF71800000`)
  assert.equal(without.code, 2)
  assert.match(without.err, /needs apiKey: call this at a terminal, or give a file with --secrets/)
})

test('an access of one account is for this account only, and a check stores nothing', async () => {
  const { account } = await running.newAccount()
  const files = `--profile ${profile()} --secrets ${write('right.json', { apiKey: secret })} --number LDF71800000`
  assert.match((await call(`connect KMTU ${files} --check`)).out, /The access works\.[\s\S]*Nothing was stored\./)
  assert.deepEqual(await channelsOf('KMTU'), [])
  const { code, err } = await call(`connect KMTU ${files} --account ${account.id}`)
  assert.equal(code, 0, err)
  assert.deepEqual(
    (await channelsOf('KMTU')).map(({ account: id }) => id),
    [account.id],
  )
})

test('a carrier that carriers.json sets is changed there', async () => {
  const entry = { scac: 'PCIU', profile: JSON.parse(readFileSync(profile(), 'utf8')), secrets: { apiKey: secret } }
  const file = write('carriers.json', [entry])
  try {
    const files = `--profile ${profile()} --secrets ${write('right.json', { apiKey: secret })}`
    const { code, err } = await call(`connect PCIU ${files} --number LDF71800000`)
    assert.equal(code, 1)
    assert.match(err, /carriers\.json has an entry for PCIU\. Change it there, or remove the entry and connect again\./)
  } finally {
    rmSync(file)
  }
})

test('a terminal is connected for one account, and polled with the secrets that were typed', async () => {
  const { account } = await running.newAccount()
  const changes = write('lbct.json', { asking: { base: line.base }, answer: answerOf('lbct') })
  const { code, out, err } = await typed(`connect lbct --profile ${changes} --account ${account.id}`, [secret, box])
  assert.equal(code, 0, err)
  assert.match(out, /Has {14}availability, last free day/)
  const again = await typed(`connect lbct --profile ${changes} --account ${account.id}`, [secret, box])
  assert.equal(again.code, 0, again.err)
  const listed = JSON.parse((await call('channels list --json')).out) as readonly { readonly speakerCode: string }[]
  assert.equal(listed.filter(({ speakerCode }) => speakerCode === 'WAC8').length, 1)
})
