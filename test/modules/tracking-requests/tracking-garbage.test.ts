// Data from a line that is not an answer: it is stored, classified, visible and polled again, and never changes a
// shipment.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { getTrackingRequest } from '../../../src/modules/tracking-requests/get-tracking-request.ts'
import { listAttempts } from '../../../src/modules/tracking-requests/list-attempts.ts'
import type { Answer } from '../../support/carrier.ts'
import { serve, serveRaw } from '../../support/loopback-server.ts'
import { atScale } from '../../support/scale.ts'
import { box, event, journey, openStage, otherBox, type Stage } from '../../support/tracking-harness.ts'

const bill = 'HLCUSHA260100002'

const garbage: readonly { readonly what: string; readonly answer: Answer; readonly issue: string }[] = [
  {
    what: 'a login page with status 200',
    answer: { text: '<html><form><input type="password" name="p"></form>Sign in</html>' },
    issue: 'login_page',
  },
  { what: 'a web page', answer: { text: '<!doctype html><title>Maintenance</title>' }, issue: 'not_json' },
  {
    what: 'truncated JSON',
    answer: { text: JSON.stringify(journey(bill, 'loaded')).slice(0, 900), contentType: 'application/json' },
    issue: 'truncated_body',
  },
  { what: 'an empty body', answer: { text: '', contentType: 'application/json' }, issue: 'empty_answer' },
  { what: 'an object without events', answer: { json: { ok: true } }, issue: 'wrong_structure' },
]

for (const { what, answer, issue } of garbage) {
  test(`stores and classifies ${what}, shows it on the request and polls again`, async (t) => {
    const stage = await openStage(t)
    stage.carrier.answers(answer)
    const id = await stage.track(bill)
    await stage.drain()
    assert.deepEqual(await stage.request(id), {
      status: 'pending',
      failedReason: 'unrecognized_response',
      isRetrying: true,
      retryCount: 1,
      shipmentId: null,
    })
    const stored = await stage.row<{ body: Buffer }>('select body from snapshots')
    assert.equal(stored.body.toString(), 'text' in answer ? answer.text : JSON.stringify(answer.json))
    const look = await stage.row<{ outcome: string; detail: string }>('select outcome, detail from looks')
    assert.equal(look.outcome, 'unrecognized')
    const issues = await stage.rows<{ kind: string }>('select kind from issues')
    assert.deepEqual(
      issues.map(({ kind }) => kind),
      [issue],
    )
    assert.deepEqual(await stage.rows('select 1 from claims'), [])
    await stage.nextLook()
    assert.equal((await stage.request(id)).retryCount, 2, 'the same bytes again are another failure')
    assert.equal((await stage.rows('select 1 from snapshots')).length, 1, 'the same bytes are kept once')
    stage.carrier.answers({ json: journey(bill, 'loaded') })
    await stage.nextLook()
    assert.partialDeepStrictEqual(await stage.request(id), {
      status: 'created',
      failedReason: null,
      isRetrying: false,
    })
  })
}

test('never uses data of another container for the requested one', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'sailed', [otherBox]) })
  const id = await stage.track(box, { type: 'container' })
  await stage.drain()
  assert.partialDeepStrictEqual(await stage.request(id), {
    status: 'pending',
    failedReason: 'unrecognized_response',
  })
  assert.deepEqual(await stage.rows('select 1 from claims'), [])
  assert.deepEqual(await stage.rows('select 1 from shipments'), [])
  const issues = await stage.rows<{ kind: string }>('select kind from issues')
  assert.ok(issues.some(({ kind }) => kind === 'other_container'))
})

test("another bill's answer creates no shipment; the attempt states this, and the bill is polled again", async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey('HLCUSHA260199999', 'sailed', [box, otherBox]) })
  const id = await stage.track(bill)
  await stage.drain()
  assert.deepEqual(await stage.request(id), {
    status: 'pending',
    failedReason: 'unrecognized_response',
    isRetrying: true,
    retryCount: 1,
    shipmentId: null,
  })
  for (const table of ['claims', 'shipments', 'containers'])
    assert.deepEqual(await stage.rows(`select 1 from ${table}`), [], table)
  assert.deepEqual(await stage.rows('select kind from issues'), [{ kind: 'other_document' }])
  const page = { number: 1, size: 10 }
  const [attempt] = (await listAttempts(stage.service, stage.account, { id, page })).rows
  assert.equal(attempt?.outcome, 'other_number')
  assert.equal(attempt?.next.kind, 'retry')
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.nextLook()
  assert.equal((await stage.request(id)).status, 'created')
})

test("a shipment under way is not changed by another bill's answer", async (t) => {
  const stage = await openStage(t, { profile: { isFullPicture: true } })
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  const before = await served(stage)
  stage.carrier.answers({ json: journey('HLCUSHA260199999', 'arrived', [otherBox]) })
  await stage.nextLook()
  await stage.nextLook()
  assert.deepEqual(await served(stage), before)
})

