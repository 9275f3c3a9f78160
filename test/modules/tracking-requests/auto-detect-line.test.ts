// The line of a number is found: the likely lines are polled over HTTP one after the other, and inference learns from
// their answers.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { containerCheckDigit } from '../../../src/domain/values/identifiers.ts'
import type { Context } from '../../../src/modules/access/context.ts'
import { setSearch } from '../../../src/modules/inference/share-outcomes.ts'
import { getTrackingRequest } from '../../../src/modules/tracking-requests/get-tracking-request.ts'
import { listAttempts } from '../../../src/modules/tracking-requests/list-attempts.ts'
import { requestTracking } from '../../../src/modules/tracking-requests/request-tracking.ts'
import { trackingRequest } from '../../../src/modules/tracking-requests/tracking-request-resource.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'
import { event, journey, openStage, type Stage, unknown } from '../../support/tracking-harness.ts'

/** A leased container, so that several lines are possible. */
const leased = `TCNU724135${containerCheckDigit('TCNU724135')}`

interface Lines extends Stage {
  /** By SCAC. */
  readonly lines: ReadonlyMap<string, Carrier>
  readonly detect: (
    number: string,
    options?: { type?: 'bill_of_lading' | 'container' | null; as?: Context },
  ) => Promise<string>
  readonly line: (id: string) => Promise<string | null>
  /** What the API shows beside the request. */
  readonly meta: (id: string, as?: Context) => Promise<{ readonly line_search: LineSearch }>
  readonly assertRebuilds: () => Promise<void>
}

interface LineSearch {
  readonly said_no: readonly string[]
  readonly gave_no_answer: readonly string[]
  readonly knows_no_trip_under_way: readonly string[]
  readonly still_to_ask: readonly string[]
  readonly left_out: readonly { readonly scac: string; readonly because: string }[]
  readonly detail: string | null
}

/** Each line has its own server, so that the test sees which were polled. */
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
      (await stage.row<{ scac: string | null }>('select scac from tracking_requests where id = $1', [id])).scac,
    meta: async (id, as = stage.account) =>
      trackingRequest.meta?.write(await getTrackingRequest(stage.service, as, { id })) as never,
    assertRebuilds: async () => {
      const fold = foldBy(readRules(stage.service.config))
      const options = { repair: false, differencesMax: 5, progress: () => {} }
      assert.deepEqual((await rebuildProjections(stage.service, fold, options)).differences, [])
    },
  }
}

const asked = (lines: ReadonlyMap<string, Carrier>): readonly string[] =>
  [...lines].flatMap(([scac, carrier]) => (carrier.asked.length > 0 ? [scac] : []))

const outcomes = `select number, scac, weight, source from inference_outcomes order by weight, scac, number`

test('selects the first line that knows the number, and remembers the lines that denied it', async (t) => {
  const stage = await openLines(t, ['MSCU', 'MAEU', 'CMDU', 'ONEY'])
  stage.lines.get('HLCU')?.answers({ json: journey('HLCUBILL1', 'sailed', [leased]) }, leased)
  const id = await stage.detect(leased)
  assert.deepEqual([(await stage.request(id)).status, await stage.line(id)], ['pending', null])
  await stage.drain()
  const { status, shipmentId } = await stage.request(id)
  const order = asked(stage.lines)
  assert.deepEqual([status, await stage.line(id)], ['created', 'HLCU'], `asked ${order}`)
  assert.notEqual(shipmentId, null)
  const taught = await stage.rows<{ scac: string; weight: number; source: string }>(outcomes)
  const denied = taught.filter(({ source }) => source === 'not_found').map(({ scac }) => scac)
  assert.deepEqual(denied.toSorted(), order.filter((scac) => scac !== 'HLCU').toSorted())
  assert.deepEqual(
    taught.filter(({ weight }) => weight > 0),
    [{ number: leased, scac: 'HLCU', weight: 1, source: 'request' }],
  )
  await stage.assertRebuilds()
})

/** Seven lines, in the order in which an empty model prefers them for a leased container: by the size of their fleets. */
const seven = ['MSCU', 'MAEU', 'CMDU', 'ONEY', 'EGLV', 'OOLU'] as const

