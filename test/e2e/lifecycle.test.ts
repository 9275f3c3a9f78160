/**
 * How the program comes and goes: it stops without leaving anything behind, starts again with all it had, shares a
 * machine and a data folder, and says in a sentence why it cannot start.
 */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { commands } from '../../src/doors/cli/commands.ts'
import { runCommand } from '../../src/doors/cli/frame/run-command.ts'
import { isProcessAlive } from '../../src/platform/process-holds.ts'
import { openTestDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { attributesOf, authorize, type Door, get, printedLines, track } from './newcomer.ts'
import { freePorts, makeDataFolder, type Ports, startProgram } from './program.ts'

/** Only what never ends takes so long. */
const leftBehindMs = 120_000
/**
 * The sandbox catches up with the real clock before anybody asks. Threads that fold are started elsewhere
 * (`start.test.ts`); here each would only take longer to start.
 */
const speed = { LANDFALL_SANDBOX_SPEED: '10000000', LANDFALL_FOLD_THREADS: '0' }
const builtIn = { request_type: 'bill_of_lading', request_number: 'TEST-TR-SUCCEEDED', scac: 'TEST' }

test('SIGTERM stops it and lets everything go; the next start has the same key and data', async (t) => {
  const own = makeDataFolder()
  t.after(() => own.remove())
  const first = await begin(own.path)
  const created = await track(first, builtIn)
  const children = childrenOf(first.program.pid)
  assert.ok(children.length > 0, 'it has a sandbox')
  assert.equal(await first.program.kill('SIGTERM'), 0)
  assert.match(first.program.stdout(), /"event":"server.stopped"\}\n$/)
  assert.deepEqual(children.filter(isProcessAlive), [], 'the sandbox ended')
  await assertFree(first.ports)
  assert.equal(findPostmaster(own.path), null, 'the database ended')

  const second = await begin(own.path, { ports: first.ports })
  assert.equal(second.key, first.key)
  assert.equal((await get(second, `/v2/tracking_requests/${created}`)).data.id, created)
  assert.equal(await second.program.kill('SIGTERM'), 0)
})

for (const [signal, ends] of [
  ['SIGTERM', 'ends when all of it has'],
  ['SIGKILL', 'is followed by the rest'],
] as const) {
  test(`npm that gets ${signal}, as of a process manager, ${ends}: nothing is left behind`, async (t) => {
    const own = makeDataFolder()
    t.after(() => own.remove())
    const program = startProgram({
      dataFolder: own.path,
      ports: await freePorts(),
      env: speed,
      isByNpm: true,
    })
    await program.up
    let isLeft = false
    const late = setTimeout(() => {
      isLeft = true
      process.kill(-program.pid, 'SIGKILL')
    }, leftBehindMs)
    // Resolves when the last process that inherited its outputs has ended.
    const code = await program.kill(signal)
    clearTimeout(late)
    assert.equal(isLeft, false, 'npm ended and left the service behind')
    assert.equal(code, signal === 'SIGTERM' ? 0 : null)
    assert.match(program.stdout(), /"event":"server.stopped"/)
    assert.equal(findPostmaster(own.path), null, 'the database ended')
  })
}

test('the first key is made and shown once: who deletes it and starts again gets no other, and `landfall` lets them in', async (t) => {
  const own = makeDataFolder()
  t.after(() => own.remove())
  const shownBy = (begun: Begun) => /^API key: (\S+)$/m.exec(begun.program.stderr())?.[1] ?? null
  const first = await begin(own.path)
  assert.equal(shownBy(first), first.key)
  await first.program.kill('SIGTERM')

  const second = await begin(own.path, { ports: first.ports })
  assert.equal(shownBy(second), null)
  assert.match(second.program.stderr(), /^The first API key is in .*first-api-key$/m)
  const landfall = openLandfall(own.path)
  const [id = ''] = (await landfall('keys', 'list')).split(' ')
  await landfall('keys', 'delete', id)
  await second.program.kill('SIGTERM')

  const third = await begin(own.path, { ports: first.ports })
  assert.equal(shownBy(third), null)
  const again = /npm run landfall -- keys create "My key" \\\n +--account (\S+)/.exec(third.program.stderr())
  assert.ok(again, third.program.stderr())
  assert.doesNotMatch(third.program.stderr(), /curl/)
  const made = (await landfall('keys', 'create', 'My key', '--account', again[1] ?? '')).trim()
  const ask = async (key: string) =>
    (await fetch(`${third.program.apiUrl}/v2/shipments`, { headers: authorize(key) })).status
  assert.deepEqual([await ask(first.key), await ask(made)], [401, 200])
  assert.equal(await third.program.kill('SIGTERM'), 0)
})

test('from the sandbox to carriers and back, each keeps its account and its first key', async (t) => {
  const own = makeDataFolder()
  t.after(() => own.remove())
  const toCarriers = { env: { LANDFALL_SANDBOX: 'off' } }
  const begun: Begun[] = []
  for (const more of [{}, toCarriers, {}, toCarriers]) {
    begun.push(await begin(own.path, more))
    assert.equal(await begun.at(-1)?.program.kill('SIGTERM'), 0)
  }
  const [sandbox, carriers, sandboxAgain, carriersAgain] = begun.map(({ key }) => key)
  assert.notEqual(sandbox, carriers)
  assert.deepEqual([sandboxAgain, carriersAgain], [sandbox, carriers])
  const landfall = openLandfall(own.path)
  for (const account of ['Sandbox', 'My company'])
    assert.equal((await landfall('keys', 'list', '--account', account)).trim().split('\n').length, 1)
})