test('stores only the beginning of an answer of 100 MB, and polls the request again', async (t) => {
  const stage = await openStage(t)
  const chunk = Buffer.alloc(1_000_000, 'x')
  const { url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('["')
    let left = 100
    const more = (): void => {
      while (left > 0) {
        left -= 1
        if (!response.write(chunk)) return void response.once('drain', more)
      }
      response.end('"]')
    }
    more()
  })
  await stage.rows(`update credentials set profile = jsonb_set(profile, '{base}', $1)`, [
    JSON.stringify(url.slice(0, -1)),
  ])
  const id = await stage.track(bill)
  await stage.drain()
  assert.partialDeepStrictEqual(await stage.request(id), {
    failedReason: 'unrecognized_response',
    isRetrying: true,
  })
  const { bytes } = await stage.row<{ bytes: number }>('select octet_length(body) as bytes from snapshots')
  assert.ok(bytes < 70_000, `${bytes} bytes kept`)
})

test('treats no connection, a broken answer and silence as an unreachable line', async (t) => {
  const stage = await openStage(t)
  const closed = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => closed.once('listening', done))
  const { port } = closed.address() as { port: number }
  await new Promise((done) => closed.close(done))
  const broken = await serveRaw(t, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[{"a'))
  const silent = await serveRaw(t, () => {})
  const id = await stage.track(bill)
  let retries = 0
  for (const [base, reason] of [
    [`http://127.0.0.1:${port}`, 'network'],
    [broken, 'network'],
    [silent, 'timeout'],
  ] as const) {
    await stage.rows(`update credentials set profile = profile || $1`, [
      JSON.stringify({ base: base.replace(/\/$/, ''), timeoutMs: 300 }),
    ])
    await stage.nextLook()
    retries += 1
    assert.partialDeepStrictEqual(await stage.request(id), {
      failedReason: 'shipping_line_unreachable',
      retryCount: retries,
    })
    const [look] = await stage.rows<{ detail: string }>('select detail from looks order by id desc limit 1')
    assert.match(look?.detail ?? '', new RegExp(`^${reason}`))
  }
})

test('a redirect is not followed', async (t) => {
  const stage = await openStage(t)
  let visited = 0
  const { url } = await serve(t, (_request, response) => {
    visited += 1
    response.end('[]')
  })
  stage.carrier.answers({ status: 302, text: '', headers: { location: url } })
  const id = await stage.track(bill)
  await stage.drain()
  assert.partialDeepStrictEqual(await stage.request(id), {
    failedReason: 'unrecognized_response',
    isRetrying: true,
  })
  assert.equal(visited, 0)
})

test('pauses the whole line for the Retry-After of a 429, and the waiting requests show it', async (t) => {
  const stage = await openStage(t)
  const now = stage.clock.now()
  stage.carrier.answers({ status: 429, text: 'slow down', headers: { 'retry-after': '2400' } })
  const id = await stage.track(bill)
  await stage.drain()
  assert.equal((await stage.request(id)).failedReason, 'shipping_line_unreachable')
  const another = await stage.track('HLCUSHA260100099')
  await stage.drain()
  assert.equal((await stage.request(another)).status, 'pending')
  assert.equal(stage.carrier.asked.length, 1)
  const until = new Date(now + 2_400_000).toISOString()
  assert.deepEqual(await leftAloneUntil(stage, [id, another]), [until, until])
  stage.clock.advance(2_399_000)
  await stage.drain()
  assert.equal(stage.carrier.asked.length, 1)
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  await stage.pass(1)
  assert.equal(stage.carrier.asked.length, 3)
  assert.equal((await stage.request(id)).status, 'created')
  assert.deepEqual(await leftAloneUntil(stage, [id, another]), [null, null])
})

test('retries a line after a few hours, even if its Retry-After asks for years', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ status: 429, text: 'slow down', headers: { 'retry-after': '999999999' } })
  const id = await stage.track(bill)
  await stage.drain()
  const waitedHours = [await stage.nextLook(), await stage.nextLook(), await stage.nextLook()]
  assert.deepEqual(waitedHours, [1, 2, 4])
  assert.equal(stage.carrier.asked.length, 4)
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  await stage.nextLook()
  assert.equal((await stage.request(id)).status, 'created')
  assert.deepEqual(await stage.rows('select refusals, left_alone_until from credentials where scac = $1', ['HLCU']), [
    { refusals: 0, left_alone_until: null },
  ])
  const sent = stage.logged().filter(({ event }) => event === 'line.left_alone')
  assert.equal(sent.length, 4)
})

function leftAloneUntil(stage: Stage, ids: readonly string[]): Promise<readonly (string | null)[]> {
  return Promise.all(
    ids.map(async (id) => (await getTrackingRequest(stage.service, stage.account, { id })).lineLeftAloneUntil),
  )
}

/** Everything that is served about the shipment, without the time of the last question. */
async function served(stage: Stage): Promise<unknown> {
  return {
    shipments: await stage.rows('select * from shipments'),
    containers: await stage.rows('select * from containers order by id'),
    milestones: await stage.rows('select * from transport_events order by id'),
    claims: await stage.rows('select * from claims order by id'),
    events: await stage.heard(),
    requests: await stage.rows('select * from tracking_requests'),
    ledger: await stage.rows('select * from ledger order by position'),
  }
}

