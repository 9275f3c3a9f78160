/**
 * The real program, as a new user starts it: its output, the effect of the printed commands, the webhook deliveries and
 * the log.
 */

import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startSandbox } from '../../sandbox/server.ts'
import { eventually } from '../support/eventually.ts'
import { askEverything } from './ask-everything.ts'
import { compareJourney } from './compare-journey.ts'
import { attributesOf, type Document, type Door, get, printedLines, readServed, send } from './newcomer.ts'
import { freePorts, makeDataFolder, type Program, startProgram } from './program.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { type Asked, askTruth, type Truth } from './truth.ts'

/** A simulated line answers within this time, also on a busy machine. */
const pollMsMax = 100
/** 90 days in about eight seconds: the journeys continue while they are followed. */
const speed = { LANDFALL_SANDBOX_SPEED: '1000000', LANDFALL_REFRESH_GAP_MINUTES: '0' }

let data: ReturnType<typeof makeDataFolder>
let program: Program
let receiver: Receiver
let key: string
let client: Door
/** The printed numbers and the requests that the printed commands made. */
let tracked: readonly { readonly asked: Asked; readonly request: string }[]

before(async () => {
  data = makeDataFolder()
  receiver = await openReceiver()
  program = startProgram({ dataFolder: data.path, ports: await freePorts(), env: speed })
  key = await program.up
  client = { program, key }
  await subscribe()
  tracked = await runPrintedLines()
  await eventually(async () => isCaughtUp(), {
    late: program.stderr,
  })
  await pollOnceMore()
})

after(async () => {
  await program?.kill('SIGKILL')
  await receiver?.close()
  await data?.remove()
})

test('the first key is printed and stored in a file that only its owner can read', () => {
  const file = join(data.path, 'first-api-key')
  assert.equal(readFileSync(file, 'utf8').trim(), key)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.match(program.stderr(), new RegExp(`^API key: ${key}$`, 'm'))
  assert.ok(program.stderr().includes(`stored in ${file})`))
  assert.doesNotMatch(program.stderr(), /first-sign-in/, 'what is no terminal keeps what it is told')
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
  const addresses = [...program.stderr().matchAll(/^ {2}(?:Docs|Portal|Sandbox) +(\S+)/gm)].map(
    ([, address = '']) => address,
  )
  assert.equal(addresses.length, 3)
  for (const address of addresses) assert.equal((await fetch(address)).status, 200, address)
})

test('the metrics after requests to every operation have at most 60 KB', async () => {
  assert.ok((await askEverything(client)) > 300)
  const page = await (await fetch(`${program.apiUrl}/metrics`)).text()
  assert.ok(page.length < 60_000, `${page.length} bytes, ${page.split('\n').length} lines`)
})

test('the printed commands track a bill, a booking and a container number', async () => {
  assert.deepEqual(tracked.map(({ asked }) => asked.kind).toSorted(), ['bill_of_lading', 'booking', 'container'])
  for (const { asked, request } of tracked) {
    const answer = await get(client, `/v2/tracking_requests/${request}?include=tracked_object.containers`)
    assert.ok(['created', 'tracking_stopped'].includes(String(answer.data.attributes['status'])), asked.number)
    assert.ok(
      answer.included?.some(({ type }) => type === 'shipment'),
      asked.number,
    )
  }
})

test('containers and events of each printed number match the simulated journey', async () => {
  for (const { asked, request } of tracked) {
    const { truth, now, happened, allowed = [] } = await truthOf(asked, request)
    const { served, boxes } = await readServed(client, request)
    const named = new Set(truth.words.filter(({ load }) => load !== null).map(({ box }) => box))
    for (const box of named) assert.ok(boxes.includes(box), `${asked.scac} ${asked.number}: ${box} is missing`)
    const compared = compareJourney(asked, truth, served, { now, happened, allowed })
    assert.deepEqual(compared.problems, [])
    assert.ok(compared.facts > 0, `${asked.scac} ${asked.number}: nothing happened`)
  }
})

