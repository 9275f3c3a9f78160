import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { caller, connect, openTestMcp, type TestMcp } from '../support/mcp.ts'
import { journey, seededAt } from '../support/seed.ts'
import { giveAccess } from '../support/service.ts'

let api: TestApi
let mcp: TestMcp
let client: Client
let stranger: Client
/** A line that knows exactly the numbers that a test gives it. */
let right: Carrier
/** Knows no number. */
let wrong: Carrier

before(async () => {
  api = await openTestApi({ startAt: seededAt })
  mcp = await openTestMcp(api)
  client = await connect(mcp.url, { authorization: `Token ${api.key}` })
  const other = await api.newKey(await api.newAccount(), ['read', 'write'])
  stranger = await connect(mcp.url, { authorization: `Token ${other}` })
  right = await openCarrier()
  wrong = await openCarrier()
  await giveAccess(api, { scac: 'ONEY', profile: right.profile('ONEY') })
  await giveAccess(api, { scac: 'MAEU', profile: wrong.profile('MAEU') })
  await giveAccess(api, { scac: 'TEST', source: 'test', profile: {} })
})
after(async () => {
  await client.close()
  await stranger.close()
  await mcp.close()
  await right.close()
  await wrong.close()
  await api.close()
})

interface TrackedRequest {
  readonly id: string
  readonly scac: string
  readonly status: string
  readonly failedReason: string | null
}
interface Tracked {
  readonly tracking_request_created: boolean
  readonly tracking_request?: TrackedRequest
  readonly other_requests?: readonly TrackedRequest[]
  readonly next_look_at?: string | null
  readonly message?: string
  readonly container_number?: string
  readonly needs_confirmation?: boolean
  readonly infer_result?: Inferred
}
interface Inferred {
  readonly shipping_line: {
    readonly decision: string
    readonly candidates: readonly { readonly scac: string; readonly confidence: number }[]
    readonly auto_select_from: number
    readonly held_back: string | null
  }
}

const { call, refusal } = caller(() => client)
const track = async (args: object, by?: Client) => (await call('track_container', args, by)) as unknown as Tracked
const requestsOf = async (number: string) =>
  (await api.call({ url: `/v2/tracking_requests?filter[request_number]=${number}` })).many().length

describe('a request at the wrong line', () => {
  test('is shown as not found, with the time of the next poll, and corrected with the right line', async () => {
    const number = 'CNSH20000001'
    const bill = { number, numberType: 'bill_of_lading' }
    right.answers({ json: journey(['MSCU4000005'], 'first') }, number)
    const first = await track({ ...bill, scac: 'MAEU' })
    assert.equal(first.tracking_request_created, true)
    assert.match(first.message ?? '', /if it knows the number/)
    await api.drain()
    const waiting = await track({ ...bill, scac: 'MAEU' })
    assert.deepEqual([waiting.tracking_request_created, waiting.tracking_request?.status], [false, 'awaiting_manifest'])
    assert.match(waiting.message ?? '', /Maersk does not know this number.*Next look: 2026-03-11T/)
    assert.doesNotMatch(waiting.message ?? '', /minutes/)
    assert.equal(waiting.next_look_at, '2026-03-11T00:00:00Z')
    const corrected = await track({ ...bill, scac: 'ONEY' })
    assert.deepEqual([corrected.tracking_request_created, corrected.tracking_request?.scac], [true, 'ONEY'])
    assert.deepEqual(
      corrected.other_requests?.map(({ scac, status }) => [scac, status]),
      [['MAEU', 'awaiting_manifest']],
    )
    await api.drain()
    assert.equal((await track({ number })).container_number, 'MSCU4000005')
    assert.equal(await requestsOf(number), 2)
  })

  test('does not prevent a request at the right line, neither while it is polled nor after it failed', async () => {
    const number = 'MSCU4000010'
    right.answers({ json: journey([number], 'first') }, number)
    assert.equal((await track({ number, scac: 'MAEU' })).tracking_request?.status, 'pending')
    await api.drain()
    const failed = await track({ number, scac: 'MAEU' })
    assert.deepEqual([failed.tracking_request_created, failed.tracking_request?.failedReason], [false, 'not_found'])
    assert.match(failed.message ?? '', /Maersk does not know this number/)
    assert.equal(failed.next_look_at, null)
    assert.equal(await requestsOf(number), 1, 'asking how it stands asks nobody')
    const search = await call('search_container', { query: number })
    assert.equal(search['total_results'], 0)
    assert.match(String(search['message']), /tracking_requests/)
    assert.equal((search['tracking_requests'] as readonly TrackedRequest[])[0]?.failedReason, 'not_found')
    assert.equal((await track({ number, scac: 'MAEU', again: true })).tracking_request_created, true)
    assert.equal((await track({ number, scac: 'ONEY' })).tracking_request_created, true)
    await api.drain()
    assert.equal((await track({ number })).container_number, number)
  })

  test('is not created if another line tracks the number, and the answer says so', async () => {
    const answer = await track({ number: 'MSCU4000010', scac: 'MAEU', refNumbers: ['PO 9'] })
    assert.equal(answer.tracking_request_created, false)
    assert.match(answer.message ?? '', /tracked by ONEY.*MAEU was not asked.*add_ref_numbers/)
    const { shipment } = answer as unknown as { readonly shipment: { readonly id: string } }
    await call('stop_tracking', { id: shipment.id })
    assert.equal((await track({ number: 'MSCU4000010' })).container_number, 'MSCU4000010')
    // The trip is over, and the user names the line of the next one.
    assert.equal((await track({ number: 'MSCU4000010', scac: 'MAEU', again: true })).tracking_request_created, true)
  })

  test('of another account does not prevent a request', async () => {
    const answer = await track({ number: 'MSCU4000010', scac: 'ONEY', numberType: 'container' }, stranger)
    assert.deepEqual([answer.tracking_request_created, answer.other_requests], [true, undefined])
  })

  test('accepts the number types of infer_number', async () => {
    const answer = await track({ number: 'CNSH20000003', scac: 'ONEY', numberType: 'booking' })
    assert.equal((answer.tracking_request as unknown as Record<string, string>)['requestType'], 'booking_number')
  })

  test('is created once for concurrent calls', async () => {
    const args = { number: 'CNSH20000002', scac: 'ONEY', numberType: 'bill_of_lading' }
    const both = await Promise.all([track(args), track(args), track(args)])
    assert.equal(new Set(both.map(({ tracking_request: told }) => told?.id)).size, 1)
    assert.equal(both.filter((each) => each.tracking_request_created).length, 1)
  })
})

