// A bare number finds its line: the likely lines are asked over HTTP one after the other, and what they answer teaches.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { containerCheckDigit } from '../../src/core/identifiers.ts'
import type { Context } from '../../src/service/context.ts'
import { rebuild } from '../../src/service/rebuild/rebuild.ts'
import { foldBy } from '../../src/service/tracking/fold.ts'
import { requestTracking } from '../../src/service/tracking/request-tracking.ts'
import { readRules } from '../../src/service/tracking/rules.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { giveAccess } from '../support/service.ts'
import { journey, openStage, type Stage, unknown } from './tracking-harness.ts'

/** A leased box, so that several lines come into question. */
const leased = `TCNU724135${containerCheckDigit('TCNU724135')}`

interface Lines extends Stage {
  /** By SCAC. */
  readonly lines: ReadonlyMap<string, Carrier>
  readonly detect: (
    number: string,
    options?: { type?: 'bill_of_lading' | 'container' | null; as?: Context },
  ) => Promise<string>
  readonly line: (id: string) => Promise<string | null>
  readonly assertRebuilds: () => Promise<void>
}

/** Each line with a server of its own, so that it shows who was asked. */
async function openLines(t: TestContext, scacs: readonly string[]): Promise<Lines> {
  const stage = await openStage(t)
  const lines = new Map<string, Carrier>([['HLCU', stage.carrier]])
  for (const scac of scacs) {
    const carrier = await openCarrier()
    t.after(() => carrier.close())
    await giveAccess(stage, { scac, profile: carrier.profile(scac) })
    lines.set(scac, carrier)
  }
  return {
    ...stage,
    lines,
    detect: async (number, { type = 'container', as = stage.account } = {}) => {
      const input = {
        requestNumber: number,
        requestType: type,
        scac: null,
        refNumbers: ['PO 1'],
        shipmentTags: [],
      }
      return (await requestTracking(stage.service, as, input)).id
    },
    line: async (id) =>
      (await stage.row<{ scac: string | null }>('select scac from tracking_requests where id = $1', [id]))
        .scac,
    assertRebuilds: async () => {
      const fold = foldBy(readRules(stage.service.config))
      const options = { repair: false, differencesMax: 5, progress: () => {} }
      assert.deepEqual((await rebuild(stage.service.pool, fold, options)).differences, [])
    },
  }
}

const asked = (lines: ReadonlyMap<string, Carrier>): readonly string[] =>
  [...lines].flatMap(([scac, carrier]) => (carrier.asked.length > 0 ? [scac] : []))

const outcomes = `select number, scac, weight, source from inference_outcomes order by weight, scac, number`

test('the first line that knows the number is its line, and those that said no are remembered as such', async (t) => {
  const stage = await openLines(t, ['MSCU', 'MAEU', 'CMDU', 'ONEY'])
  stage.lines.get('HLCU')?.answers({ json: journey('HLCUBILL1', 'sailed', [leased]) }, leased)
  const id = await stage.detect(leased)
  assert.deepEqual([(await stage.request(id)).status, await stage.line(id)], ['pending', null])
  await stage.drain()
  const { status, shipmentId } = await stage.request(id)
  const order = asked(stage.lines)
  assert.deepEqual([status, await stage.line(id)], ['created', 'HLCU'], `asked ${order}`)
  assert.notEqual(shipmentId, null)
  assert.ok(order.length <= 4)
  const taught = await stage.rows<{ scac: string; weight: number; source: string }>(outcomes)
  const denied = taught.filter(({ source }) => source === 'not_found').map(({ scac }) => scac)
  assert.deepEqual(denied.toSorted(), order.filter((scac) => scac !== 'HLCU').toSorted())
  assert.deepEqual(
    taught.filter(({ weight }) => weight > 0),
    [{ number: leased, scac: 'HLCU', weight: 1, source: 'request' }],
  )
  await stage.assertRebuilds()
})

test('when none of the four likeliest knows the number, the request fails and says so', async (t) => {
  const stage = await openLines(t, ['MSCU', 'MAEU', 'CMDU', 'ONEY', 'EGLV'])
  const id = await stage.detect(leased)
  await stage.drain()
  const { status, failedReason } = await stage.request(id)
  assert.deepEqual([status, failedReason, await stage.line(id)], ['failed', 'scac_auto_detect_failed', null])
  assert.equal(asked(stage.lines).length, 4)
  assert.deepEqual(await stage.heard(), ['tracking_request.failed'])
  assert.equal(
    (await stage.rows(outcomes)).length,
    4,
    'a box that no line knows is weak evidence against each',
  )
  await stage.assertRebuilds()
})

