// Traces, to an OTLP collector on loopback: the spans of one tracked shipment, from the request of a
// customer to the delivery at the receiver, over the threads of the process; and what spans must not contain.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { realClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config.ts'
import { attributeNames } from '../../src/platform/live-span.ts'
import { withSpan } from '../../src/platform/traces.ts'
import { startWorkers } from '../../src/server/workers.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openCarrier } from '../support/carrier.ts'
import { nameOf, openCollector, type Span, settingsFor, told, trace } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { serve } from '../support/loopback-server.ts'
import { connect, openTestMcp } from '../support/mcp.ts'
import { giveAccess, testSecret } from '../support/service.ts'
import { box, journey } from '../support/tracking-harness.ts'

const bill = 'HLCUSHA260100005'
const warmUp = 'HLCUSHA260100013'
const callerTrace = '0af7651916cd43dd8448eb211c80319c'
const callerSpan = 'b7ad6b7169203331'

async function trackOne(t: TestContext, env: Readonly<Record<string, string>>) {
  const startAt = new Date(realClock.now()).toISOString()
  const api = await openTestApi({
    startAt,
    env: {
      LANDFALL_SANDBOX: 'off',
      LANDFALL_SECRET: testSecret,
      LANDFALL_FOLD_THREADS: '1',
      LANDFALL_ALLOWED_NETWORKS: '127.0.0.0/8',
      ...env,
    },
  })
  t.after(() => api.close())
  const carrier = await openCarrier()
  t.after(() => carrier.close())
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  for (const number of [warmUp, bill]) carrier.answers({ json: journey(number, 'loaded') }, number)
  const heard: { event: string; headers: Readonly<Record<string, unknown>> }[] = []
  const receiver = await serve(t, (request, response) => {
    let text = ''
    request.on('data', (part) => {
      text += String(part)
    })
    request.on('end', () => {
      heard.push({ event: JSON.parse(text).data.event, headers: request.headers })
      response.writeHead(200).end()
    })
  })
  const create = (type: string, url: string, attributes: object, headers = {}) =>
    api.call({ method: 'POST', url, body: { data: { type, attributes } }, headers })
  const events = ['tracking_request.succeeded']
  await create('webhook', '/v2/webhooks', { url: `${receiver.url}hush-hook`, events })
  const inRealTime = {
    ...api.service,
    clock: realClock,
    journeyClock: () => ({ ...realClock, pace: () => 1 }),
  }
  const workers = startWorkers(inRealTime, {
    render: async ({ id, event }) => Buffer.from(JSON.stringify({ data: { id, event } })),
    folding: { database: api.databaseUrl, anchor: null, sandboxIsOn: false },
  })
  t.after(() => workers.stop())
  const track = (number: string, headers = {}) =>
    create(
      'tracking_request',
      '/v2/tracking_requests',
      { request_type: 'bill_of_lading', request_number: number, scac: 'HLCU' },
      headers,
    )
  // The thread starts with the first work, and listens before the notice that counts.
  await track(warmUp)
  await eventually(() => heard.length === 1)
  const traceparent = `00-${callerTrace}-${callerSpan}-01`
  const made = await track(bill, { traceparent })
  assert.equal(made.status, 201)
  await eventually(() => heard.length === 2)
  await workers.stop()
  return { api, made, heard, carrier }
}