describe('a mistyped number', () => {
  test('is reported as a wrong check digit, for every line, and never as not found', async () => {
    for (const args of [{}, { scac: 'ONEY' }, { scac: 'ONEY', numberType: 'container' }])
      assert.match(
        await refusal('track_container', { number: 'mscu 400020-7', ...args }),
        /check digit is wrong.*MSCU4000200/,
      )
    assert.match(await refusal('track_container', { number: 'MSCU400020' }), /missing.*MSCU4000200/)
    assert.equal(await requestsOf('MSCU4000207'), 0)
    const search = await call('search_container', { query: 'MSCU4000207' })
    assert.match(String(search['message']), /check digit is wrong/)
    // Both accounts have tracked MSCU4000010 by now, and only the first has tracked MSCU4000005.
    const near = 'MSCU4000050'
    assert.match(String((await call('search_container', { query: near }))['message']), /tracked here: .*MSCU4000005/)
    const answer = await call('search_container', { query: near }, stranger)
    assert.doesNotMatch(String(answer['message']), /MSCU4000005/, 'another account’s are nobody’s business')
  })
})

describe('a number in the form in which people paste it', () => {
  test('from a spreadsheet is refused with a question', async () => {
    for (const tool of ['track_container', 'infer_number'])
      for (const [number, words] of [
        ['263123456.0', /Did you mean 263123456\?/],
        ['94405335,0', /Did you mean 94405335\?/],
        ['2,63123E+08', /a spreadsheet has rounded it/],
      ] as const) {
        assert.match(await refusal(tool, { number }), words)
      }
    const numbers = ['2631234561', '263123456.1', '263123456,1']
    const { items } = (await call('track_numbers', { numbers, scac: 'Maersk Line' })) as unknown as {
      readonly items: readonly { readonly outcome: string; readonly message: string | null }[]
    }
    assert.deepEqual(
      items.map(({ outcome }) => outcome),
      ['requested', 'refused', 'refused'],
    )
    assert.match(items[1]?.message ?? '', /Did you mean 263123456\?/)
  })

  test('can name its line by a former name, unless that is ambiguous', async () => {
    const made = await track({ number: '263123470', numberType: 'bill_of_lading', scac: 'Hamburg Süd' })
    assert.equal(made.tracking_request?.scac, 'MAEU')
    assert.match(await refusal('track_container', { number: '263123471', scac: 'Sealand' }), /\(SEAU\) or .*\(SEJJ\)/)
  })

  test('with U+0000 in it is refused without an internal error', async () => {
    for (const tool of ['search_container', 'search'])
      assert.match(await refusal(tool, { query: 'MSCU\u00004000' }), /U\+0000/)
  })
})

describe('a test number', () => {
  test('is tracked without a number type and without a line', async () => {
    const made = await track({ number: 'TEST-TR-SUCCEEDED' })
    assert.deepEqual([made.tracking_request_created, made.tracking_request?.scac], [true, 'TEST'])
    await api.drain()
    assert.ok((await track({ number: 'test-tr-succeeded' })).container_number)
    assert.equal((await track({ number: 'TEST-TR-FAILED', scac: 'TEST' })).tracking_request_created, true)
    await api.drain()
    assert.equal((await track({ number: 'TEST-TR-FAILED' })).tracking_request?.status, 'failed')
  })
})

describe('the confidence of a prediction', () => {
  test('selects a line automatically when it reaches the threshold', async () => {
    const seen = new Set<string>()
    for (const number of [
      'MAEU123456789',
      'MSKU1234565',
      'TCNU7214801',
      'OOLU1234567',
      'HLCUSHA2401ABCD1',
      '123456789',
    ]) {
      const inferred = (await call('infer_number', { number })) as unknown as Inferred
      const { decision, candidates, auto_select_from: from, held_back: because } = inferred.shipping_line
      const isEnough = (candidates[0]?.confidence ?? 0) >= from
      assert.equal(from, 0.95)
      assert.equal(decision === 'auto_select', isEnough && because === null, number)
      if (decision === 'auto_select' || candidates.length === 0) continue
      const answer = await track({ number })
      assert.equal(answer.needs_confirmation, true)
      const first = `${candidates[0]?.confidence}`
      assert.ok(answer.message?.includes(first) && answer.message.includes(because ?? '0.95'), answer.message)
      seen.add(isEnough ? 'held back' : 'too low')
    }
    assert.ok(seen.has('held back') && seen.has('too low'), [...seen].join())
  })
})
