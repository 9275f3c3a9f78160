/**
 * The real program, as a newcomer starts it: what it prints, what the printed lines do, what reaches a webhook, how it
 * stops and starts again, and what it says when it cannot.
 */

import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { isProcessAlive } from '../../src/platform/process-holds.ts'
import { openTestDatabase } from '../support/database.ts'
import type { WireResource } from '../support/api.ts'
import { eventually, freePorts, makeDataFolder, type Ports, type Program, startProgram } from './program.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { type Asked, askTruth, compareJourney, type Served } from './truth.ts'

/** 90 days in about eight seconds: the journeys move on while they are followed. */
const speed = { LANDFALL_SANDBOX_SPEED: '1000000', LANDFALL_REFRESH_GAP_MINUTES: '0' }
const stopWithinMs = 10_000

interface Line {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

interface Document {
  readonly data: WireResource & readonly WireResource[]
  readonly included?: readonly WireResource[]
}

let data: ReturnType<typeof makeDataFolder>
let ports: Ports
let program: Program
let receiver: Receiver
let key: string
/** The printed numbers and the requests that the printed lines made of them. */
let tracked: readonly { readonly asked: Asked; readonly request: string }[]

before(async () => {
  data = makeDataFolder()
  ports = await freePorts()
  receiver = await openReceiver()
  program = startProgram({ dataFolder: data.path, ports, env: speed })
  key = await program.up
  await subscribe()
  tracked = await runPrintedLines()
  await eventually(async () => ((await isCaughtUp()) ? true : null), { withinMs: 30_000, late: program.stderr })
  await lookOnceMore()
})

after(async () => {
  await program?.kill('SIGKILL')
  await receiver?.close()
  await data?.remove()
})

test('the first key is printed and kept where only its owner can read it', () => {
  const file = join(data.path, 'first-api-key')
  assert.equal(readFileSync(file, 'utf8').trim(), key)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.match(program.stderr(), new RegExp(`^API key: ${key}$`, 'm'))
  assert.ok(program.stderr().includes(`(kept in ${file})`))
})

test('the printed addresses answer: health, readiness, metrics, the API document, its page, the sandbox', async () => {
  for (const [path, type, content] of [
    ['/healthz', /json/, /"live"/],
    ['/readyz', /json/, /"ready"/],
    ['/metrics', /text\/plain/, /^landfall_look_finished_total\{/m],
    ['/v2/openapi.json', /json/, /"openapi":"3\.1/],
    ['/docs', /text\/html/, /<html/i],
    ['/', /text\/html/, /Landfall/],
  ] as const) {
    const response = await fetch(program.apiUrl + path)
    const text = await response.text()
    assert.equal(response.status, 200, path)
    assert.match(String(response.headers.get('content-type')), type, path)
    assert.match(text, content, path)
  }
  for (const address of program.stderr().match(/http:\/\/\S+(?=\s|$)/g) ?? [])
    assert.ok([200, 401, 405].includes((await fetch(address)).status), address)
})

test('the printed lines make a shipment of a bill, of a booking and of a container number', async () => {
  assert.deepEqual(tracked.map(({ asked }) => asked.kind).toSorted(), ['bill_of_lading', 'booking', 'container'])
  for (const { asked, request } of tracked) {
    const answer = await get(`/v2/tracking_requests/${request}?include=tracked_object.containers`)
    assert.ok(['created', 'tracking_stopped'].includes(String(answer.data.attributes['status'])), asked.number)
    assert.ok(answer.included?.some(({ type }) => type === 'shipment'), asked.number)
  }
})

test('containers and events of each printed number are what the sandbox says of it', async () => {
  for (const { asked, request } of tracked) {
    const truth = await askTruth(program.sandboxUrl, asked)
    const { served, boxes } = await readServed(request)
    const named = new Set(truth.words.filter(({ load }) => load !== null).map(({ box }) => box))
    for (const box of named) assert.ok(boxes.includes(box), `${asked.scac} ${asked.number}: ${box} is missing`)
    const compared = compareJourney(asked, truth, served, { now: await sandboxNow() })
    assert.deepEqual(compared.problems, [])
    assert.ok(compared.facts > 0, `${asked.scac} ${asked.number}: nothing happened`)
  }
})

test('a webhook hears each change once, signed, in the order of its shipment', async () => {
  const { deliveries } = receiver
  assert.ok(deliveries.length > 10)
  assert.deepEqual(deliveries.filter(({ isSigned }) => !isSigned), [])
  assert.equal(new Set(deliveries.map(({ id }) => id)).size, deliveries.length, 'one delivery for each change')
  const documents = deliveries.map(({ body }) => JSON.parse(body.toString()) as Document)
  const last = new Map<string, number>()
  for (const { data: notification, included = [] } of documents) {
    const lane = included.find(({ type }) => type === 'shipment')?.id
    const sequence = Number(notification.attributes['sequence'] ?? Number.NaN)
    if (lane === undefined || Number.isNaN(sequence)) continue
    assert.ok(sequence > (last.get(lane) ?? 0), `${String(notification.attributes['event'])} came out of order`)
    last.set(lane, sequence)
  }
  for (const { request } of tracked) {
    const { served, eventIds } = await readServed(request)
    assert.ok(served.length > 0)
    const heard = new Set(documents.flatMap(({ included = [] }) => included.map(({ id }) => id)))
    for (const id of eventIds) assert.ok(heard.has(id), `nobody heard of the transport event ${id}`)
  }
})

test('standard output holds one JSON object a line and standard error sentences; neither holds a secret', async () => {
  const lines = program.stdout().trim().split('\n')
  assert.ok(lines.length > 5)
  for (const line of lines) {
    const entry = JSON.parse(line) as { readonly event?: string; readonly level?: string }
    assert.equal(typeof entry.event, 'string', line)
    assert.equal(typeof entry.level, 'string', line)
  }
  assert.doesNotMatch(program.stderr(), /^\s*\{/m)
  const secret = readFileSync(join(data.path, 'secret'), 'utf8').trim()
  const { data: webhooks } = await get('/v2/webhooks')
  const hidden = [secret, ...webhooks.map(({ attributes }) => String(attributes['secret']))]
  for (const each of [...hidden, key]) assert.ok(!program.stdout().includes(each), 'a secret is in the log')
  for (const each of hidden) assert.ok(!program.stderr().includes(each), 'a secret is on standard error')
})

test('SIGTERM stops it in seconds and lets everything go; the next start has the same key and data', async (t) => {
  const own = makeDataFolder()
  t.after(() => own.remove())
  const first = await begin(t, own.path)
  const created = await post(first.program, first.key, { request_type: 'bill_of_lading', request_number: 'TEST-TR-SUCCEEDED', scac: 'TEST' })
  const children = childrenOf(first.program.pid)
  assert.ok(children.length > 0, 'it has a sandbox')
  const startedMs = Date.now()
  assert.equal(await first.program.kill('SIGTERM'), 0)
  assert.ok(Date.now() - startedMs < stopWithinMs)
  assert.match(first.program.stdout(), /"event":"server.stopped"\}\n$/)
  assert.deepEqual(children.filter(isProcessAlive), [], 'the sandbox ended')
  await assertFree(first.ports)
  assert.equal(findPostmaster(own.path), null, 'the database ended')

  const second = await begin(t, own.path, { ports: first.ports })
  assert.equal(second.key, first.key)
  const response = await fetch(`${second.program.apiUrl}/v2/tracking_requests/${created}`, { headers: authorize(first.key) })
  assert.equal(response.status, 200)
  assert.equal(await second.program.kill('SIGTERM'), 0)
})

test('two copies run side by side, each with its own key, sandbox and data', async (t) => {
  const own = makeDataFolder()
  t.after(() => own.remove())
  const other = await begin(t, own.path)
  assert.notEqual(other.key, key)
  const strange = await fetch(`${other.program.apiUrl}/v2/shipments`, { headers: authorize(key) })
  assert.equal(strange.status, 401)
  const { data: shipments } = (await (await fetch(`${other.program.apiUrl}/v2/shipments`, { headers: authorize(other.key) })).json()) as Document
  assert.deepEqual(shipments, [])
  assert.equal(await other.program.kill('SIGTERM'), 0)
  assert.equal((await fetch(`${program.apiUrl}/readyz`)).status, 200)
})

test('the API and the workers can be two processes on one data folder, started at the same moment', async (t) => {
  const own = makeDataFolder()
  t.after(() => own.remove())
  const shared = await freePorts()
  const [api, worker] = await Promise.all([
    begin(t, own.path, { ports: shared, env: { LANDFALL_ROLE: 'api' } }),
    begin(t, own.path, { ports: shared, env: { LANDFALL_ROLE: 'worker' } }),
  ])
  assert.equal(api.key, worker.key)
  const [printed] = printedLines(api.program, api.key)
  assert.ok(printed?.body)
  const request = await post(api.program, api.key, attributesOf(printed.body))
  await eventually(
    async () => {
      const response = await fetch(`${api.program.apiUrl}/v2/tracking_requests/${request}`, { headers: authorize(api.key) })
      const { data: read } = (await response.json()) as Document
      return read.attributes['status'] === 'created' ? true : null
    },
    { withinMs: 15_000, late: () => `the worker did not take it up\n${worker.program.stdout().slice(-2_000)}` },
  )
  assert.equal(await api.program.kill('SIGTERM'), 0)
  assert.ok(isProcessAlive(worker.program.pid), 'the worker goes on')
  assert.equal(await worker.program.kill('SIGTERM'), 0)
  assert.equal(findPostmaster(own.path), null, 'the last one ended the database')
})

test('a taken port ends in one clear sentence and exit code 1, and leaves nothing behind', async (t) => {
  const own = makeDataFolder()
  t.after(() => own.remove())
  const taken = await freePorts()
  const squatter = createServer().listen(taken.api, '127.0.0.1')
  await once(squatter, 'listening')
  t.after(() => squatter.close())
  const refused = startProgram({ dataFolder: own.path, ports: taken, env: speed })
  t.after(() => refused.kill('SIGKILL'))
  assert.equal(await refused.exited, 1)
  assert.match(refused.stderr(), new RegExp(`^Landfall did not start\\. Port ${taken.api} .*taken.*LANDFALL_PORT`, 'm'))
  assert.doesNotMatch(refused.stderr(), /^\s+at /m)
  assert.equal(findPostmaster(own.path), null)
})

test('with DATABASE_URL it uses that server and starts no database of its own', async (t) => {
  const database = await openTestDatabase()
  t.after(() => database.close())
  const own = makeDataFolder()
  t.after(() => own.remove())
  const onServer = await begin(t, own.path, { env: { DATABASE_URL: database.url } })
  assert.equal(findPostmaster(own.path), null)
  assert.ok(!existsSync(join(own.path, 'postgres')))
  await post(onServer.program, onServer.key, { request_type: 'bill_of_lading', request_number: 'TEST-TR-SUCCEEDED', scac: 'TEST' })
  const { rows } = await database.pool.query('select scac from tracking_requests')
  assert.deepEqual(rows, [{ scac: 'TEST' }])
  assert.equal(await onServer.program.kill('SIGTERM'), 0)
})

async function begin(
  t: TestContext,
  dataFolder: string,
  more: { readonly ports?: Ports; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<{ readonly program: Program; readonly key: string; readonly ports: Ports }> {
  const given = more.ports ?? (await freePorts())
  const started = startProgram({ dataFolder, ports: given, env: { ...speed, ...more.env } })
  t.after(() => started.kill('SIGKILL'))
  return { program: started, key: await started.up, ports: given }
}

function authorize(apiKey: string): Readonly<Record<string, string>> {
  return { authorization: `Token ${apiKey}` }
}

async function get(path: string): Promise<Document> {
  const response = await fetch(program.apiUrl + path, { headers: authorize(key) })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return JSON.parse(text) as Document
}

async function post(to: Program, apiKey: string, attributes: unknown): Promise<string> {
  const response = await fetch(`${to.apiUrl}/v2/tracking_requests`, {
    method: 'POST',
    headers: { ...authorize(apiKey), 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type: 'tracking_request', attributes } }),
  })
  const text = await response.text()
  assert.equal(response.status, 201, text)
  return (JSON.parse(text) as Document).data.id
}

async function subscribe(): Promise<void> {
  const openapi = await (await fetch(`${program.apiUrl}/v2/openapi.json`)).text()
  const events = [...new Set(openapi.match(/"(?:tracking_request|container|shipment)(?:\.[a-z_]+)+"/g) ?? [])].map((quoted) => JSON.parse(quoted) as string)
  const response = await fetch(`${program.apiUrl}/v2/webhooks`, {
    method: 'POST',
    headers: { ...authorize(key), 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type: 'webhook', attributes: { url: receiver.url, active: true, events } } }),
  })
  const text = await response.text()
  assert.equal(response.status, 201, text)
  receiver.trust(String((JSON.parse(text) as Document).data.attributes['secret']))
}

/** The parts of the `curl` lines that it printed, as curl would send them. */
function printedLines(of: Program, apiKey: string): readonly Line[] {
  return of
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('  curl -s '))
    .map((line) => {
      const url = / (http:\S+)/.exec(line)?.[1] ?? ''
      const headers = Object.fromEntries([...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value]))
      assert.equal(headers['Authorization'], `Token ${apiKey}`)
      return { url, headers, body: / -d '([^']+)'/.exec(line)?.[1] ?? null }
    })
}