test('a tracked shipment is one trace, from the request of the customer to the webhook delivery', async (t) => {
  const collector = await openCollector(t)
  const headers = 'x-key=hush%2Ckey'
  const env = settingsFor(collector, { OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_SERVICE_NAME: 'tracking' })
  const { close } = await trace(t, env)
  const { made, heard, api } = await trackOne(t, env)
  await close()
  const spans = collector.spans()
  const ours = spans.filter(({ traceId }) => traceId === callerTrace)
  assert.deepEqual(
    wayUp(
      ours,
      ours.find(({ name }) => name === 'delivery'),
    ),
    ['delivery', 'fold', 'hear', 'look', 'POST /v2/tracking_requests'],
  )
  const post = ours.find(({ name }) => name === 'POST /v2/tracking_requests')
  assert.equal(post?.parentSpanId, callerSpan)
  assert.deepEqual(told(post), {
    'http.request.method': 'POST',
    'http.route': '/v2/tracking_requests',
    'http.response.status_code': 201,
    'landfall.request_id': made.headers['x-request-id'],
  })
  const of = (name: string) => told(ours.find((each) => each.name === name))
  assert.equal(of('look')['landfall.who'], 'HLCU')
  assert.equal(of('look')['landfall.outcome'], 'found')
  assert.equal(of('delivery')['landfall.event'], 'tracking_request.succeeded')
  assert.equal(of('delivery')['http.response.status_code'], 200)
  const statements = ours.filter((each) => told(each)['db.system.name'] === 'postgresql')
  const above = new Set(statements.map(({ parentSpanId }) => nameOf(ours, parentSpanId)))
  assert.deepEqual(
    ['POST /v2/tracking_requests', 'look', 'fold', 'hear', 'delivery'].filter((name) => !above.has(name)),
    [],
    'each of them has statements',
  )
  const jobs = spans.filter(({ name }) => name.startsWith('work '))
  assert.ok(jobs.some(({ name }) => name === 'work events'))
  assert.ok(jobs.every(({ traceId }) => traceId !== callerTrace))
  for (const { path, headers } of collector.requests) {
    assert.equal(path, '/v1/traces')
    assert.equal(headers['x-key'], 'hush,key')
  }
  assert.match(collector.requests[0]?.body.toString() ?? '', /"service.name","value":\{"stringValue":"tracking"/)
  // Text that no span contains, and services that get no trace context.
  const all = collector.requests.map(({ body }) => body.toString('utf8')).join('\n')
  for (const hush of [bill, box, 'hush', api.key, 'King of the Seas', '127.0.0.1'])
    assert.ok(!all.includes(hush), `${hush} is in a span`)
  const keys = new Set(spans.flatMap((each) => Object.keys(told(each))))
  assert.deepEqual(
    [...keys].filter((key) => !attributeNames.some((name) => name === key)),
    [],
  )
  assert.equal(heard[0]?.headers['traceparent'], undefined)
  const line = api
    .logged()
    .findLast(({ event, route }) => event === 'request.answered' && route === '/v2/tracking_requests')
  assert.equal(line?.['trace_id'], callerTrace)
  assert.equal(line?.['span_id'], post?.spanId)
  const look = api.logged().findLast(({ event }) => event === 'look.finished')
  assert.equal(look?.['trace_id'], callerTrace)
})

function wayUp(spans: readonly Span[], span: Span | undefined): readonly string[] {
  if (span === undefined) return []
  return [
    span.name,
    ...wayUp(
      spans,
      spans.find(({ spanId }) => spanId === span.parentSpanId),
    ),
  ]
}

test('a tool call of an agent is a span of its request, and a refusal is its outcome', async (t) => {
  const collector = await openCollector(t)
  const { close } = await trace(t, settingsFor(collector))
  const api: TestApi = await openTestApi()
  t.after(() => api.close())
  const mcp = await openTestMcp(api)
  t.after(() => mcp.close())
  const client = await connect(mcp.url, { authorization: `Token ${api.key}` })
  await client.callTool({ name: 'get_container', arguments: { id: '01890000-0000-7000-8000-000000000000' } })
  await client.close()
  await close()
  const spans = collector.spans()
  const tool = spans.find(({ name }) => name === 'tool get_container')
  assert.equal(told(tool)['landfall.outcome'], 'not_found')
  assert.equal(nameOf(spans, tool?.parentSpanId), 'POST /')
  assert.ok(spans.some(({ parentSpanId, kind }) => parentSpanId === tool?.spanId && kind === 3))
})

test('probes have no spans, the span of an unknown address has no path, and 5xx is an error', async (t) => {
  const collector = await openCollector(t)
  const { close } = await trace(t, settingsFor(collector))
  const api = await openTestApi({
    plant: (app) => {
      app.get('/crash', { config: { isOpen: true } }, async () => {
        throw new Error('hush')
      })
    },
  })
  t.after(() => api.close())
  for (const url of ['/healthz', '/readyz', '/metrics', '/hush-hush']) await api.app.inject({ url })
  await api.app.inject({ url: '/crash', headers: { traceparent: 'no trace at all' } })
  await close()
  const spans = collector.spans().filter(({ kind }) => kind === 2)
  assert.deepEqual(
    spans.map((each) => [each.name, told(each)['http.response.status_code'], each.status.code]),
    [
      ['GET none', 404, 0],
      ['GET /crash', 500, 2],
    ],
  )
  assert.ok(!collector.requests.some(({ body }) => body.includes('hush')))
})

test('the samplers sample as OpenTelemetry defines', async (t) => {
  const runs: readonly (readonly [Readonly<Record<string, string>>, number])[] = [
    [{}, 2],
    [{ OTEL_TRACES_SAMPLER: 'always_on' }, 3],
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, 0],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, 1],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, 0],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, 1],
    [{ OTEL_SDK_DISABLED: 'true' }, 0],
    [{ OTEL_TRACES_EXPORTER: 'none' }, 0],
  ]
  for (const [env, count] of runs) {
    const collector = await openCollector(t)
    const { close } = await trace(t, settingsFor(collector, env))
    const start = (parent: string | null) => () => ({ attributes: {}, parent })
    for (const parent of [null, `00-${callerTrace}-${callerSpan}-01`, `00-${callerTrace}-${callerSpan}-00`])
      await withSpan('work', start(parent), async () => {})
    await close()
    assert.equal(collector.spans().length, count, JSON.stringify(env))
  }
})

