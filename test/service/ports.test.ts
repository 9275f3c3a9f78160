// The ports of a start are checked before anything is started.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { startSandbox } from '../../sandbox/server.ts'
import { readConfig } from '../../src/platform/config.ts'
import { sandboxPort } from '../../src/service/ground/choices.ts'
import { refuseTakenPorts } from '../../src/service/running/setup/ports.ts'
import { freePorts } from '../e2e/program.ts'

test('a sandbox that runs already may be shared, with its port for ships; anything else on them is in the way', async (t) => {
  const { api, sandbox } = await freePorts()
  const ships = (await freePorts()).api
  const config = readConfig({
    LANDFALL_SANDBOX: 'on',
    LANDFALL_PORT: String(api),
    LANDFALL_MCP_PORT: '0',
    LANDFALL_SANDBOX_PORT: String(sandbox),
    LANDFALL_SANDBOX_AIS_PORT: String(ships),
  })
  await refuseTakenPorts(config)
  const running = await startSandbox({
    port: sandbox,
    host: '127.0.0.1',
    seed: 1,
    epoch: Date.UTC(2026, 0, 1),
    now: () => Date.UTC(2026, 2, 1),
    nmeaPort: ships,
  })
  await refuseTakenPorts(config)
  await running.close()
  await occupy(t, ships)
  await assert.rejects(refuseTakenPorts(config), {
    message: `Port ${ships} of 127.0.0.1 is taken. LANDFALL_SANDBOX_AIS_PORT moves it.`,
  })
})

test('the sandbox stands beside the API unless its port is set', () => {
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