test('a number without a line finds its simulated line, and the webhook names it', async () => {
  const numbers = (await (await fetch(`${program.sandboxUrl}/sandbox/numbers`)).json()) as readonly Asked[]
  const known = new Set(tracked.map(({ asked }) => asked.number))
  // Its bills begin with the SCAC, so the line is certain, and the answer of the line confirms it.
  const bill = numbers.find(
    ({ kind, number, scac }) => kind === 'bill_of_lading' && number.startsWith(scac) && !known.has(number),
  )
  assert.ok(bill, 'the sandbox tells of such a bill')
  const attributes = { request_number: bill.number, auto_detect_vocc_scac: true }
  const made = await send(client, 'POST', '/v2/tracking_requests', {
    data: { type: 'tracking_request', attributes },
  })
  assert.deepEqual([made.data.attributes['status'], made.data.attributes['scac']], ['pending', null])
  const request = made.data.id
  const found = await eventually(
    async () => {
      const { data: now } = await get(client, `/v2/tracking_requests/${request}`)
      return now.attributes['status'] === 'pending' ? null : now.attributes
    },
    { late: program.stderr },
  )
  assert.deepEqual([found['scac'], found['failed_reason']], [bill.scac, null])
  const told = await eventually(
    async () =>
      receiver.deliveries
        .filter(({ event }) => event === 'tracking_request.succeeded')
        .flatMap(({ body }) => (JSON.parse(body.toString()) as Document).included ?? [])
        .find(({ id }) => id === request) ?? null,
    { late: program.stderr },
  )
  assert.equal(told.attributes['scac'], bill.scac)
})

test('a webhook gets each change once, signed, and in order for each shipment', async () => {
  const { deliveries } = receiver
  assert.ok(deliveries.length > 10)
  assert.deepEqual(
    deliveries.filter(({ isSigned }) => !isSigned),
    [],
  )
  assert.equal(new Set(deliveries.map(({ id }) => id)).size, deliveries.length, 'one delivery for each change')
  const documents = deliveries.map(({ body }) => JSON.parse(body.toString()) as Document)
  const last = new Map<string, number>()
  for (const { data: notification, included = [] } of documents) {
    const sequence = Number(notification.attributes['sequence'])
    assert.ok(Number.isInteger(sequence))
    const lane = included.find(({ type }) => type === 'shipment')?.id
    if (lane === undefined) continue
    assert.ok(sequence > (last.get(lane) ?? 0), `${String(notification.attributes['event'])} came out of order`)
    last.set(lane, sequence)
  }
  for (const { request } of tracked) {
    const { served, eventIds } = await readServed(client, request)
    assert.ok(served.length > 0)
    const heard = new Set(documents.flatMap(({ included = [] }) => included.map(({ id }) => id)))
    for (const id of eventIds) assert.ok(heard.has(id), `nobody heard of the transport event ${id}`)
  }
})