function attributesOf(body: string): { readonly request_type: string; readonly request_number: string; readonly scac: string } {
  return (JSON.parse(body) as { data: { attributes: { request_type: string; request_number: string; scac: string } } }).data.attributes
}

async function runPrintedLines(): Promise<typeof tracked> {
  const made: { asked: Asked; request: string }[] = []
  const lines = printedLines(program, key)
  for (const { url, headers, body } of lines) {
    const response = await fetch(url, { headers, ...(body === null ? {} : { method: 'POST', body }) })
    const text = await response.text()
    assert.equal(response.status, body === null ? 200 : 201, text)
    if (body === null) continue
    const { request_type: type, request_number: number, scac } = attributesOf(body)
    const kind = type === 'booking_number' ? 'booking' : (type as 'bill_of_lading' | 'container')
    made.push({ asked: { scac, kind, number }, request: (JSON.parse(text) as Document).data.id })
  }
  assert.ok(lines.length > made.length, 'one line looks at what came of it')
  return made
}

async function sandboxNow(): Promise<string> {
  const response = await fetch(`${program.sandboxUrl}/sandbox/clock`)
  return ((await response.json()) as { readonly now: string }).now
}

async function isCaughtUp(): Promise<boolean> {
  return Date.now() - Date.parse(await sandboxNow()) < 2_000
}

