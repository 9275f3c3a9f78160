/** Several processes at one port: clients are served while processes are replaced, and while one is killed. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { isProcessAlive } from '../../src/platform/process-holds.ts'
import { eventually } from '../support/eventually.ts'
import { atScale } from '../support/scale.ts'
import { openDataFolder } from './prepared-folder.ts'
import { freePorts, type Program, startProgram, withoutSandbox } from './program.ts'

let data: Awaited<ReturnType<typeof openDataFolder>>
let program: Program
let key: string

before(async () => {
  data = await openDataFolder()
  program = startProgram({
    dataFolder: data.path,
    ports: await freePorts(),
    env: {
      ...withoutSandbox,
      LANDFALL_API_PROCESSES: '2',
      LANDFALL_POOL_MAX: '24',
      LANDFALL_CONNECTIONS_PER_ADDRESS: '0',
    },
  })
  key = await program.up
})
after(async () => {
  await program?.kill('SIGKILL')
  await data?.remove()
})

test('no request fails during repeated rolling restarts', async () => {
  const load = startLoad()
  for (let nth = 1; nth <= atScale(3, 1); nth += 1) {
    const before = pidsOf(await scrape())
    process.kill(program.pid, 'SIGHUP')
    await untilLogged('processes.replaced', nth)
    const now = pidsOf(await scrape())
    assert.equal(now.size, 3)
    assert.deepEqual(
      [...now.values()].filter((pid) => [...before.values()].includes(pid)),
      [],
    )
    for (const pid of before.values()) assert.equal(isProcessAlive(pid), false)
  }
  const { answered, failures } = await load.stop()
  assert.deepEqual(
    failures.map(({ why }) => why),
    [],
  )
  assert.ok(answered > atScale(1_000, 300), `${answered} answers`)
})

test('kill -9 of a process cuts only its requests in flight, and another process replaces it', async () => {
  const load = startLoad()
  await pause(500)
  const pid = pidsOf(await scrape()).get('api-1') ?? 0
  process.kill(pid, 'SIGKILL')
  await untilLogged('process.ended', 1)
  const endedMs = Date.now()
  await eventually(async () => {
    const next = pidsOf(await scrape()).get('api-1')
    return next !== undefined && next !== pid
  })
  const { failures } = await load.stop()
  assert.deepEqual(
    failures.filter(({ startedMs }) => startedMs > endedMs + 250),
    [],
  )
})

test('a process that is killed during the start is started again', async (t) => {
  const other = await openDataFolder()
  const env = { ...withoutSandbox, LANDFALL_API_PROCESSES: '2', LANDFALL_POOL_MAX: '24' }
  const started = startProgram({ dataFolder: other.path, ports: await freePorts(), env })
  t.after(async () => {
    await started.kill('SIGTERM')
    await other.remove()
  })
  const first = await eventually(async () => childrenOf(started.pid)[0] ?? null)
  process.kill(first, 'SIGKILL')
  await started.up
  assert.match(started.stdout(), /"how":"signal SIGKILL"[^\n]*"event":"process\.ended"/)
  assert.equal(childrenOf(started.pid).includes(first), false)
})

function childrenOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.split(' ').filter(Boolean).map(Number)
}

test('if a new process does not start, the old ones stay, and the log says why', async () => {
  const carriers = join(data.path, 'carriers.json')
  assert.equal(existsSync(carriers), false)
  writeFileSync(carriers, 'no JSON')
  const before = pidsOf(await scrape())
  process.kill(program.pid, 'SIGHUP')
  await untilLogged('process.not_replaced', 1)
  assert.match(logOf('process.not_replaced')[0] ?? '', /carriers\.json/)
  assert.deepEqual(pidsOf(await scrape()), before)
  rmSync(carriers)
})

test('SIGTERM ends all processes', async () => {
  const pids = [...pidsOf(await scrape()).values()]
  assert.equal(await program.kill('SIGTERM'), 0)
  assert.deepEqual(pids.filter(isProcessAlive), [])
})

interface Failure {
  readonly startedMs: number
  readonly why: string
}

/** Clients that keep their connections, and clients that open one for each request. */
function startLoad(): {
  readonly stop: () => Promise<{ readonly answered: number; readonly failures: readonly Failure[] }>
} {
  let isOver = false
  let answered = 0
  const failures: Failure[] = []
  const agents = [...Array.from({ length: 6 }, () => true), false, false].map(
    (keepAlive) => new Agent({ keepAlive, maxSockets: 1 }),
  )
  const clients = agents.map(async (agent, nth) => {
    while (!isOver) {
      const startedMs = Date.now()
      const path = nth % 2 === 0 ? '/healthz' : '/v2/shipments?page[size]=1'
      const status = await ask(path, agent).catch((error: Error) => error.message)
      if (status === 200) answered += 1
      else failures.push({ startedMs, why: `${path}: ${status}` })
      // Sometimes a connection is silent for a moment.
      await pause(nth === 0 ? 300 : 40)
    }
    agent.destroy()
  })
  return {
    stop: async () => {
      isOver = true
      await Promise.all(clients)
      return { answered, failures }
    },
  }
}

function ask(path: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${program.apiUrl}${path}`,
      { agent, headers: { authorization: `Token ${key}` }, timeout: 20_000 },
      (response) => {
        response.resume()
        response.once('end', () => resolve(response.statusCode ?? 0))
        response.once('error', reject)
      },
    )
    asked.once('timeout', () => asked.destroy(new Error('no answer within 20 s')))
    asked.once('error', reject)
    asked.end()
  })
}

/** On a new connection: an open one may lead to a process that is ending. */
async function scrape(): Promise<string> {
  const [response] = (await once(get(`${program.apiUrl}/metrics`, { agent: false }), 'response')) as [IncomingMessage]
  return text(response)
}

/** The pids of the processes whose metrics are in the page, by name. */
function pidsOf(page: string): ReadonlyMap<string, number> {
  const names = [...page.matchAll(/^landfall_info\{[^}]*process="([^"]+)"[^}]*\}/gm)].map(([, name = '']) => name)
  const children = readFileSync(`/proc/${program.pid}/task/${program.pid}/children`, 'utf8')
  const pids = children.trim().split(' ').map(Number)
  return new Map(
    names.flatMap((name) => {
      const pid = pids.find((each) =>
        readFileSync(`/proc/${each}/environ`, 'utf8').includes(`LANDFALL_PROCESS_NAME=${name}\0`),
      )
      return pid === undefined ? [] : [[name, pid] as const]
    }),
  )
}

const logOf = (event: string): readonly string[] =>
  program
    .stdout()
    .split('\n')
    .filter((line) => line.includes(`"event":"${event}"`))

async function untilLogged(event: string, times: number): Promise<void> {
  await eventually(() => logOf(event).length >= times, {
    late: () => `${event} was not logged:\n${program.stdout().slice(-2_000)}`,
  })
}