test('failing polls change nothing on a tracked shipment, and recovery sends no event', async (t) => {
  const stage = await openStage(t, { profile: { isFullPicture: true } })
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  const before = await served(stage)
  const failures: readonly Answer[] = [
    ...garbage.map(({ answer }) => answer),
    { status: 500, text: 'oops' },
    { status: 429, text: '', headers: { 'retry-after': '60' } },
    { status: 401, json: { error: 'expired key' } },
    { status: 302, text: '', headers: { location: 'http://127.0.0.1:1/' } },
  ]
  for (const answer of failures) {
    stage.carrier.answers(answer)
    await stage.nextLook()
    assert.deepEqual(await served(stage), before)
  }
  const looks = await stage.rows<{ outcome: string; detail: string }>('select outcome, detail from looks order by id')
  assert.deepEqual(
    looks.map(({ detail }) => detail),
    ['found', ...garbage.map(() => 'unrecognized'), 'unreachable', 'unreachable', 'access_denied', 'unrecognized'],
  )
  const subject = await stage.row<{ failures: number; ok: string; tried: string }>(
    'select failures, last_succeeded_at as ok, last_attempted_at as tried from subjects',
  )
  assert.equal(subject.failures, failures.length)
  assert.ok(subject.tried > subject.ok)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.nextLook()
  assert.deepEqual(await served(stage), before, 'the line is back with what it said before: nothing is announced')
  assert.equal((await stage.row<{ failures: number }>('select failures from subjects')).failures, 0)
})

test('a number that is suddenly not found does not change a shipment under way', async (t) => {
  const stage = await openStage(t, { profile: { isFullPicture: true } })
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  const id = await stage.track(bill)
  await stage.drain()
  const eventNames = await stage.heard()
  stage.carrier.answers({ status: 404, json: { statusCode: 404, errors: [] } })
  await stage.nextLook()
  await stage.nextLook()
  assert.equal((await stage.request(id)).status, 'created')
  assert.deepEqual(await stage.heard(), eventNames)
  assert.deepEqual(await stage.rows('select 1 from claims where retired_at is not null'), [])
})

test('NUL characters, lone surrogates and endless strings in an answer do no harm', async (t) => {
  const stage = await openStage(t)
  const sent = journey(bill, 'sailed').map((each, index) => ({
    ...each,
    eventID: index === 0 ? 'a\u0000b\ud800' : index === 1 ? 'x'.repeat(100_000) : each['eventID'],
    eventLocation: {
      locationName: `Shang\u0000hai \udfff${'y'.repeat(50_000)}`,
      UNLocationCode: index === 2 ? 'CN\u0000HG' : 'CNSHG',
    },
    changeRemark: '\u0000',
    '\u0000key': '\u0000',
    delayReasonCode: '\ud800',
  }))
  stage.carrier.answers({ text: JSON.stringify(sent), contentType: 'application/json' })
  const id = await stage.track(bill)
  await stage.drain()
  assert.equal((await stage.request(id)).status, 'created')
  assert.deepEqual(
    stage.logged().filter(({ event: name }) => name === 'job.failed'),
    [],
  )
  assert.ok((await stage.rows('select 1 from issues')).length > 0)
  assert.deepEqual(await stage.rows('select 1 from tasks'), [])
})

test('strange values in every field of an answer never stop the pipeline', async (t) => {
  const stage = await openStage(t)
  const [pattern] = journey(bill, 'loaded')
  const oddities: readonly unknown[] = [
    '\u0000',
    '\ud83d',
    '',
    null,
    0,
    -1e308,
    true,
    [],
    {},
    [['\u0000']],
    '9'.repeat(10_000),
  ]
  const fields = [...Object.keys(pattern ?? {}), 'seals', 'isRetracted', 'retractedEventID', 'metadata', 'payload']
  const sent = fields.flatMap((field, row) =>
    oddities.map((value, column) => ({
      ...pattern,
      eventID: `00000000-0000-4000-8000-${String(row * 100 + column).padStart(12, '0')}`,
      [field]: value,
    })),
  )
  stage.carrier.answers({ json: [...sent, ...oddities, ...journey(bill, 'sailed')] })
  const id = await stage.track(bill)
  await stage.drain()
  assert.equal((await stage.request(id)).status, 'created')
  assert.deepEqual(
    stage.logged().filter(({ event: name }) => name === 'job.failed'),
    [],
  )
})

test('ingests an answer of thousands of events', async (t) => {
  const stage = await openStage(t)
  const sent = Array.from({ length: atScale(10_000, 2_000) }, (_, index) =>
    event({
      told: index + 1,
      bill,
      code: 'ARRI',
      classifier: 'EST',
      place: 'USLAX',
      at: new Date(Date.UTC(2026, 0, 22) + index * 60_000).toISOString(),
    }),
  )
  stage.carrier.answers({ json: sent })
  const id = await stage.track(bill)
  await stage.drain()
  assert.equal((await stage.request(id)).status, 'created')
  assert.deepEqual(
    stage.logged().filter(({ event: name }) => name === 'job.failed'),
    [],
  )
})