test('the spans are sent as protobuf by default', async (t) => {
  const collector = await openCollector(t)
  const { close } = await trace(t, { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` })
  await withSpan(
    'outer',
    () => ({ attributes: { 'landfall.jobs': 7 } }),
    () =>
      withSpan(
        'inner',
        () => ({ attributes: {} }),
        async () => {},
      ),
  )
  await close()
  const [sent] = collector.requests
  assert.equal(sent?.path, '/v1/traces')
  assert.equal(sent?.headers['content-type'], 'application/x-protobuf')
  // trace.proto: TracesData.resource_spans 1, ResourceSpans.scope_spans 2, ScopeSpans.spans 2.
  const spans = fieldsOf(sent?.body ?? Buffer.alloc(0), 1)
    .flatMap((each) => fieldsOf(each, 2))
    .flatMap((each) => fieldsOf(each, 2))
  // Span: trace_id 1, span_id 2, parent_span_id 4, name 5.
  const read = spans.map((each) => [1, 2, 4, 5].map((field) => fieldsOf(each, field)[0]))
  const [inner, outer] = read
  assert.deepEqual(
    read.map(([, , , name]) => name?.toString()),
    ['inner', 'outer'],
  )
  assert.deepEqual(inner?.[0], outer?.[0])
  assert.deepEqual(inner?.[2], outer?.[1])
})

/** The values of one field of a protobuf message, those with a length alone. */
function fieldsOf(message: Buffer, wanted: number): readonly Buffer[] {
  const found: Buffer[] = []
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = message[at] ?? 0
      at += 1
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const tag = varint()
    const [field, wire] = [Math.floor(tag / 8), tag % 8]
    if (wire === 0) varint()
    else if (wire === 1) at += 8
    else if (wire === 5) at += 4
    else {
      const length = varint()
      if (field === wanted) found.push(message.subarray(at, at + length))
      at += length
    }
  }
  return found
}

test('an unavailable collector does not stop the work, and lost spans are logged once and at the end', async (t) => {
  const collector = await openCollector(t)
  collector.answers = 503
  const lines: string[] = []
  const { close } = await trace(t, settingsFor(collector), lines)
  const work = () =>
    withSpan(
      'work',
      () => ({ attributes: {} }),
      async () => 'done',
    )
  for (let made = 0; made < 2_000; made += 1) assert.equal(await work(), 'done')
  await close()
  const entries = lines.map((line) => JSON.parse(line))
  assert.deepEqual(
    entries.map(({ event, why }) => [event, why]),
    [
      ['traces.lost', 'the collector answers 503'],
      ['traces.lost', 'the collector answers 503'],
    ],
  )
  assert.equal(
    entries.reduce((all, { spans }) => all + spans, 0),
    2_000,
  )
})

test('an error in a span is thrown on, and the span records its kind but never its text', async (t) => {
  const collector = await openCollector(t)
  const { close } = await trace(t, settingsFor(collector))
  const fail = Object.assign(new Error(`hush ${bill}`), { code: '23505' })
  await assert.rejects(
    withSpan(
      'work',
      () => ({ attributes: {} }),
      () => Promise.reject(fail),
    ),
    /hush/,
  )
  await close()
  const [failed] = collector.spans()
  assert.equal(failed?.status.code, 2)
  assert.equal(told(failed)['error.type'], '23505')
  assert.ok(!collector.requests[0]?.body.includes('hush'))
})

test('an invalid setting prevents the start, and is named without its value', () => {
  const wrong = [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hush'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'key=%hush'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_SDK_DISABLED', 'hush'],
  ] as const
  for (const [name, value] of wrong)
    assert.throws(
      () => readConfig({ [name]: value }),
      ({ message }: Error) => message.startsWith(`${name} accepts `) && !message.includes('hush'),
      name,
    )
})

test('the page about traces explains every attribute', () => {
  const page = readFileSync('docs/operating.md', 'utf8')
  assert.deepEqual(
    attributeNames.filter((name) => !page.includes(`\`${name}\``)),
    [],
  )
})
