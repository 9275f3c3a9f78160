// The SDK for Python, if Python is on the machine: the examples of its README, run as one program against a real server.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { signedHeaders } from '../../src/modules/webhooks/signatures.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { eventually } from '../support/eventually.ts'
import { tellRoute } from '../support/route-seed.ts'
import { giveAccess } from '../support/service.ts'

const sdk = fileURLToPath(new URL('../../sdk/python/', import.meta.url))
const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
const hasPython = ((): boolean => {
  try {
    execFileSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
const options = hasPython ? {} : { skip: 'there is no Python 3.9 or newer on this machine' }

let api: TestApi
let carrier: Carrier
let url: string
let folder: string

before(async () => {
  api = await openTestApi({ startAt: '2026-01-26T00:00:00Z' })
  url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  carrier = await openCarrier()
  await giveAccess(api, { scac: 'ONEY', profile: carrier.profile('ONEY', { isFullPicture: true }) })
  tellRoute(api, carrier, { bill: 'ONEYPYTHON001' })
  folder = mkdtempSync(join(tmpdir(), 'landfall-python-'))
})
after(async () => {
  rmSync(folder, { recursive: true })
  await carrier.close()
  await api.close()
})

interface Run {
  readonly child: ChildProcess
  readonly said: () => string
  readonly ended: Promise<number | null>
}

function runPython(program: string, env: Readonly<Record<string, string>> = {}): Run {
  const child = spawn('python3', ['-u', '-c', program], {
    cwd: folder,
    env: {
      ...process.env,
      PYTHONPATH: sdk,
      PYTHONDONTWRITEBYTECODE: '1',
      LANDFALL_API_URL: url,
      LANDFALL_API_KEY: api.key,
      ...env,
    },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, said: () => text, ended }
}

test('the example of the README runs from the first line to the last', options, async () => {
  const readme = readFileSync(join(sdk, 'README.md'), 'utf8')
  const program = [...readme.matchAll(/```python\n(.*?)```/gs)]
    .map(([, block]) => block)
    .join('\n')
    // The number of the sandbox, which does not run here.
    .replaceAll('SBX-PLAIN-01', 'ONEYPYTHON001')
    .replaceAll('"MSCU"', '"ONEY"')
  const port = await freePort()
  const run = runPython(program, { PORT: String(port), LANDFALL_WEBHOOK_SECRET: secret })
  const work = { isOver: false }
  void run.ended.then(() => (work.isOver = true))
  const working = (async () => {
    while (!work.isOver) {
      await api.drain()
      await pause(50)
    }
  })()
  await eventually(async () => work.isOver || (await deliver(port)), { late: run.said })
  assert.equal(await run.ended, 0, run.said())
  await working
  const said = run.said()
  assert.match(said, /^created \['MSCU4000005'/m)
  assert.match(said, /^422 \[.*request_number/m)
  assert.match(said, /^1 tracking_request\.\w+\n2 .*\n3 /m)
  assert.match(said, /^container\.transport\.vessel_arrived /m)
  assert.equal(readFileSync(join(folder, 'place'), 'utf8'), '2', 'the turn of the third has not ended')
  const [shipment] = (await api.call({ url: '/v2/shipments' })).many()
  assert.deepEqual(shipment?.attributes['tags'], ['spring'])
})

/** Sends a signed example; false while nothing listens. */
async function deliver(port: number): Promise<boolean> {
  const example = await api.call({
    url: '/v2/webhook_notifications/examples?event=container.transport.vessel_arrived',
  })
  const body = Buffer.from(example.text)
  const headers = signedHeaders({ id: 'msg_1', body, atMs: Date.now(), secrets: [secret], hexHeaders: [] })
  try {
    const answer = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: Object.fromEntries(headers),
    })
    assert.equal(answer.status, 204)
    return true
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  assert.ok(address !== null && typeof address === 'object')
  return address.port
}

test('temporary failures are retried with one key, and a refusal raises an error with its field', options, async () => {
  const keys: (string | undefined)[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key'] as string | undefined)
    if (keys.length < 3) response.writeHead(503, { 'retry-after': '0' }).end()
    else if (keys.length === 3)
      response.writeHead(201).end('{"data":{"type":"party","id":"1","attributes":{"company_name":"A"}}}')
    else response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const program = `
from landfall_sdk import Landfall, Refused, NotIncluded
landfall = Landfall("http://127.0.0.1:${address.port}", "secret")
print(landfall.create_party({"company_name": "A"}).company_name)
try:
    landfall.get_party("1")
except Refused as refused:
    print(refused.status)
`
  const run = runPython(program)
  assert.equal(await run.ended, 0, run.said())
  server.close()
  assert.equal(run.said(), 'A\n302\n', 'a key is not sent on to another address')
  assert.equal(keys.length, 4)
  assert.ok(keys[0] !== undefined && keys[0] === keys[1] && keys[1] === keys[2])
})

test('tracking a number again returns the existing request', options, async () => {
  const tracked = (await api.call({ url: '/v2/tracking_requests' })).many()[0]
  const program = `
import os
from landfall_sdk import Landfall, Refused
landfall = Landfall(os.environ["LANDFALL_API_URL"], os.environ["LANDFALL_API_KEY"])
again = landfall.track("ONEYPYTHON001", type="bill_of_lading", scac="ONEY")
print(again.id, again.status)
try:
    landfall.track("ONEYPYTHON001", type="bill_of_lading", scac="ZZZZ")
except Refused as refused:
    print(refused.codes)
inferred = landfall.infer_number({"number": "MSCU4000005"})
print(inferred.number_type, inferred.validation["is_valid"], len(inferred.answer_meta["explanation"]) > 0)
`
  const run = runPython(program)
  assert.equal(await run.ended, 0, run.said())
  assert.equal(run.said(), `${tracked?.id} created\n['unknown_scac']\ncontainer True True\n`)
})

test('a notification without a valid signature is refused with the reason', options, async () => {
  const program = `
import time
from landfall_sdk import Distrusted, read_notification
def tried(headers, body=b"{}", **more):
    try:
        read_notification(body, headers, "${secret}", **more)
    except Distrusted as error:
        print(error.reason)
tried({})
now = int(time.time())
given = {"Webhook-Id": "1", "webhook-timestamp": str(now), "webhook-signature": "v1,AAAA"}
tried(given)
tried(given, now=now + 301)
tried(given, now=now - 301)
tried({**given, "webhook-timestamp": "soon"})
`
  const run = runPython(program)
  assert.equal(await run.ended, 0, run.said())
  assert.equal(run.said(), 'headers_missing\nsignature_wrong\ntoo_old\ntoo_new\ntoo_old\n')
})
