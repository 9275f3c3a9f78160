// The ports of a start are checked before anything is started.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { startSandbox } from '../../sandbox/server.ts'
import { sandboxPort } from '../../src/modules/derived-settings.ts'
import { readConfig } from '../../src/platform/config.ts'
import { refuseOccupiedPorts } from '../../src/server/occupied-ports.ts'
import { freePorts } from '../e2e/program.ts'

test('a running sandbox may be shared with its AIS port; any other program on these ports prevents the start', async (t) => {
  const { api, sandbox } = await freePorts()
  const ships = (await freePorts()).api
  const config = readConfig({
    LANDFALL_SANDBOX: 'on',
    LANDFALL_PORT: String(api),
    LANDFALL_MCP_PORT: '0',
    LANDFALL_SANDBOX_PORT: String(sandbox),
    LANDFALL_SANDBOX_AIS_PORT: String(ships),
  })
  await refuseOccupiedPorts(config)
  const running = await startSandbox({
    port: sandbox,
    host: '127.0.0.1',
    seed: 1,
    epoch: Date.UTC(2026, 0, 1),
    now: () => Date.UTC(2026, 2, 1),
    nmeaPort: ships,
  })
  await refuseOccupiedPorts(config)
  await running.close()
  await occupy(t, ships)
  await assert.rejects(refuseOccupiedPorts(config), ({ message }: Error) => {
    const [fault, offer = '', ...more] = message.split('\n')
    assert.equal(fault, `Port ${ships} of 127.0.0.1 is in use. Set LANDFALL_SANDBOX_AIS_PORT to another port.`)
    assert.match(offer, /^Free at this moment: LANDFALL_SANDBOX_AIS_PORT=\d+$/)
    return more.length === 0
  })
})

test('all occupied and duplicate ports are reported together, and the suggested settings work', async (t) => {
  const [first, other] = [await freePorts(), await freePorts()]
  const metrics = other.api
  for (const port of [first.api, first.sandbox, metrics]) await occupy(t, port)
  const env = {
    LANDFALL_SANDBOX: 'on',
    LANDFALL_PORT: String(first.api),
    LANDFALL_MCP_PORT: String(first.api),
    LANDFALL_SANDBOX_PORT: String(first.sandbox),
    LANDFALL_METRICS_PORT: String(metrics),
  }
  const message = await refusal(env)
  const offer = message.split('\n').at(-1) ?? ''
  assert.deepEqual(message.split('\n').slice(0, -1), [
    `LANDFALL_PORT and LANDFALL_MCP_PORT are both ${first.api}. Change one of them.`,
    `Port ${first.api} of 127.0.0.1 is in use. Set LANDFALL_PORT to another port.`,
    `Port ${first.api} of 127.0.0.1 is in use. Set LANDFALL_MCP_PORT to another port.`,
    `Port ${metrics} of 127.0.0.1 is in use. Set LANDFALL_METRICS_PORT to another port.`,
    `Port ${first.sandbox} of 127.0.0.1 is in use. Set LANDFALL_SANDBOX_PORT to another port.`,
  ])
  const offered = settingsIn(offer)
  assert.deepEqual(Object.keys(offered).sort(), [
    'LANDFALL_MCP_PORT',
    'LANDFALL_METRICS_PORT',
    'LANDFALL_PORT',
    'LANDFALL_SANDBOX_PORT',
  ])
  await refuseOccupiedPorts(readConfig({ ...env, ...offered }))
})

test('the suggested API port leaves a free port for the sandbox', async (t) => {
  const { api } = await freePorts()
  // The first port that would be suggested, and the one that its sandbox would have.
  await occupy(t, api)
  await occupy(t, api + 12)
  const env = { LANDFALL_SANDBOX: 'on', LANDFALL_PORT: String(api), LANDFALL_MCP_PORT: '0' }
  const offered = settingsIn(await refusal(env))
  assert.notEqual(offered['LANDFALL_PORT'], String(api + 10))
  assert.deepEqual(Object.keys(offered), ['LANDFALL_PORT'])
  await refuseOccupiedPorts(readConfig({ ...env, ...offered }))
})

async function refusal(env: Readonly<Record<string, string>>): Promise<string> {
  const refused = await refuseOccupiedPorts(readConfig(env)).then(
    () => null,
    (error: Error) => error.message,
  )
  assert.ok(refused !== null, 'it was not refused')
  return refused
}

function settingsIn(text: string): Readonly<Record<string, string>> {
  const offer = /^Free at this moment: (.+)$/m.exec(text)?.[1] ?? ''
  return Object.fromEntries(offer.split(' ').map((each) => each.split('=') as [string, string]))
}

test('the sandbox port is next to the API port unless it is set', () => {
  const portOf = (env: Readonly<Record<string, string>>) => sandboxPort(readConfig(env))
  assert.equal(portOf({}), 3002)
  assert.equal(portOf({ LANDFALL_PORT: '8080' }), 8082)
  assert.equal(portOf({ LANDFALL_PORT: '65534' }), 65_532)
  assert.equal(portOf({ LANDFALL_PORT: '8080', LANDFALL_SANDBOX_PORT: '3002' }), 3002)
})

async function occupy(t: TestContext, port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
}
