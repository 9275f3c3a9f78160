// The commands of integrators against a server over HTTP: what they print for people and for programs, and how they fail.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { readNotification } from '../../sdk/typescript/src/webhooks.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { openCommandLine } from '../support/command-line.ts'
import { paper, testReaders } from '../support/document-readers.ts'
import { openExpressApp } from '../support/foreign-receivers.ts'
import { handIn } from '../support/hand-in.ts'
import { seedRoute } from '../support/route-seed.ts'

let api: TestApi
let carrier: Carrier
let url: string
const line = openCommandLine(() => ({ LANDFALL_API_KEY: api.key, LANDFALL_API_URL: url }))

before(async () => {
  api = await openTestApi({ startAt: '2026-01-26T00:00:00Z' })
  url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  carrier = await openCarrier()
  await seedRoute(api, { bill: 'ONEYCOMMAND1', carrier })
})
after(async () => {
  await carrier.close()
  await api.close()
})

test('shipments and containers are printed as a table for people and as JSON lines for programs', async () => {
  const table = await line.call('shipments')
  assert.equal(table.code, 0, table.err)
  assert.match(table.out, /^BILL OF LADING +LINE +FROM.*\nONEYCOMMAND1 +ONEY +/)
  const json = (await line.call('shipments --json')).out.trimEnd().split('\n')
  assert.equal(JSON.parse(json[0] ?? '').containers[0].number, 'MSCU4000005')
  const boxes = await line.call('containers --number MSCU4000005')
  assert.match(boxes.out, /MSCU4000005 +\w+ +– /, 'what is not known is a dash, and no no')
  assert.equal((await line.call('containers --held')).out.trimEnd().split('\n').length, 1)
})

test('track waits until the line answers, and prints the result of each number', async () => {
  const asked = line.landfall(
    'track',
    'ONEYCOMMAND1',
    'NOTHING',
    '--scac',
    'ONEY',
    '--type',
    'bill_of_lading',
    '--wait',
    '20',
  )
  await api.drain()
  const { code, out } = await asked
  assert.equal(code, 1)
  assert.match(out, /ONEYCOMMAND1 +ONEY +\w+ +MSCU4000005/)
  assert.match(out, /NOTHING +– +refused/)
  const wrong = await line.landfall('track', 'A', '--type', 'ship')
  assert.deepEqual([wrong.code, wrong.out], [2, ''])
  assert.match(wrong.err, /ship is not a kind of number/)
})

test('events are listed in order; infer reports the kind of a number', async () => {
  const { code, out } = await line.call('events --after 0')
  assert.equal(code, 0)
  const numbers = out
    .trimEnd()
    .split('\n')
    .map((each) => Number(each.split('  ')[0]))
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => at + 1),
  )
  const [first] = (await line.call('events --after 2 --json')).out.split('\n')
  assert.equal(JSON.parse(first ?? '').sequence, 3)
  assert.match((await line.call('infer MSCU4000005')).out, /MSCU/)
})

test('webhooks listen delivers signed events, continues where it stopped, and creates no webhook', async (t) => {
  const receiver = await openExpressApp('X-Landfall-Signature')
  t.after(() => receiver.close())
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
  receiver.trust(secret)
  const place = join(line.folder, 'place')
  const listen = ['webhooks', 'listen', '--to', receiver.url, '--secret', secret, '--place', place]
  const { code, out } = await line.landfall(...listen, '--after', '0', '--count', '3')
  assert.equal(code, 0)
  assert.match(out, /^1 {2}\S+ {2}200\n2 .*\n3 /)
  assert.match((await line.landfall(...listen, '--count', '1')).out, /^4 /)
  assert.equal(receiver.taken.length, 4)
  for (const { raw, headers } of receiver.taken) {
    new Webhook(secret).verify(raw, headers as Record<string, string>)
    const read = await readNotification({ headers, body: raw }, { secret })
    assert.ok(read.reference_object !== null && read.reference_object !== undefined)
    const { included } = JSON.parse(raw.toString())
    assert.ok(included.length <= 8, 'with nothing of other events')
  }
  assert.deepEqual((await api.call({ url: '/v2/webhooks' })).many(), [])
  writeFileSync(place, 'somewhere')
  const lost = await line.landfall(...listen, '--count', '1')
  assert.deepEqual([lost.code, lost.out], [2, ''])
  assert.match(lost.err, /place does not contain the number of an event/)
})

test('webhooks listen names events about documents as a new webhook does, or as --event lists them', async (t) => {
  const receiver = await openExpressApp('X-Landfall-Signature')
  t.after(() => receiver.close())
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
  receiver.trust(secret)
  testReaders(api.service)
  const { last_sequence: last } = (await api.call({ url: '/v2/events?limit=1' })).body.meta as { last_sequence: number }
  await handIn(api, api.key, paper('arrival_notice', 'bill=LISTEN1'))
  await api.drain()
  const names = ['document_representation.created', 'document.extracted']
  for (const [only, expected] of [
    [[], names[0]],
    ...names.map((name) => [['--event', name], name] as const),
  ] as const) {
    const listen = ['listen', '--to', receiver.url, '--secret', secret, '--after', String(last), '--count', '1']
    const { code, out, err } = await line.landfall('webhooks', ...listen, ...only)
    assert.equal(code, 0, err)
    assert.match(out, new RegExp(`^\\d+ {2}${expected} {2}200\n$`))
    assert.equal(JSON.parse(String(receiver.taken.at(-1)?.raw)).data.attributes.event, expected)
  }
})

test('a command without a key or with a wrong address exits with code 2 and states what is missing', async () => {
  const bare = openCommandLine(() => ({}))
  const { code, err } = await bare.call('shipments')
  assert.equal(code, 2)
  assert.match(err, /LANDFALL_API_KEY is not set/)
  assert.equal((await line.landfall('shipments', '--url', 'nowhere')).code, 2)
  const gone = await line.landfall('shipments', '--limit', 'many')
  assert.match(gone.err, /many is not a number of rows/)
})

test('webhooks check sends an example of each event to a receiver, or a recorded delivery byte for byte', async () => {
  const receiver = await openExpressApp('X-Landfall-Signature')
  const own = await openExpressApp('X-Our-Signature')
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
  receiver.trust(secret)
  own.trust('our own words')
  try {
    const { code, out, err } = await line.call(`webhooks check --to ${receiver.url} --secret ${secret} --json`)
    assert.equal(code, 0, err + out)
    const rows = out
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each) as { name: string; good: boolean })
    assert.ok(rows.length > 40 && rows.every(({ good }) => good))
    const wrong = await line.call(
      `webhooks check --to ${receiver.url} --secret whsec_d3JvbmcgYnV0IGxvbmcgZW5vdWdo --json`,
    )
    assert.equal(wrong.code, 1)
    assert.match(wrong.err, /were not accepted/)
    const file = join(line.folder, 'recorded.json')
    writeFileSync(file, '{ "data": {"id":"1" }}')
    const to = ['--to', own.url, '--secret', 'our own words', '--header', 'X-Our-Signature']
    const recorded = await line.landfall('webhooks', 'check', file, ...to)
    assert.equal(String(own.taken[0]?.raw), '{ "data": {"id":"1" }}')
    assert.deepEqual([recorded.code, recorded.err], [0, ''])
    assert.match(recorded.out, /^DELIVERY +ANSWER +MS\nrecorded\.json +2\d\d +\d+\n$/)
  } finally {
    await receiver.close()
    await own.close()
  }
})