test('finds a leased container at the seventh line: polls every available line once, the likeliest first', async (t) => {
  const stage = await openLines(t, seven)
  stage.lines.get('OOLU')?.answers({ json: journey('OOLU1', 'sailed', [leased]) }, leased)
  const id = await stage.detect(leased)
  const { line_search: before } = await stage.meta(id)
  assert.deepEqual(before.still_to_ask, ['MSCU', 'MAEU', 'CMDU', 'HLCU', 'ONEY', 'EGLV', 'OOLU'])
  await stage.drain()
  assert.deepEqual([(await stage.request(id)).status, await stage.line(id)], ['created', 'OOLU'])
  assert.deepEqual(
    [...stage.lines.values()].map((carrier) => carrier.asked.length),
    [1, 1, 1, 1, 1, 1, 1],
  )
  assert.equal((await stage.meta(id)).line_search, null, 'nothing is searched for any more')
  await stage.assertRebuilds()
})

test('ignores a trip that was over at the time of the request, and continues to the line of the current trip', async (t) => {
  const stage = await openLines(t, seven)
  stage.lines.get('MSCU')?.answers({ json: journey('MEDUOLD1', 'back', [leased]) }, leased)
  stage.lines.get('HLCU')?.answers({ json: journey('HLCUNEW1', 'sailed', [leased]) }, leased)
  const id = await stage.detect(leased)
  await stage.drain()
  assert.deepEqual([(await stage.request(id)).status, await stage.line(id)], ['created', 'HLCU'])
  assert.deepEqual(
    (await stage.heard()).filter((name) => name.startsWith('tracking_request')),
    ['tracking_request.succeeded'],
  )
  const bills = await stage.rows<{ bill: string }>(`select bill_of_lading_number as bill from shipments`)
  assert.deepEqual(bills, [{ bill: 'HLCUNEW1' }], 'nothing of the other customer is shown')
  const taught = await stage.rows<{ scac: string; weight: number }>(outcomes)
  assert.ok(taught.every(({ scac, weight }) => scac !== 'MSCU' && (weight < 0 || scac === 'HLCU')))
  const { rows } = await listAttempts(stage.service, stage.account, { id, page: { number: 1, size: 25 } })
  const first = rows.find(({ scac }) => scac === 'MSCU')
  assert.deepEqual([first?.outcome, first?.next.kind], ['trip_over', 'other_line'])
  await stage.assertRebuilds()
})

test('treats a trip without reports for longer than the tracking time as over, although it has no return', async (t) => {
  const stage = await openLines(t, ['MSCU'])
  stage.clock.set(Date.parse('2026-03-25T00:00:00Z'))
  stage.lines.get('MSCU')?.answers({ json: journey('MEDUOLD1', 'out', [leased]) }, leased)
  const loaded = { told: 1, code: 'LOAD', at: '2026-03-20T10:00:00+08:00', place: 'CNSHG' } as const
  const running = [event({ ...loaded, bill: 'HLCUNEW1', boxes: [leased] })]
  stage.lines.get('HLCU')?.answers({ json: running }, leased)
  const id = await stage.detect(leased)
  await stage.drain()
  assert.deepEqual([(await stage.request(id)).status, await stage.line(id)], ['created', 'HLCU'])
  await stage.assertRebuilds()
})

test('asks the user, with line names, if several lines know the container only from ended trips', async (t) => {
  const stage = await openLines(t, ['MSCU', 'MAEU'])
  stage.lines.get('MSCU')?.answers({ json: journey('MEDUOLD1', 'back', [leased]) }, leased)
  stage.lines.get('HLCU')?.answers({ json: journey('HLCUOLD1', 'back', [leased]) }, leased)
  const id = await stage.detect(leased)
  await stage.drain()
  const { status, failedReason } = await stage.request(id)
  assert.deepEqual([status, failedReason, await stage.line(id)], ['failed', 'scac_auto_detect_failed', null])
  const { line_search: search } = await stage.meta(id)
  assert.deepEqual(search.knows_no_trip_under_way, ['MSCU', 'HLCU'])
  assert.match(search.detail ?? '', /^MSCU, HLCU know this container, .*Name its line\.$/)
  await stage.assertRebuilds()
})

test('selects the only line that knows a container, from a past trip, after all others denied it', async (t) => {
  const stage = await openLines(t, ['MSCU', 'MAEU'])
  stage.lines.get('MSCU')?.answers({ json: journey('MEDUOLD1', 'back', [leased]) }, leased)
  const id = await stage.detect(leased)
  await stage.drain()
  assert.equal(await stage.line(id), 'MSCU')
  assert.notEqual((await stage.request(id)).shipmentId, null)
  assert.deepEqual(
    [...stage.lines].map(([scac, carrier]) => [scac, carrier.asked.length]),
    [
      ['HLCU', 1],
      ['MSCU', 2],
      ['MAEU', 1],
    ],
  )
  await stage.assertRebuilds()
})

