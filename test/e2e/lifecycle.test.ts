/**
 * Start and stop of the program: it stops without leaving anything behind, starts again with all it had, shares a
 * machine and a data folder, and explains why it cannot start.
 */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { isProcessAlive } from '../../src/platform/process-holds.ts'
import { eventually } from '../support/eventually.ts'
import { landfall } from './landfall.ts'
import { attributesOf, authorize, type Door, get, printedLines, track } from './newcomer.ts'
import { openDataFolder } from './prepared-folder.ts'
import { freePorts, makeDataFolder, type Ports, startProgram, withoutThreads } from './program.ts'

/** Only a hang takes this long. */
const leftBehindMs = 120_000
/** The sandbox catches up with the real clock before the first request. */
const speed = { ...withoutThreads, LANDFALL_SANDBOX_SPEED: '10000000' }
const builtIn = { request_type: 'bill_of_lading', request_number: 'TEST-TR-SUCCEEDED', scac: 'TEST' }

/** Starts are slow: each of these tests several things, and one installation is stopped and started in all ways. */
test('one installation is stopped, restarted and reconfigured in every supported way', async (t) => {
  const own = await openDataFolder()
  t.after(() => own.remove())
  const another = await openDataFolder()
  t.after(() => another.remove())
  const ports = await freePorts()
  const landfall = openLandfall(own.path)
  let created = ''
  /** Of the sandbox account and of the account for carriers, as their first starts printed them. */
  let sandboxKey = ''
  let carriersKey = ''

  await t.test('npm ends on SIGTERM after all its processes have ended', async () => {
    const first = await begin(own.path, { ports, isByNpm: true })
    sandboxKey = first.key
    assert.equal(shownBy(first), first.key, 'the first start shows the key that it makes')
    created = await track(first, builtIn)
    const children = descendantsOf(first.program.pid)
    assert.ok(children.length > 2, 'it has a server and a sandbox')
    assert.deepEqual(await endByNpm(first, 'SIGTERM'), { code: 0, isLeft: false })
    await assertEnded(own.path, first, children)
  })

  await t.test(
    'after a switch from the sandbox to real carriers, a new account with its own key is created',
    async () => {
      const begun = await begin(own.path, { ports, env: { LANDFALL_SANDBOX: 'off' } })
      carriersKey = begun.key
      assert.equal(shownBy(begun), begun.key)
      assert.notEqual(carriersKey, sandboxKey)
      assert.equal(await begun.program.kill('SIGTERM'), 0)
      assert.match(begun.program.stdout(), /"event":"server.stopped"\}\n$/)
    },
  )

  await t.test('the sandbox account has the same key and data when the sandbox is switched on again', async () => {
    const begun = await begin(own.path, { ports })
    assert.equal(begun.key, sandboxKey)
    assert.equal((await get(begun, `/v2/tracking_requests/${created}`)).data.id, created)
    assert.equal(shownBy(begun), null, 'a key is shown once')
    assert.match(begun.program.stderr(), /^The first API key is in .*first-api-key$/m)
    for (const account of ['Sandbox', 'My company'])
      assert.equal((await landfall('keys', 'list', '--account', account)).trim().split('\n').length, 1)
    const children = childrenOf(begun.program.pid)
    assert.ok(children.length > 0, 'it has a sandbox')
    const [id = ''] = (await landfall('keys', 'list', '--account', 'Sandbox')).split(' ')
    await landfall('keys', 'delete', id, '--account', 'Sandbox')
    assert.equal(await begun.program.kill('SIGTERM'), 0)
    assert.match(begun.program.stdout(), /"event":"server.stopped"\}\n$/)
    await assertEnded(own.path, begun, children)
  })

  await t.test(
    'without its secret file neither the service nor a command runs, and the error names the file',
    async () => {
      const secret = join(own.path, 'secret')
      renameSync(secret, `${secret}.away`)
      const refused = startProgram({ dataFolder: own.path, ports, env: speed })
      assert.equal(await refused.exited, 1)
      assert.match(
        refused.stderr(),
        new RegExp(`^Landfall did not start\\. The secret is missing: there is no ${secret}`, 'm'),
      )
      assert.equal(findPostmaster(own.path), null)
      await assert.rejects(landfall('keys', 'list'), /The secret is missing/)
      assert.ok(!existsSync(secret))

      renameSync(`${secret}.away`, secret)
      renameSync(join(own.path, 'postgres'), join(own.path, 'postgres.away'))
      const empty = startProgram({ dataFolder: own.path, ports, env: speed })
      assert.equal(await empty.exited, 1)
      assert.match(empty.stderr(), /^Landfall did not start\. The database is missing: there is none in /m)
      renameSync(join(own.path, 'postgres.away'), join(own.path, 'postgres'))
    },
  )

  await t.test('the service starts with the restored secret file, and the API key is the same', async () => {
    const begun = await begin(own.path, { ports, env: { LANDFALL_SANDBOX: 'off' } })
    assert.equal(begun.key, carriersKey)
    assert.equal(await begun.program.kill('SIGTERM'), 0)
  })

  const { api } = await freePorts()
  const [one, other] = await Promise.all([
    begin(own.path, { ports, isByNpm: true }),
    begin(another.path, { ports: { api, sandbox: null } }),
  ])
  let made = ''

  await t.test('a deleted first key is not replaced, and a command creates a new one', async () => {
    assert.equal(shownBy(one), null)
    const again = /npm run landfall -- keys create "My key" \\\n +--account (\S+)/.exec(one.program.stderr())
    assert.ok(again, one.program.stderr())
    assert.doesNotMatch(one.program.stderr(), /curl/)
    made = (await landfall('keys', 'create', 'My key', '--account', again[1] ?? '')).trim()
    const ask = async (key: string) =>
      (await fetch(`${one.program.apiUrl}/v2/shipments`, { headers: authorize(key) })).status
    assert.deepEqual([await ask(sandboxKey), await ask(made)], [401, 200])
  })

  await t.test(
    'two copies run side by side, each with its own key, sandbox and data; sandbox ports follow the API port',
    async () => {
      assert.match(
        other.program.stderr(),
        new RegExp(`^  Sandbox  http://127\\.0\\.0\\.1:${api + 2}/sandbox/numbers`, 'm'),
      )
      assert.equal((await fetch(`http://127.0.0.1:${api + 2}/sandbox/clock`)).status, 200)
      const client = { program: one.program, key: made }
      assert.equal((await get(client, `/v2/tracking_requests/${created}`)).data.id, created)
      const ask = (key: string) =>
        fetch(`${other.program.apiUrl}/v2/tracking_requests/${created}`, { headers: authorize(key) })
      assert.equal((await ask(made)).status, 401)
      assert.equal((await ask(other.key)).status, 404)
      assert.equal(await other.program.kill('SIGTERM'), 0)
      assert.equal((await fetch(`${one.program.apiUrl}/readyz`)).status, 200)
    },
  )

  await t.test('a SIGKILL of npm ends all processes', async () => {
    const children = descendantsOf(one.program.pid)
    assert.deepEqual(await endByNpm(one, 'SIGKILL'), { code: null, isLeft: false })
    await assertEnded(own.path, one, children)
  })
})