test('without its secret it does not start, and no command runs: the missing file is named and none is made', async (t) => {
  const own = makeDataFolder()
  t.after(() => own.remove())
  const first = await begin(own.path)
  await first.program.kill('SIGTERM')
  const secret = join(own.path, 'secret')
  renameSync(secret, `${secret}.away`)
  const refused = startProgram({ dataFolder: own.path, ports: first.ports, env: speed })
  assert.equal(await refused.exited, 1)
  assert.match(
    refused.stderr(),
    new RegExp(`^Landfall did not start\\. The secret is missing: there is no ${secret}`, 'm'),
  )
  assert.equal(findPostmaster(own.path), null)
  await assert.rejects(openLandfall(own.path)('keys', 'list'), /The secret is missing/)
  assert.ok(!existsSync(secret))

  renameSync(`${secret}.away`, secret)
  renameSync(join(own.path, 'postgres'), join(own.path, 'postgres.away'))
  const empty = startProgram({ dataFolder: own.path, ports: first.ports, env: speed })
  assert.equal(await empty.exited, 1)
  assert.match(empty.stderr(), /^Landfall did not start\. The database is missing: there is none in /m)
  renameSync(join(own.path, 'postgres.away'), join(own.path, 'postgres'))
  const whole = await begin(own.path, { ports: first.ports })
  assert.equal(whole.key, first.key)
  assert.equal(await whole.program.kill('SIGTERM'), 0)
})

test('two copies run side by side, each with its own key, sandbox and data; a sandbox without a port of its own is beside the API', async (t) => {
  const own = makeDataFolder()
  t.after(() => own.remove())
  const another = makeDataFolder()
  t.after(() => another.remove())
  const { api } = await freePorts()
  const beside = { api, sandbox: null }
  const [one, other] = await Promise.all([begin(own.path), begin(another.path, { ports: beside })])
  assert.match(
    other.program.stderr(),
    new RegExp(`^  Sandbox  http://127\\.0\\.0\\.1:${api + 2}/sandbox/numbers`, 'm'),
  )
  assert.equal((await fetch(`http://127.0.0.1:${api + 2}/sandbox/clock`)).status, 200)
  const created = await track(one, builtIn)
  assert.equal((await get(one, `/v2/tracking_requests/${created}`)).data.id, created)
  const ask = (key: string) =>
    fetch(`${other.program.apiUrl}/v2/tracking_requests/${created}`, { headers: authorize(key) })
  assert.equal((await ask(one.key)).status, 401)
  assert.equal((await ask(other.key)).status, 404)
  assert.equal(await other.program.kill('SIGTERM'), 0)
  assert.equal((await fetch(`${one.program.apiUrl}/readyz`)).status, 200)
  assert.equal(await one.program.kill('SIGTERM'), 0)
})

test('the API and the workers can be two processes on one data folder, started at the same moment', async (t) => {
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
      // A journey that is over by now is found and no longer tracked.
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

test('all taken ports are named at once, each with the setting that moves it, before anything is started', async (t) => {
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
    `Landfall did not start. Port ${taken.api} of 127.0.0.1 is taken. LANDFALL_PORT moves it.`,
    `Port ${mcp} of 127.0.0.1 is taken. LANDFALL_MCP_PORT moves it.`,
    `Port ${taken.sandbox} of 127.0.0.1 is taken. LANDFALL_SANDBOX_PORT moves it.`,
  ])
  assert.match(
    offer,
    /^Free at this moment: LANDFALL_PORT=\d+ LANDFALL_MCP_PORT=\d+ LANDFALL_SANDBOX_PORT=\d+$/,
  )
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

test('with DATABASE_URL it uses that server and starts no database of its own', async (t) => {
  const database = await openTestDatabase()
  t.after(() => database.close())
  const own = makeDataFolder()
  t.after(() => own.remove())
  const onServer = await begin(own.path, { env: { DATABASE_URL: database.url } })
  assert.equal(findPostmaster(own.path), null)
  assert.ok(!existsSync(join(own.path, 'postgres')))
  await track(onServer, builtIn)
  const { rows } = await database.pool.query('select scac from tracking_requests')
  assert.deepEqual(rows, [{ scac: 'TEST' }])
  assert.equal(await onServer.program.kill('SIGTERM'), 0)
})

interface Begun extends Door {
  readonly ports: Ports
}

async function begin(
  dataFolder: string,
  more: { readonly ports?: Ports; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Begun> {
  const given = more.ports ?? (await freePorts())
  const started = startProgram({ dataFolder, ports: given, env: { ...speed, ...more.env } })
  return { program: started, key: await started.up, ports: given }
}

/** `npm run landfall -- …` at this machine: what it prints; rejects with what it says when it fails. */
function openLandfall(dataFolder: string): (...args: readonly string[]) => Promise<string> {
  return async (...args) => {
    const [out, err]: [string[], string[]] = [[], []]
    const code = await runCommand(commands, {
      args,
      env: { LANDFALL_DATA: dataFolder },
      out: { write: (text) => out.push(text) },
      err: { write: (text) => err.push(text) },
    })
    if (code !== 0) throw new Error(err.join(''))
    return out.join('')
  }
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
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
