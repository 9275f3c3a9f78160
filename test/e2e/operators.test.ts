/** What operators and clients see if the disk is full, or the database is killed or removed: answers, health, log. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { freePorts, makeDataFolder, type Program, startProgram } from './program.ts'
import { fill, findSmallDisk, insideOf } from './small-disk.ts'

let data: ReturnType<typeof makeDataFolder>
let program: Program
let key: string
let folder: string
let isSmall = false

before(async () => {
  data = makeDataFolder()
  const within = findSmallDisk(data.path)
  isSmall = within !== null
  program = startProgram({
    dataFolder: data.path,
    ports: await freePorts(),
    env: { LANDFALL_SANDBOX: 'off', LANDFALL_LOG_LEVEL: 'info' },
    ...(within === null ? {} : { within }),
  })
  await program.up
  folder = within === null ? data.path : insideOf(program.pid, data.path)
  key = readFileSync(join(folder, 'first-api-key'), 'utf8').trim()
  await ready(200)
})

after(async () => {
  // Its database is on a mount of its own, so it must end by itself, even if nothing more can be written.
  if (isSmall) fill(folder)
  assert.equal(await program?.kill('SIGTERM'), 0, program?.stderr())
  await data?.remove()
})

test('with a full disk the service answers 503, reports what to do, and recovers', async (t) => {
  if (!isSmall) return t.skip('this system lets nobody mount a small disk')
  const from = program.stdout().length
  const makeRoom = fill(folder)
  t.after(makeRoom)
  const body = await ready(503)
  assert.deepEqual([body['status'], body['database']], ['not_ready', true])
  assert.equal(await statusOf('/healthz'), 200)
  let last = 0
  const refused = await eventually(
    async () => {
      const response = await post()
      last = response.status
      return last === 503 ? response : null
    },
    { everyMs: 1, late: () => `no request was refused on a full disk, the last ${last}` },
  )
  assert.equal(refused.headers.get('retry-after'), '5')
  assert.match(await refused.text(), /cannot answer just now/)
  assert.equal((await ready(503))['writes'], false)
  assert.equal(await statusOf('/v2/shipments'), 200, 'what is there can be read')
  makeRoom()
  await ready(200)
  assert.equal((await post()).status, 201)
  const lines = faults(from)
  assert.ok(lines.length <= 6, `one line for a cause, not ${lines.length}:\n${JSON.stringify(lines, null, 1)}`)
  const told = lines.find(({ cause }) => cause === 'disk_full')
  assert.match(String(told?.['remedy']), /^Make room on the disk that holds /)
  await eventually(async () => isOver(from, 'disk_full'), {
    late: program.stdout,
  })
})

test('a killed postmaster is restarted without loss, and the log gives the reason', async () => {
  const made = await post()
  const { data: request } = (await made.json()) as { readonly data: { readonly id: string } }
  const from = program.stdout().length
  process.kill(postmaster(), 'SIGKILL')
  await ready(503)
  assert.equal(await statusOf('/healthz'), 200)
  await ready(200)
  assert.equal(await statusOf(`/v2/tracking_requests/${request.id}`), 200)
  assert.equal((await post()).status, 201)
  const told = faults(from).find(({ cause }) => cause === 'database_ended')
  assert.match(String(told?.['reason']), /so it was killed/)
  assert.ok(entries(from).some(({ event, by }) => event === 'database.started' && by === 'this process'))
  assert.ok(faults(from).length <= 4, JSON.stringify(faults(from)))
})

test('a killed database process is recovered from, and the log reports it', async () => {
  const from = program.stdout().length
  process.kill(backend(), 'SIGKILL')
  await eventually(async () => faults(from).find(({ cause }) => cause === 'database_crashed') ?? null, {
    late: program.stdout,
  })
  await ready(200)
  assert.equal((await post()).status, 201)
})

test('without its database folder the service is not ready, and it recovers when the folder returns', async () => {
  const from = program.stdout().length
  const path = join(folder, 'postgres', 'pgdata')
  renameSync(path, `${path}.aside`)
  const body = await ready(503)
  assert.ok((body['troubles'] as readonly string[]).includes('database_replaced'), JSON.stringify(body))
  assert.equal(await statusOf('/healthz'), 200)
  renameSync(`${path}.aside`, path)
  await ready(200)
  const told = faults(from).find(({ cause }) => cause === 'database_replaced')
  assert.match(String(told?.['remedy']), /^Stop Landfall, put the right data into /)
})

test('a start that cannot create its data folder ends at once with an explanation', async () => {
  for (const dataFolder of ['/proc/nope', '/proc/nope/data']) {
    const started = startProgram({ dataFolder, ports: await freePorts() })
    assert.equal(await started.exited, 1)
    assert.match(started.stderr(), /The data folder \/proc\/nope\S* \(LANDFALL_DATA\) cannot be made: ENOENT/)
  }
})

test('a start on a full disk ends with an explanation of what to do', async (t) => {
  const other = makeDataFolder()
  t.after(() => other.remove())
  const within = findSmallDisk(other.path, { isFull: true })
  if (within === null) return t.skip('this system lets nobody mount a small disk')
  const full = startProgram({ dataFolder: other.path, ports: await freePorts(), within })
  assert.equal(await full.exited, 1)
  assert.match(full.stderr(), /^Landfall did not start\. .*(no space|No space)/m)
  assert.match(full.stderr(), /^The disk .* is full.* Make room on the disk that holds /m)
  assert.doesNotMatch(full.stderr(), /^ {4}at /m)
})

type Entry = Readonly<Record<string, unknown>>

function entries(from: number): readonly Entry[] {
  const lines = program.stdout().slice(from).split('\n')
  return lines.filter((line) => line.startsWith('{') && line.endsWith('}')).map((line) => JSON.parse(line))
}

function faults(from: number): readonly Entry[] {
  return entries(from).filter(({ level }) => level === 'warn' || level === 'error')
}

function isOver(from: number, cause: string): boolean {
  return entries(from).some((entry) => entry['event'] === 'trouble.over' && entry['cause'] === cause)
}

async function ready(status: 200 | 503): Promise<Entry> {
  let last = ''
  return eventually(
    async () => {
      const response = await fetch(`${program.apiUrl}/readyz`)
      last = await response.text()
      if (response.status !== status) return null
      if (status === 503) assert.equal(response.headers.get('retry-after'), '5')
      return JSON.parse(last) as Entry
    },
    {
      everyMs: 50,
      late: () => `not ${status}: ${last}\n${program.stdout().slice(-3_000)}`,
    },
  )
}

async function statusOf(path: string): Promise<number> {
  const response = await fetch(program.apiUrl + path, { headers: { authorization: `Token ${key}` } })
  await response.body?.cancel()
  return response.status
}

/** Large enough that the database soon needs new pages for it. */
function post(): Promise<Response> {
  const attributes = {
    request_type: 'bill_of_lading',
    request_number: 'TEST-TR-SUCCEEDED',
    scac: 'TEST',
    shipment_tags: Array.from({ length: 20 }, (_, n) => `tag ${n} `.padEnd(60, 'abcdefghij')),
  }
  return fetch(`${program.apiUrl}/v2/tracking_requests`, {
    method: 'POST',
    headers: { authorization: `Token ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { type: 'tracking_request', attributes } }),
  })
}

function postmaster(): number {
  return Number.parseInt(readFileSync(join(folder, 'postgres', 'pgdata', 'postmaster.pid'), 'utf8'), 10)
}

/** A process of the server that serves one of our connections. */
function backend(): number {
  const parent = postmaster()
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const [, rest = ''] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')
      const title = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      if (Number(rest.split(' ')[1]) === parent && title.includes('landfall landfall')) return Number(name)
    } catch {
      // It has ended meanwhile.
    }
  }
  throw new Error('no process of the database serves a connection')
}
