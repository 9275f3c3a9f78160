// An operator reports a fault: the answer becomes a recording, from what is stored, from a file, or asked for now.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { checkRecording, parseRecording, type Recording } from '../../src/cli/sources/recording.ts'
import type { Context } from '../../src/modules/access/context.ts'
import { putCredential } from '../../src/modules/accounts/accounts-sql.ts'
import { requestTracking } from '../../src/modules/tracking-requests/request-tracking.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { openCommandLine } from '../support/command-line.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { journey } from '../support/tracking-harness.ts'

const number = 'HLCUSHA260900001'
const secret = 'k3y-of-nobody'
let running: TestService
let carrier: Carrier
let account: Context
const { call, landfall, folder } = openCommandLine(() => ({
  DATABASE_URL: running.databaseUrl,
  LANDFALL_ALLOWED_NETWORKS: '127.0.0.0/8',
}))

before(async () => {
  running = await openTestService({ startAt: '2026-02-01T00:00:00Z' })
  carrier = await openCarrier()
  account = await running.newAccount()
  const { encryption, pool } = running.service
  await putCredential(pool, {
    id: '0190d5a0-0000-7000-8000-000000000001',
    accountId: account.account.id,
    scac: 'HLCU',
    source: 'dcsa',
    profile: carrier.profile('HLCU', {
      auth: { keyHeaders: { 'x-key': 'apiKey' }, oauth: null },
      enumAliases: { DEPARTED: 'DEPA' },
    }),
    encryptedSecret: encryption.encrypt(JSON.stringify({ apiKey: secret })),
    isSandbox: false,
    createdAt: '2026-02-01T00:00:00Z',
  })
  const limits = {
    'retry-after': '30',
    'x-ratelimit-remaining': '7',
    'x-ratelimit-reset': '1769904000',
    link: '</next>',
    etag: '"1"',
  }
  carrier.answers({ json: journey(number, 'sailed'), headers: limits }, number)
  const input = {
    requestType: 'bill_of_lading',
    requestNumber: number,
    scac: 'HLCU',
    refNumbers: [],
    shipmentTags: [],
  } as const
  await requestTracking(running.service, account, input)
  await running.drain()
})
after(async () => {
  await carrier.close()
  await running.close()
})

const record = (words: string, as = account.account.id) => call(`sources record HLCU ${words} --account ${as}`)
const read = (file: string): Recording => parseRecording(readFileSync(file, 'utf8'))

test('the newest stored answer about a number becomes a recording with what decides its reading', async () => {
  const out = join(folder, 'stored.json')
  const { code, out: shown, err } = await record(`${number} --out ${out}`)
  assert.equal(code, 0, err)
  assert.match(shown, /HLCU bill_of_lading HLCUSHA260900001: found/)
  assert.match(
    shown,
    /These texts of the answer are in the recording as they came:\n(?: {2}\w+: .*\n)* {2}UNLocationCode: /,
  )
  assert.match(err, /it expects what was read\. Look through it before you give it to others/)
  const recording = read(out)
  assert.deepEqual(checkRecording(recording), [])
  assert.deepEqual(recording.profile, { enumAliases: { DEPARTED: 'DEPA' }, mayLack: [] })
  assert.deepEqual(recording.answer.headers, {})
  for (const each of ['SHA260900001', secret, carrier.url, 'x-key'])
    assert.ok(!readFileSync(out, 'utf8').includes(each), each)
})

test('a recording of a stored answer that its snapshot names is the same answer', async () => {
  const { rows } = await running.service.pool.query<{ id: string }>('select id from kept_snapshots limit 1')
  const out = join(folder, 'snapshot.json')
  assert.equal((await record(`${number} --snapshot ${rows[0]?.id} --out ${out}`)).code, 0)
  assert.equal(read(out).read.lines.length, read(join(folder, 'stored.json')).read.lines.length)
  const other = await record(`HLCUSHA260900002 --snapshot ${rows[0]?.id} --out ${join(folder, 'none.json')}`)
  assert.equal(other.code, 1)
  assert.match(other.err, /^No such answer about HLCUSHA260900002 is stored/)
})

