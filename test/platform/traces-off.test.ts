// Without a collector there are no traces, and they cost nothing: no file of the library is loaded, whatever the process
// does, and nothing is wrapped. A process of its own, because a library that another test has loaded stays loaded.
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { type TestContext, test } from 'node:test'

const wanted: string[] = []
registerHooks({
  resolve: (name, context, next) => {
    // The client of Prometheus looks at the interfaces (`api`) by itself. They do nothing without the rest.
    const isOurs = context.parentURL?.includes('/prom-client/') !== true
    if (name.startsWith('@opentelemetry/') && isOurs) wanted.push(name)
    return next(name, context)
  },
})

const bill = 'HLCUSHA260100005'

async function trackOne(t: TestContext) {
  // Loaded only now, so that the hook sees what they load.
  const { openStage, journey } = await import('../support/tracking-harness.ts')
  const { createApiApp } = await import('../../src/server/app.ts')
  const { startWorkers } = await import('../../src/server/workers.ts')
  const { realClock } = await import('../../src/platform/clock.ts')
  const { eventually } = await import('../support/eventually.ts')
  const startAt = new Date(realClock.now()).toISOString()
  const stage = await openStage(t, { startAt, env: { LANDFALL_SANDBOX: 'off' } })
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  const app = await createApiApp(stage.service)
  await app.inject({
    url: '/v2/shipments',
    headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
  })
  await app.close()
  const clocks = { clock: realClock, journeyClock: () => ({ ...realClock, pace: () => 1 }) }
  const workers = startWorkers({ ...stage.service, ...clocks }, { render: async () => Buffer.from('{}') })
  t.after(() => workers.stop())
  const id = await stage.track(bill)
  await eventually(async () => (await stage.request(id)).status === 'created')
  await workers.stop()
  return stage
}

test('without a collector, no file of OpenTelemetry is loaded and the database pool is not wrapped', async (t) => {
  const { readConfig } = await import('../../src/platform/config.ts')
  const { isTracing, openSpan, openTraces } = await import('../../src/platform/traces.ts')
  const config = readConfig({ OTEL_SERVICE_NAME: 'landfall' })
  const stage = await trackOne(t)
  await openTraces(config, stage.service.log)
  assert.equal(isTracing(), false)
  const start = (): never => {
    throw new Error('nobody asks what a span would say')
  }
  assert.equal(openSpan('work', start), null)
  assert.deepEqual(wanted, [])
  assert.equal(Object.hasOwn(stage.service.pool, 'query'), false)
  assert.ok(stage.logged().length > 0)
  assert.ok(stage.logged().every((line) => !('trace_id' in line)))
})

test('with a collector, the OpenTelemetry library is loaded', async () => {
  const { readConfig } = await import('../../src/platform/config.ts')
  const { createLog } = await import('../../src/platform/log.ts')
  const { openTraces } = await import('../../src/platform/traces.ts')
  const close = await openTraces(
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }),
    createLog({ level: 'silent' }),
  )
  await close()
  assert.ok(wanted.includes('@opentelemetry/sdk-trace'))
})