test('selects the likelier of two lines that report a current trip', async (t) => {
  const stage = await openLines(t, ['ANNU', 'CMDU'])
  for (const scac of ['ANNU', 'CMDU'])
    stage.lines.get(scac)?.answers({ json: journey(`${scac}1`, 'sailed', [leased]) }, leased)
  const id = await stage.detect(leased)
  await stage.drain()
  assert.equal(await stage.line(id), 'CMDU')
  assert.deepEqual(asked(stage.lines), ['CMDU'])
})

test('fails, states this, and shows which lines were polled when no line knows the number', async (t) => {
  const stage = await openLines(t, ['MSCU', 'MAEU', 'CMDU', 'ONEY', 'EGLV'])
  const id = await stage.detect(leased)
  await stage.drain()
  const { status, failedReason } = await stage.request(id)
  assert.deepEqual([status, failedReason, await stage.line(id)], ['failed', 'scac_auto_detect_failed', null])
  assert.equal(asked(stage.lines).length, 6)
  const { line_search: search } = await stage.meta(id)
  assert.deepEqual(search.said_no, ['MSCU', 'MAEU', 'CMDU', 'HLCU', 'ONEY', 'EGLV'])
  assert.deepEqual(search.still_to_ask, [])
  assert.equal(search.detail, 'No polled line knows this number. If you know its line, name it.')
  assert.deepEqual(await stage.heard(), ['tracking_request.failed'])
  assert.equal((await stage.rows(outcomes)).length, 6, 'a box that no line knows is weak evidence against each')
  await stage.assertRebuilds()
})

test('ends the search after its retries if no line answers', async (t) => {
  const stage = await openLines(t, ['MSCU', 'MAEU'])
  for (const carrier of stage.lines.values()) carrier.answers({ status: 503, json: {} })
  const id = await stage.detect(leased)
  await stage.drain()
  const { line_search: search } = await stage.meta(id)
  assert.deepEqual([search.said_no, search.still_to_ask], [[], ['MSCU', 'MAEU', 'HLCU']])
  for (let looks = 0; looks < 60; looks += 1) await stage.nextLook()
  assert.equal((await stage.request(id)).failedReason, 'retries_exhausted')
  assert.deepEqual(await stage.rows(outcomes), [])
  await stage.assertRebuilds()
})

test('polls a line that bills each request only if the account allows it, and lists it as not polled', async (t) => {
  const stage = await openLines(t, ['MSCU', 'CMDU'])
  await stage.rows(`update credentials set profile = profile || '{"isBilled": true}'::jsonb where scac = 'CMDU'`)
  stage.lines.get('CMDU')?.answers({ json: journey('CMDU1', 'sailed', [leased]) }, leased)
  const id = await stage.detect(leased)
  await stage.drain()
  assert.equal((await stage.request(id)).failedReason, 'scac_auto_detect_failed')
  assert.deepEqual(asked(stage.lines), ['HLCU', 'MSCU'])
  const { line_search: search } = await stage.meta(id)
  assert.deepEqual(search.left_out, [{ scac: 'CMDU', because: 'billed' }])
  assert.match(search.detail ?? '', /Not polled: CMDU \(billed\)/)
  await setSearch(stage.service, stage.account, { linesMax: null, isBilledAllowed: true })
  const again = await stage.detect(leased)
  await stage.drain()
  assert.equal(await stage.line(again), 'CMDU')
  await stage.assertRebuilds()
})

test('an account sets its own limit of lines that are polled', async (t) => {
  const stage = await openLines(t, ['MSCU', 'MAEU', 'CMDU'])
  const other = await stage.newAccount()
  await setSearch(stage.service, stage.account, { linesMax: 2, isBilledAllowed: false })
  const id = await stage.detect(leased)
  await stage.drain()
  const { line_search: search } = await stage.meta(id)
  assert.deepEqual(search.said_no, ['MSCU', 'MAEU'])
  assert.deepEqual(search.left_out, [
    { scac: 'CMDU', because: 'limit' },
    { scac: 'HLCU', because: 'limit' },
  ])
  const ofOther = await stage.detect(leased, { as: other })
  await stage.drain()
  assert.equal((await stage.meta(ofOther, other)).line_search.said_no.length, 4)
  await assert.rejects(setSearch(stage.service, stage.account, { linesMax: 0, isBilledAllowed: false }), /from 1 to/)
  await stage.assertRebuilds()
})