test('standard output has one JSON object a line, standard error has text, and neither contains a secret', async () => {
  const lines = program.stdout().trim().split('\n')
  assert.ok(lines.length > 5)
  for (const line of lines) {
    const entry = JSON.parse(line) as { readonly event?: string; readonly level?: string }
    assert.equal(typeof entry.event, 'string', line)
    assert.equal(typeof entry.level, 'string', line)
  }
  assert.doesNotMatch(program.stderr(), /^\s*\{/m)
  const secret = readFileSync(join(data.path, 'secret'), 'utf8').trim()
  const { data: webhooks } = await get(client, '/v2/webhooks')
  const hidden = [secret, ...webhooks.map(({ attributes }) => String(attributes['secret']))]
  for (const each of [...hidden, key]) assert.ok(!program.stdout().includes(each), 'a secret is in the log')
  for (const each of hidden) assert.ok(!program.stderr().includes(each), 'a secret is on standard error')
})

async function subscribe(): Promise<void> {
  const openapi = await (await fetch(`${program.apiUrl}/v2/openapi.json`)).text()
  const events = [...new Set(openapi.match(/"(?:tracking_request|container|shipment)(?:\.[a-z_]+)+"/g) ?? [])].map(
    (quoted) => JSON.parse(quoted) as string,
  )
  const attributes = { url: receiver.url, active: true, events }
  const { data: webhook } = await send(client, 'POST', '/v2/webhooks', {
    data: { type: 'webhook', attributes },
  })
  receiver.trust(String(webhook.attributes['secret']))
}

async function runPrintedLines(): Promise<typeof tracked> {
  const made: { asked: Asked; request: string }[] = []
  const lines = printedLines(client)
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

/**
 * As the line stated it in its last answer. An ended journey is not polled again, and its container may start another
 * trip.
 */
async function truthOf(
  asked: Asked,
  request: string,
): Promise<{
  readonly truth: Truth
  readonly now: string
  readonly happened: Truth
  /** Further statements that the line may have made. */
  readonly allowed?: Truth['words']
}> {
  const happened = await askTruth(program.sandboxUrl, asked)
  const clock = await sandboxClock()
  const answer = await get(client, `/v2/tracking_requests/${request}?include=tracked_object`)
  if (answer.data.attributes['status'] !== 'tracking_stopped') return { truth: happened, now: clock.now, happened }
  const shipment = answer.included?.find(({ type }) => type === 'shipment')
  const now = String(shipment?.attributes['line_tracking_last_attempted_at'])
  let worldMs = Date.parse(now)
  const world = await startSandbox({
    port: 0,
    host: '127.0.0.1',
    seed: clock.seed,
    epoch: Date.parse(clock.epoch),
    now: () => worldMs,
  })
  try {
    const truth = await askTruth(world.url, asked)
    // During the poll the sandbox's time advanced by hours. Only what the line stated before as well is certain.
    worldMs -= pollMsMax * Number(speed.LANDFALL_SANDBOX_SPEED)
    const before = await askTruth(world.url, asked)
    const words = truth.words.filter((word) => before.words.some(({ id, at }) => id === word.id && at === word.at))
    return { truth: { ...truth, words }, now, happened, allowed: truth.words }
  } finally {
    await world.close()
  }
}

interface SandboxClock {
  readonly now: string
  readonly epoch: string
  readonly seed: number
}

async function sandboxClock(): Promise<SandboxClock> {
  const response = await fetch(`${program.sandboxUrl}/sandbox/clock`)
  return (await response.json()) as SandboxClock
}

/** The sandbox has caught up, and so has each journey that was printed later: such a journey runs fast for a minute. */
async function isCaughtUp(): Promise<boolean> {
  if (Date.now() - Date.parse((await sandboxClock()).now) >= 2_000) return false
  const fast = await (await fetch(`${program.sandboxUrl}/sandbox/numbers?lively=true&limit=1000`)).json()
  const numbers = new Set((fast as readonly Asked[]).map(({ number }) => number))
  return !tracked.some(({ asked }) => numbers.has(asked.number))
}

/** From now on time passes at real speed: one more answer of the line to each shipment is complete. */
async function pollOnceMore(): Promise<void> {
  const since = Date.now()
  for (const { request } of tracked)
    await eventually(async () => hasAnsweredSince(request, since), { late: program.stderr })
  let before = ''
  await eventually(
    async () => {
      const metrics = await (await fetch(`${program.apiUrl}/metrics`)).text()
      const counts = (
        metrics.match(/^landfall_(look_finished|delivery_attempted|event_emitted)_total.*$/gm) ?? []
      ).join('\n')
      const isSame = counts === before && counts !== ''
      before = counts
      if (!isSame) await pause(1_200)
      return isSame
    },
    { late: () => 'it does not come to rest' },
  )
}

/** Polls the line again until it answers, as a simulated line is sometimes busy or fails. */
async function hasAnsweredSince(request: string, since: number): Promise<boolean> {
  const { data: now, included = [] } = await get(
    client,
    `/v2/tracking_requests/${request}?include=tracked_object.containers`,
  )
  const shipment = included.find(({ type }) => type === 'shipment')
  if (now.attributes['status'] === 'tracking_stopped' || shipment === undefined) return true
  const answered = String(shipment.attributes['line_tracking_last_succeeded_at'])
  if (Date.parse(answered) >= since) return true
  const container = included.find(({ type }) => type === 'container')
  assert.ok(container, 'a shipment that is tracked has a container')
  await send(client, 'PATCH', `/v2/containers/${container.id}/refresh`)
  await pause(300)
  return false
}
