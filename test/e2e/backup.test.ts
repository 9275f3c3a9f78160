/**
 * The real program, backed up while it works, destroyed, and restored elsewhere: the feed continues, receivers accept
 * the signatures, and nothing leaves the copy before `resume`.
 */

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { landfall, landfallApart } from './landfall.ts'
import { type Door, get, send, track } from './newcomer.ts'
import { openDataFolder } from './prepared-folder.ts'
import { freePorts, makeDataFolder, type Ports, type Program, startProgram, withoutThreads } from './program.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import type { Asked } from './truth.ts'

const env = { LANDFALL_BACKUP_PASSPHRASE: 'a passphrase for the copy' }
const settings = {
  ...withoutThreads,
  LANDFALL_SANDBOX_SPEED: '1000000',
  LANDFALL_REFRESH_GAP_MINUTES: '0',
}

/** The last bills, as many as this, are tracked by the copy only, so that there is news after `resume` at any speed. */
const unused = 3

let original: ReturnType<typeof makeDataFolder>
let copy: ReturnType<typeof makeDataFolder>
let shelf: string
let file: string
let ports: Ports
let receiver: Receiver
let program: Program
let client: Door
/** Of the original, after the backup had ended. */
let feed: readonly Told[]
/** How many deliveries the receiver had when the original was destroyed. */
let heard = 0
let numbers: readonly Asked[]

before(async () => {
  original = await openDataFolder()
  copy = makeDataFolder()
  shelf = mkdtempSync(join(tmpdir(), 'landfall-shelf-'))
  file = join(shelf, 'copy.landfall')
  ports = await freePorts()
  receiver = await openReceiver()
  program = startProgram({ dataFolder: original.path, ports, env: settings })
  client = { program, key: await program.up }
  await subscribe()
  numbers = (await (await fetch(`${program.sandboxUrl}/sandbox/numbers`)).json()) as readonly Asked[]
  for (const asked of bills(0, 4)) await track(client, asked)
  await eventually(() => receiver.deliveries.length > 10, { late: program.stderr })
})

after(async () => {
  await program?.kill('SIGKILL')
  await receiver?.close()
  await original?.remove()
  await copy?.remove()
  rmSync(shelf, { recursive: true, force: true })
})

test('the backup command succeeds while shipments change', async () => {
  let isDone = false
  const saved = landfallApart(original.path, ['backup', file], env).finally(() => {
    isDone = true
  })
  // Requests are made all the time, so that the moment of the backup is in the middle of changes.
  for (const asked of bills(4, -unused)) {
    if (isDone) break
    await track(client, asked).catch(() => {})
  }
  const { code, err, out } = await saved
  assert.equal(code, 0, err)
  assert.match(out, /rows of \d+ tables and 2 files as of .*, encrypted/)
  feed = await readFeed()
  assert.ok(feed.length > 10)
  await program.kill('SIGKILL')
  await original.remove()
  assert.equal(existsSync(original.path), false)
  heard = receiver.deliveries.length
})

test('the restored copy serves the saved events with their numbers, and neither polls nor sends webhooks', async () => {
  const restored = await landfallApart(copy.path, ['restore', file], env)
  assert.equal(restored.code, 0, restored.err)
  const again = await landfall(copy.path, ['restore', file], env)
  assert.deepEqual([again.code, /not empty/.test(again.err)], [1, true])

  program = startProgram({ dataFolder: copy.path, ports, env: settings })
  client = { program, key: await program.up }
  assert.deepEqual(await readiness(), ['ready', true])
  assert.match(await (await fetch(`${program.apiUrl}/metrics`)).text(), /^landfall_paused 1$/m)
  const now = await readFeed()
  assert.deepEqual(now, feed.slice(0, now.length), 'the feed is the beginning of that of the original')
  assert.ok(now.length > 0)
  assert.deepEqual(
    now.map(({ sequence }) => sequence),
    now.map((_, index) => index + 1),
  )
  const asked = bills(0, numbers.length).at(-1)
  assert.ok(asked)
  const request = await track(client, asked).catch(() => null)
  const inUse = await landfall(copy.path, ['restore', file, '--force'], env)
  assert.deepEqual([inUse.code, /is in use/.test(inUse.err)], [1, true], 'a running copy is not replaced')
  if (request !== null) {
    const { data } = await get(client, `/v2/tracking_requests/${request}`)
    assert.equal(data.attributes['status'], 'pending')
  }
  assert.deepEqual(namesOf(program).filter(isOutgoing), [])
  assert.equal(receiver.deliveries.length, heard)
})

test('after resume the feed continues without a gap, and deliveries are signed with the known secret', async () => {
  const before = await readFeed()
  const { code, out } = await landfall(copy.path, ['resume'])
  assert.equal(code, 0)
  assert.match(out, /It is resumed\. It was paused since/)
  // On a slow machine the journeys of all other numbers may have ended.
  for (const asked of bills(-unused, numbers.length)) await track(client, asked).catch(() => {})
  await eventually(async () => (await readFeed()).length > before.length && receiver.deliveries.length > heard, {
    late: program.stderr,
  })
  const now = await readFeed()
  assert.deepEqual(now.slice(0, before.length), before)
  assert.deepEqual(
    now.map(({ sequence }) => sequence),
    now.map((_, index) => index + 1),
  )
  assert.deepEqual(
    receiver.deliveries.slice(heard).filter(({ isSigned }) => !isSigned),
    [],
  )
  // A delivery is logged after its answer, which is after the receiver has it.
  await eventually(async () => namesOf(program).some(isOutgoing), { late: program.stdout })
  const names = namesOf(program)
  const resumed = names.indexOf('server.resumed')
  assert.ok(names.indexOf('server.paused') >= 0 && resumed > names.indexOf('server.paused'))
  assert.ok(names.findIndex(isOutgoing) > resumed, 'the first question and the first delivery came after the pause')
  assert.deepEqual(await readiness(), ['ready', false])
})

async function readiness(): Promise<readonly [unknown, unknown]> {
  const answer = await fetch(`${program.apiUrl}/readyz`)
  const { status, paused } = (await answer.json()) as { readonly status: unknown; readonly paused: unknown }
  return [status, paused]
}

interface Told {
  readonly id: string
  readonly sequence: number
  readonly event: string
}

async function readFeed(): Promise<readonly Told[]> {
  const told: Told[] = []
  for (;;) {
    const after = told.at(-1)?.sequence ?? 0
    const { data } = await get(client, `/v2/events?after=${after}&limit=1000`)
    if (data.length === 0) return told
    for (const { id, attributes } of data)
      told.push({ id, sequence: Number(attributes['sequence']), event: String(attributes['event']) })
  }
}

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

function bills(from: number, to: number) {
  return numbers
    .filter(({ kind }) => kind === 'bill_of_lading')
    .slice(from, to)
    .map(({ number, scac }) => ({ request_type: 'bill_of_lading', request_number: number, scac }))
}

function namesOf({ stdout }: Program): readonly string[] {
  return stdout()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [String(JSON.parse(line).event)] : []))
}

/** Log events of requests to carriers and of deliveries. */
function isOutgoing(name: string): boolean {
  return ['look.finished', 'look.failed', 'delivery.attempted', 'mail.sent', 'channel.asked'].includes(name)
}