/** From now on days pass as slowly as real ones: one more look at each shipment shows all there is. */
async function lookOnceMore(): Promise<void> {
  for (const { request } of tracked) {
    const { included = [] } = await get(`/v2/tracking_requests/${request}?include=tracked_object.containers`)
    const container = included.find(({ type }) => type === 'container')
    if (container === undefined) continue
    const response = await fetch(`${program.apiUrl}/v2/containers/${container.id}/refresh`, {
      method: 'PATCH',
      headers: { ...authorize(key), 'content-type': 'application/vnd.api+json' },
    })
    assert.equal(response.status, 200, await response.text())
  }
  let before = ''
  await eventually(
    async () => {
      const metrics = await (await fetch(`${program.apiUrl}/metrics`)).text()
      const counts = (metrics.match(/^landfall_(look_finished|delivery_attempted|event_emitted)_total.*$/gm) ?? []).join('\n')
      const isSame = counts === before && counts !== ''
      before = counts
      if (!isSame) await new Promise((resolve) => setTimeout(resolve, 1_200))
      return isSame ? true : null
    },
    { withinMs: 20_000, late: () => 'it does not come to rest' },
  )
}

async function readServed(request: string): Promise<{
  readonly boxes: readonly string[]
  readonly served: readonly Served[]
  readonly eventIds: readonly string[]
}> {
  const { included = [] } = await get(`/v2/tracking_requests/${request}?include=tracked_object.containers`)
  const boxes: string[] = []
  const served: Served[] = []
  const eventIds: string[] = []
  for (const { id, attributes } of included.filter(({ type }) => type === 'container')) {
    const box = String(attributes['number'])
    boxes.push(box)
    const { data: events } = await get(`/v2/containers/${id}/transport_events`)
    for (const event of events) {
      const name = String(event.attributes['event'])
      if (!name.startsWith('container.transport.')) continue
      eventIds.push(event.id)
      if (name.startsWith('container.transport.estimated.')) continue
      const { location_locode: unlocode, timestamp: at } = event.attributes
      served.push({ box, name: name.replace('container.transport.', ''), unlocode: unlocode as string | null, at: at as string | null })
    }
  }
  return { boxes, served, eventIds }
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
  for (const port of [api, sandbox]) {
    const server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
  }
}
