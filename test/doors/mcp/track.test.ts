import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { caller, connect, openTestMcp, type TestMcp } from '../../support/mcp.ts'
import { journey, seededAt } from '../../support/seed.ts'
import { giveAccess } from '../../support/service.ts'

let api: TestApi
let mcp: TestMcp
let client: Client
let stranger: Client
/** A line that knows exactly the numbers that a test gives it. */
let right: Carrier
/** Knows nothing. */
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

interface Told {
  readonly id: string
  readonly scac: string
  readonly status: string
  readonly failedReason: string | null
}
interface Tracked {
  readonly tracking_request_created: boolean
  readonly tracking_request?: Told
  readonly other_requests?: readonly Told[]
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
const track = async (args: object, by?: Client) =>
  (await call('track_container', args, by)) as unknown as Tracked
const requestsOf = async (number: string) =>
  (await api.call({ url: `/v2/tracking_requests?filter[request_number]=${number}` })).many().length

describe('a wrong first guess of the line', () => {
  test('is shown as not found, with the time of the next look, and corrected by the right line', async () => {
    const number = 'CNSH20000001'
    const bill = { number, numberType: 'bill_of_lading' }
    right.answers({ json: journey(['MSCU4000005'], 'first') }, number)
    const first = await track({ ...bill, scac: 'MAEU' })
    assert.equal(first.tracking_request_created, true)
    assert.match(first.message ?? '', /if it knows the number/)
    await api.drain()
    const waiting = await track({ ...bill, scac: 'MAEU' })
    assert.deepEqual(
      [waiting.tracking_request_created, waiting.tracking_request?.status],
      [false, 'awaiting_manifest'],
    )
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

  test('does not stand in the way while it is being asked, nor once it has failed', async () => {
    const number = 'MSCU4000010'
    right.answers({ json: journey([number], 'first') }, number)
    assert.equal((await track({ number, scac: 'MAEU' })).tracking_request?.status, 'pending')
    await api.drain()
    const failed = await track({ number, scac: 'MAEU' })
    assert.deepEqual(
      [failed.tracking_request_created, failed.tracking_request?.failedReason],
      [false, 'not_found'],
    )
    assert.match(failed.message ?? '', /Maersk does not know this number/)
    assert.equal(failed.next_look_at, null)
    assert.equal(await requestsOf(number), 1, 'asking how it stands asks nobody')
    const search = await call('search_container', { query: number })
    assert.equal(search['total_results'], 0)
    assert.match(String(search['message']), /tracking_requests/)
    assert.equal((search['tracking_requests'] as readonly Told[])[0]?.failedReason, 'not_found')
    assert.equal((await track({ number, scac: 'MAEU', again: true })).tracking_request_created, true)
    assert.equal((await track({ number, scac: 'ONEY' })).tracking_request_created, true)
    await api.drain()
    assert.equal((await track({ number })).container_number, number)
  })

  test('if the named line is not the one that tracks it, the answer says so, and no other line is asked', async () => {
    const told = await track({ number: 'MSCU4000010', scac: 'MAEU', refNumbers: ['PO 9'] })
    assert.equal(told.tracking_request_created, false)
    assert.match(told.message ?? '', /tracked by ONEY.*MAEU was not asked.*add_ref_numbers/)
    const { shipment } = told as unknown as { readonly shipment: { readonly id: string } }
    await call('stop_tracking', { id: shipment.id })
    assert.equal((await track({ number: 'MSCU4000010' })).container_number, 'MSCU4000010')
    // The trip is over, and the user names the line of the next one.
    assert.equal(
      (await track({ number: 'MSCU4000010', scac: 'MAEU', again: true })).tracking_request_created,
      true,
    )
  })

  test('of another account blocks nobody', async () => {
    const told = await track({ number: 'MSCU4000010', scac: 'ONEY', numberType: 'container' }, stranger)
    assert.deepEqual([told.tracking_request_created, told.other_requests], [true, undefined])
  })

  test('a kind is taken as infer_number calls it', async () => {
    const told = await track({ number: 'CNSH20000003', scac: 'ONEY', numberType: 'booking' })
    assert.equal(
      (told.tracking_request as unknown as Record<string, string>)['requestType'],
      'booking_number',
    )
  })

  test('two callers at the same time get one request', async () => {
    const args = { number: 'CNSH20000002', scac: 'ONEY', numberType: 'bill_of_lading' }
    const both = await Promise.all([track(args), track(args), track(args)])
    assert.equal(new Set(both.map(({ tracking_request: told }) => told?.id)).size, 1)
    assert.equal(both.filter((each) => each.tracking_request_created).length, 1)
  })
})

describe('a typing mistake', () => {
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
    assert.match(
      String((await call('search_container', { query: near }))['message']),
      /tracked here: .*MSCU4000005/,
    )
    const told = await call('search_container', { query: near }, stranger)
    assert.doesNotMatch(String(told['message']), /MSCU4000005/, 'another account’s are nobody’s business')
  })
})

describe('a test number', () => {
  test('is tracked without a kind and without a line', async () => {
    const made = await track({ number: 'TEST-TR-SUCCEEDED' })
    assert.deepEqual([made.tracking_request_created, made.tracking_request?.scac], [true, 'TEST'])
    await api.drain()
    assert.ok((await track({ number: 'test-tr-succeeded' })).container_number)
    assert.equal((await track({ number: 'TEST-TR-FAILED', scac: 'TEST' })).tracking_request_created, true)
    await api.drain()
    assert.equal((await track({ number: 'TEST-TR-FAILED' })).tracking_request?.status, 'failed')
  })
})

describe('the confidence', () => {
  test('decides as documented: a line is taken from the threshold on, or it is said what holds it back', async () => {
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
      const told = await track({ number })
      assert.equal(told.needs_confirmation, true)
      const first = `${candidates[0]?.confidence}`
      assert.ok(told.message?.includes(first) && told.message.includes(because ?? '0.95'), told.message)
      seen.add(isEnough ? 'held back' : 'too low')
    }
    assert.ok(seen.has('held back') && seen.has('too low'), [...seen].join())
  })
})