test('the API and the workers can run as two processes on one data folder, started at the same moment', async (t) => {
  const own = makeDataFolder()
  t.after(() => own.remove())
  const shared = await freePorts()
  const [api, worker] = await Promise.all([
    begin(own.path, { ports: shared, env: { LANDFALL_ROLE: 'api' } }),
    begin(own.path, { ports: shared, env: { LANDFALL_ROLE: 'worker' } }),
  ])
  assert.equal(api.key, worker.key)
  const [printed] = printedLines(api)
  assert.ok(printed?.body)
  const request = await track(api, attributesOf(printed.body))
  await eventually(
    async () => {
      const { data: read } = await get(api, `/v2/tracking_requests/${request}`)
      // A journey that has ended by now is found and no longer tracked.
      return ['created', 'tracking_stopped'].includes(String(read.attributes['status']))
    },
    {
      late: () => `the worker did not take it up\n${worker.program.stdout().slice(-2_000)}`,
    },
  )
  assert.equal(await api.program.kill('SIGTERM'), 0)
  assert.ok(isProcessAlive(worker.program.pid), 'the worker goes on')
  assert.equal(await worker.program.kill('SIGTERM'), 0)
  assert.equal(findPostmaster(own.path), null, 'the last one ended the database')
})

test('all occupied ports are reported together before the start, each with its setting', async (t) => {
  const own = makeDataFolder()
  t.after(() => own.remove())
  const taken = await freePorts()
  const mcp = (await freePorts()).api
  for (const port of [taken.api, taken.sandbox, mcp]) {
    const squatter = createServer().listen(port, '127.0.0.1')
    await once(squatter, 'listening')
    t.after(() => squatter.close())
  }
  const env = { ...speed, LANDFALL_MCP_PORT: String(mcp) }
  const refused = startProgram({ dataFolder: own.path, ports: taken, env })
  assert.equal(await refused.exited, 1)
  const [offer = '', ...said] = refused.stderr().trimEnd().split('\n').toReversed()
  assert.deepEqual(said.toReversed(), [
    `Landfall did not start. Port ${taken.api} of 127.0.0.1 is in use. Set LANDFALL_PORT to another port.`,
    `Port ${mcp} of 127.0.0.1 is in use. Set LANDFALL_MCP_PORT to another port.`,
    `Port ${taken.sandbox} of 127.0.0.1 is in use. Set LANDFALL_SANDBOX_PORT to another port.`,
  ])
  assert.match(offer, /^Free at this moment: LANDFALL_PORT=\d+ LANDFALL_MCP_PORT=\d+ LANDFALL_SANDBOX_PORT=\d+$/)
  assert.equal(findPostmaster(own.path), null)
  assert.ok(!existsSync(join(own.path, 'postgres')))

  const twice = startProgram({
    dataFolder: own.path,
    ports: taken,
    env: { LANDFALL_MCP_PORT: String(taken.api) },
  })
  assert.equal(await twice.exited, 1)
  assert.match(twice.stderr(), new RegExp(`LANDFALL_PORT and LANDFALL_MCP_PORT are both ${taken.api}\\.`))
})