test('another account has no recording of an answer that came through an access of this account', async () => {
  const other = await running.newAccount()
  const out = join(folder, 'foreign.json')
  const { code, err } = await record(`${number} --out ${out}`, other.account.id)
  assert.equal(code, 1)
  assert.match(err, /^No answer about HLCUSHA260900001 is stored\. Ask the line with --fetch/)
  assert.equal(existsSync(out), false)
})

test('with --fetch the line is asked now, and of its headers only limits and the presence of links are recorded', async () => {
  const out = join(folder, 'fetched.json')
  const before = carrier.asked.length
  const { code, err } = await record(`${number} --fetch --out ${out}`)
  assert.equal(code, 0, err)
  assert.equal(carrier.asked.length, before + 1)
  const { headers, pages } = read(out).answer
  assert.deepEqual(headers, {
    'retry-after': '30',
    'x-ratelimit-remaining': '7',
    'x-ratelimit-reset': 'present',
    link: 'present',
  })
  assert.deepEqual(
    pages.map(({ status, content_type: type }) => [status, type]),
    [[200, 'application/json']],
  )
})

test('expectations are about the own data, and the recording fails until they are read', async () => {
  const out = join(folder, 'expected.json')
  const expect = 'vessel_departed@CNSHG=2026-01-02; empty_in=2026-02-20'
  const {
    code,
    out: shown,
    err,
  } = await landfall(
    ...`sources record HLCU ${number} --out ${out} --account ${account.account.id} --expect`.split(' '),
    expect,
  )
  assert.equal(code, 0, err)
  const recording = read(out)
  assert.equal(recording.expected.length, 2)
  assert.ok(checkRecording(recording).length > 0)
  assert.match(shown, /empty_in: expected 202\d-\d\d-\d\d, read nothing/)
})

test('an existing file is not overwritten, and wrong arguments write none', async () => {
  const out = join(folder, 'kept.json')
  writeFileSync(out, 'mine')
  const again = await record(`${number} --out ${out}`)
  assert.equal(again.code, 2)
  assert.match(again.err, /kept\.json exists/)
  assert.equal(readFileSync(out, 'utf8'), 'mine')
  const none = join(folder, 'none.json')
  for (const [words, reason] of [
    ['--expect vesel_departed=2026-01-02', /Did you mean vessel_departed\?/],
    ['--file a --fetch', /Give one of --file, --snapshot and --fetch/],
    ['--kind bil', /bil is not a kind of number/],
    ['--snapshot 17', /17 is not the id of a stored answer/],
  ] as const) {
    const { code, err } = await record(`${number} ${words} --out ${none}`)
    assert.equal(code, 2)
    assert.match(err, reason)
  }
  assert.equal(existsSync(none), false)
})

test('a file that is not JSON, or that has a secret of carriers.json, is refused', async () => {
  const [page, answer, out] = ['page.html', 'answer.json', 'refused.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(page, '<html>HLCUSHA260900001</html>')
  const refused = await record(`${number} --file ${page} --out ${out}`)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /^It cannot be redacted: it is not JSON/)
  const secrets = { clientId: 'id-of-nobody', clientSecret: 'word-of-nobody' }
  writeFileSync(join(folder, 'carriers.json'), JSON.stringify([{ scac: 'HLCU', secrets }]))
  const [first, ...others] = journey(number, 'sailed')
  writeFileSync(answer, JSON.stringify([{ ...first, source: secrets.clientSecret }, ...others]))
  const leaking = await record(`${number} --file ${answer} --at 2026-02-01T00:00:00Z --out ${out}`)
  assert.equal(leaking.code, 1)
  assert.match(leaking.err, /^A secret would be in the recording/)
  assert.equal(existsSync(out), false)
})