test('does not poll a line to which only another account has access', async (t) => {
  const stage = await openLines(t, ['MSCU'])
  const other = await stage.newAccount()
  await stage.rows(`update credentials set account_id = $1 where scac = 'MSCU'`, [other.account.id])
  const id = await stage.detect(leased)
  await stage.drain()
  assert.deepEqual((await stage.meta(id)).line_search.said_no, ['HLCU'])
  assert.deepEqual(asked(stage.lines), ['HLCU'])
})

test('a line that asks for a pause does not delay the others, and is polled after the pause', async (t) => {
  const stage = await openLines(t, ['MSCU', 'MAEU'])
  await stage.rows(`update credentials set next_slot_at = '2026-02-01T01:00:00Z' where scac = 'MSCU'`)
  stage.lines.get('MSCU')?.answers({ json: journey('MEDUBILL1', 'sailed', [leased]) }, leased)
  const id = await stage.detect(leased)
  await stage.drain()
  assert.deepEqual(asked(stage.lines), [], 'its turn comes first')
  stage.clock.set(Date.parse('2026-02-01T00:02:01Z'))
  await stage.drain()
  assert.deepEqual(asked(stage.lines), ['HLCU', 'MAEU'])
  const { line_search: search } = await stage.meta(id)
  assert.deepEqual([search.said_no, search.still_to_ask], [['MAEU', 'HLCU'], ['MSCU']])
  while ((await stage.request(id)).status === 'pending') await stage.nextLook()
  assert.deepEqual([(await stage.request(id)).status, await stage.line(id)], ['created', 'MSCU'])
  assert.equal(stage.lines.get('MSCU')?.asked.length, 1)
  await stage.assertRebuilds()
})

test('fails a container as data_unavailable if the only line that knows the container has no trip of it', async (t) => {
  const stage = await openLines(t, ['MSCU'])
  await stage.rows(
    `update credentials set profile = jsonb_set(profile, '{notFound,emptyAnswer}', '"known_without_data"') where scac = 'MSCU'`,
  )
  stage.lines.get('MSCU')?.answers({ json: [] })
  const id = await stage.detect(leased)
  await stage.drain()
  const { status, failedReason } = await stage.request(id)
  assert.deepEqual(
    [status, failedReason, await stage.line(id)],
    ['failed', 'data_unavailable', 'MSCU'],
    asked(stage.lines).join(),
  )
  await stage.assertRebuilds()
})

test('does not count an unknown bill as evidence against any line', async (t) => {
  const stage = await openLines(t, [])
  const id = await stage.detect('HLCUSHA2601AB123', { type: 'bill_of_lading' })
  await stage.drain()
  assert.equal((await stage.request(id)).failedReason, 'scac_auto_detect_failed')
  assert.deepEqual(await stage.rows(outcomes), [])
})

test('skips a line that is down, polls it again, and finds the number then', async (t) => {
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

test('a line that never answers ends the search after its retries, not as a denial', async (t) => {
  const stage = await openLines(t, [])
  stage.carrier.answers({ status: 503, json: {} })
  const id = await stage.detect('HLCUSHA2601AB123', { type: 'bill_of_lading' })
  for (let looks = 0; looks < 20; looks += 1) await stage.nextLook()
  assert.equal((await stage.request(id)).failedReason, 'retries_exhausted')
  await stage.assertRebuilds()
})

test('accepts a request without a line to poll, which fails later', async (t) => {
  const stage = await openLines(t, [])
  await stage.rows(`update credentials set is_enabled = false`)
  const id = await stage.detect(leased)
  assert.equal((await stage.request(id)).status, 'pending')
  await stage.drain()
  assert.equal((await stage.request(id)).failedReason, 'scac_auto_detect_failed')
  assert.deepEqual(await stage.heard(), ['tracking_request.failed'])
  await stage.assertRebuilds()
})

test('a request for a number that is already tracked fails as a duplicate after the search', async (t) => {
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

test('the search continues at the same point when another process takes over', async (t) => {
  const stage = await openLines(t, ['MSCU', 'MAEU', 'CMDU'])
  const { takeDuePolls: takeLooks, pollCarrier: lookAt } = await import('../../../src/pipeline/polling/due-polls.ts')
  const { workTasks } = await import('../../../src/pipeline/polling/work-tasks.ts')
  const rules = readRules(stage.service.config)
  const id = await stage.detect(leased)
  // One poll and one task of a process that is killed afterwards.
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

test('infers the kind of number if it is not given', async (t) => {
  const stage = await openLines(t, [])
  const id = await stage.detect(leased, { type: null })
  const { type } = await stage.row<{ type: string }>(
    'select request_type as type from tracking_requests where id = $1',
    [id],
  )
  assert.equal(type, 'container')
})