interface Begun extends Door {
  readonly ports: Ports
}

async function begin(
  dataFolder: string,
  more: {
    readonly ports?: Ports
    readonly env?: Readonly<Record<string, string>>
    readonly isByNpm?: boolean
  } = {},
): Promise<Begun> {
  const { ports = await freePorts(), env, isByNpm = false } = more
  const started = startProgram({ dataFolder, ports, env: { ...speed, ...env }, isByNpm })
  return { program: started, key: await started.up, ports }
}

function shownBy({ program }: Begun): string | null {
  return /^API key: (\S+)$/m.exec(program.stderr())?.[1] ?? null
}

/** `isLeft`: npm ended and left the service behind. Resolves when the last process that inherited its outputs has ended. */
async function endByNpm(
  { program }: Begun,
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<{ readonly code: number | null; readonly isLeft: boolean }> {
  let isLeft = false
  const late = setTimeout(() => {
    isLeft = true
    process.kill(-program.pid, 'SIGKILL')
  }, leftBehindMs)
  const code = await program.kill(signal)
  clearTimeout(late)
  return { code, isLeft }
}

async function assertEnded(dataFolder: string, { program, ports }: Begun, children: readonly number[]): Promise<void> {
  assert.match(program.stdout(), /"event":"server.stopped"/)
  await eventually(() => !children.some(isProcessAlive), { late: () => 'a process is left behind' })
  await assertFree(ports)
  assert.equal(findPostmaster(dataFolder), null, 'the database ended')
}

/** The output of a command; rejects with its error output if it fails. */
function openLandfall(dataFolder: string): (...args: readonly string[]) => Promise<string> {
  return async (...args) => {
    const { code, out, err } = await landfall(dataFolder, args)
    if (code !== 0) throw new Error(err)
    return out
  }
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

function descendantsOf(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
}

function findPostmaster(dataFolder: string): number | null {
  const file = join(dataFolder, 'postgres', 'pgdata', 'postmaster.pid')
  if (!existsSync(file)) return null
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  return isProcessAlive(pid) ? pid : null
}

async function assertFree({ api, sandbox }: Ports): Promise<void> {
  for (const port of [api, sandbox ?? api + 2]) {
    const server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
  }
}