test('a bill that no line knows yet says nothing against any of them', async (t) => {
  const stage = await openLines(t, [])
  const id = await stage.detect('HLCUSHA2601AB123', { type: 'bill_of_lading' })
  await stage.drain()
  assert.equal((await stage.request(id)).failedReason, 'scac_auto_detect_failed')
  assert.deepEqual(await stage.rows(outcomes), [])
})

test('a line that is down is passed over, asked again, and found then', async (t) => {
  const stage = await openLines(t, ['MSCU', 'MAEU'])
  for (const carrier of stage.lines.values()) carrier.answers(unknown)
  stage.lines.get('MSCU')?.answers({ status: 503, json: {} })
  const id = await stage.detect(leased)
  await stage.drain()
  const waiting = await stage.request(id)
  assert.deepEqual(
    [waiting.status, waiting.isRetrying, waiting.failedReason],
    ['pending', true, 'shipping_line_unreachable'],
  )
  assert.deepEqual(asked(stage.lines).toSorted(), ['HLCU', 'MAEU', 'MSCU'])
  stage.lines.get('MSCU')?.answers({ json: journey('MEDUBILL1', 'sailed', [leased]) }, leased)
  await stage.nextLook()
  assert.deepEqual([(await stage.request(id)).status, await stage.line(id)], ['created', 'MSCU'])
  const denied = await stage.rows<{ scac: string }>(
    `select scac from inference_outcomes where weight < 0 order by scac`,
  )
  assert.deepEqual(
    denied.map(({ scac }) => scac),
    ['HLCU', 'MAEU'],
    'silence is no denial',
  )
  await stage.assertRebuilds()
})

test('a line that never answers ends it with the retries, not with a denial', async (t) => {
  const stage = await openLines(t, [])
  stage.carrier.answers({ status: 503, json: {} })
  const id = await stage.detect('HLCUSHA2601AB123', { type: 'bill_of_lading' })
  for (let looks = 0; looks < 20; looks += 1) await stage.nextLook()
  assert.equal((await stage.request(id)).failedReason, 'retries_exhausted')
  await stage.assertRebuilds()
})

test('without a line to ask the request is taken in and fails behind', async (t) => {
  const stage = await openLines(t, [])
  await stage.rows(`update credentials set is_enabled = false`)
  const id = await stage.detect(leased)
  assert.equal((await stage.request(id)).status, 'pending')
  await stage.drain()
  assert.equal((await stage.request(id)).failedReason, 'scac_auto_detect_failed')
  assert.deepEqual(await stage.heard(), ['tracking_request.failed'])
  await stage.assertRebuilds()
})

test('a number that turns out to be tracked already is a duplicate, and one that is searched for is refused', async (t) => {
  const stage = await openLines(t, [])
  const bill = 'HLCUSHA2601AB123'
  stage.carrier.answers({ json: journey(bill, 'sailed') }, bill)
  const first = await stage.detect(bill, { type: 'bill_of_lading' })
  await assert.rejects(stage.detect(bill, { type: 'bill_of_lading' }), /being tracked already/)
  await stage.drain()
  assert.equal((await stage.request(first)).status, 'created')
  const second = await stage.detect(bill, { type: 'bill_of_lading' })
  await stage.drain()
  const { status, failedReason } = await stage.request(second)
  assert.deepEqual([status, failedReason, await stage.line(second)], ['failed', 'duplicate', 'HLCU'])
  await stage.assertRebuilds()
})

test('the search goes on where it stood when another process takes over', async (t) => {
  const stage = await openLines(t, ['MSCU', 'MAEU', 'CMDU'])
  const { takeLooks, lookAt } = await import('../../src/service/tracking/look.ts')
  const { workTasks } = await import('../../src/service/tracking/work-tasks.ts')
  const rules = readRules(stage.service.config)
  const id = await stage.detect(leased)
  // One look and one task of a process that is killed afterwards.
  for (const job of await takeLooks(stage.service, 1)) await lookAt(stage.service, rules, job)
  await Promise.all(await workTasks(stage.service, foldBy(rules), 1))
  assert.equal(asked(stage.lines).length, 1)
  assert.equal((await stage.request(id)).status, 'pending')
  await stage.drain()
  assert.equal(asked(stage.lines).length, 4, 'nobody is asked twice, nobody is left out')
  assert.deepEqual(
    [...stage.lines.values()].map((carrier) => carrier.asked.length <= 1),
    [true, true, true, true],
  )
  assert.equal((await stage.request(id)).failedReason, 'scac_auto_detect_failed')
})

test('the kind of number is inferred where it is not said', async (t) => {
  const stage = await openLines(t, [])
  const id = await stage.detect(leased, { type: null })
  const { type } = await stage.row<{ type: string }>(
    'select request_type as type from tracking_requests where id = $1',
    [id],
  )
  assert.equal(type, 'container')
})
