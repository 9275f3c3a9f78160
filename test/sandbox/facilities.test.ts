/** Terminals and railways over HTTP: each workflow reports the true state, and fails as real ones do. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, test } from 'node:test'
import { FACILITIES, type Facility, findFacility, WORKFLOWS } from '../../sandbox/facilities.ts'
import { findBox, type KnownBox, recordOf } from '../../sandbox/facility-record.ts'
import { DAY } from '../../sandbox/local-time.ts'
import { World } from '../../sandbox/world.ts'
import { readDescription } from '../../src/connectors/terminal-api/description.ts'
import { parseFacilityPollProfile } from '../../src/connectors/terminal-api/poll-profile.ts'
import { parseFacilityProfile } from '../../src/connectors/terminal-api/profile.ts'
import { eventually } from '../support/eventually.ts'
import { Asker, EPOCH } from './ask.ts'

/** Not in the minutes in which the seed makes a facility fail. */
const now = EPOCH + 60 * DAY
const world = new World(1, EPOCH)
const known = new Map<Facility, readonly string[]>()
const headers = { 'X-Api-Key': 'sandbox' }

before(() => {
  const numbers = world.recent(now, 90, null).flatMap(({ boxes }) => boxes.map(({ number }) => number))
  for (const facility of FACILITIES)
    known.set(facility, numbers.filter((number) => hasNews(findBox(world, facility, number, now))).slice(0, 8))
})

/** Its state is known now, and changes within four days. */
function hasNews(box: KnownBox | null): boolean {
  return box?.changes.some((at) => at > now && at < now + 4 * DAY) === true
}

function facilityOf(name: string): { readonly facility: Facility; readonly numbers: readonly string[] } {
  const facility = findFacility(name)
  assert.ok(facility)
  const numbers = known.get(facility) ?? []
  assert.ok(numbers.length > 2, `${name} knows ${numbers.length} boxes`)
  return { facility, numbers }
}

function truth(facility: Facility, number: string): unknown {
  const box = findBox(world, facility, number, now)
  assert.ok(box)
  return JSON.parse(JSON.stringify(recordOf(box, now)))
}

test('each facility has a description that the service accepts, and every workflow occurs', async (t) => {
  const asker = await Asker.start(t, 60)
  const listed = JSON.parse((await asker.get('/sandbox/facilities?inbound=http://127.0.0.1:9/v2/inbound')).text)
  assert.equal(listed.length, FACILITIES.length)
  assert.deepEqual(new Set(listed.map(({ workflow }: { workflow: string }) => workflow)), new Set(WORKFLOWS))
  for (const { channel, description } of listed) {
    const read = readDescription(description)
    assert.ok(read.ok, channel)
    const [answer, asking] = [parseFacilityProfile(read.value.answer), parseFacilityPollProfile(read.value.asking)]
    assert.ok(answer.ok, `${channel}: ${answer.ok ? '' : answer.reason}`)
    assert.ok(asking.ok, `${channel}: ${asking.ok ? '' : asking.reason}`)
  }
})

test('a facility answers for its container, 404 for an unknown one, and 401 without a key', async (t) => {
  const asker = await Asker.start(t, 60)
  const { facility, numbers } = facilityOf('quayside')
  for (const number of numbers) {
    const reply = await asker.get(`/facilities/quayside/v1/containers/${number}`, { headers })
    assert.equal(reply.status, 200)
    assert.deepEqual(JSON.parse(reply.text), truth(facility, number))
  }
  const stranger = await asker.get('/facilities/quayside/v1/containers/ABCU1234560', { headers })
  assert.equal(stranger.status, 404)
  assert.equal((await asker.get(`/facilities/quayside/v1/containers/${numbers[0]}`)).status, 401)
})

test('an answer about many containers omits unknown ones; railways omit check digits', async (t) => {
  const asker = await Asker.start(t, 60)
  const port = facilityOf('pierhead')
  const url = `/facilities/pierhead/v2/availability?containers=ABCU1234560,${port.numbers.join()}`
  const answer = JSON.parse((await asker.get(url, { headers })).text)
  assert.deepEqual(
    answer.containers,
    port.numbers.map((number) => truth(port.facility, number)),
  )
  const rail = facilityOf('bnsf')
  const units = rail.numbers.map((number) => ({ initial: number.slice(0, 4), number: number.slice(4, 10) }))
  const reply = await asker.get('/facilities/bnsf/v2/availability', {
    method: 'POST',
    body: JSON.stringify({ units }),
    headers,
  })
  assert.deepEqual(
    JSON.parse(reply.text).units,
    rail.numbers.map((number) => truth(rail.facility, number)),
  )
})

test('a queue returns each published update once, locks it until deletion, and returns later changes', async (t) => {
  const asker = await Asker.start(t, 60)
  const { facility, numbers } = facilityOf('gatenet')
  const some = numbers.slice(0, 2)
  const post = (path: string, body = '') => asker.get(`/facilities/gatenet${path}`, { method: 'POST', body, headers })
  assert.equal((await post('/publish', JSON.stringify({ containers: some }))).status, 202)
  const drain = async (): Promise<readonly unknown[]> => {
    const messages: unknown[] = []
    for (;;) {
      const reply = await post('/updates/messages/head')
      if (reply.status === 204) return messages
      assert.equal(reply.status, 201)
      messages.push(JSON.parse(reply.text))
      const place = reply.headers.get('location') ?? ''
      assert.equal((await asker.get(place, { method: 'DELETE', headers })).status, 200)
    }
  }
  assert.deepEqual(
    await drain(),
    some.map((number) => truth(facility, number)),
  )
  assert.deepEqual(await drain(), [])
  asker.setDay(66)
  assert.equal((await drain()).length, 2)
})

test('a subscriber gets the present state and every change, only at an address of this machine', async (t) => {
  const asker = await Asker.start(t, 60)
  const { facility, numbers } = facilityOf('harborline')
  const received: unknown[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += String(chunk)
    })
    request.on('end', () => {
      assert.equal(request.headers.authorization, 'Bearer a key')
      received.push(...JSON.parse(text).containers)
      response.end()
    })
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const subscribe = (callback: string) =>
    asker.get('/facilities/harborline/v1/subscriptions', {
      method: 'POST',
      body: JSON.stringify({ callback, bearer: 'a key', containers: numbers }),
      headers,
    })
  assert.equal((await subscribe('http://192.0.2.1/hook')).status, 400)
  const { port } = server.address() as AddressInfo
  assert.equal((await subscribe(`http://127.0.0.1:${port}/hook`)).status, 201)
  await eventually(async () => received.length >= numbers.length, {
    late: () => `${received.length} of ${numbers.length} were told`,
  })
  assert.deepEqual(
    received,
    numbers.map((number) => truth(facility, number)),
  )
  asker.setDay(64)
  await eventually(async () => received.length > numbers.length, { late: () => 'nothing new was told' })
})

test('an enabled fault affects the next answers of its facility', async (t) => {
  const asker = await Asker.start(t, 60)
  const { numbers } = facilityOf('pierhead')
  const url = `/facilities/pierhead/v2/availability?containers=${numbers.slice(0, 4).join()}`
  const spoil = (kind: string) =>
    asker.get('/sandbox/faults', {
      method: 'POST',
      body: JSON.stringify({ facility: 'pierhead', kind, count: 1 }),
    })
  const right = await asker.get(url, { headers })
  const spoilt = async (kind: string) => {
    assert.equal((await spoil(kind)).status, 200)
    return asker.get(url, { headers })
  }
  const limited = await spoilt('429')
  assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '2'])
  assert.match((await spoilt('html')).text, /<html>/)
  const listed = (text: string) =>
    (JSON.parse(text).containers as readonly { container: string }[]).map(({ container }) => container)
  assert.deepEqual(listed((await spoilt('half')).text), numbers.slice(0, 2))
  const others = listed((await spoilt('other')).text)
  assert.ok(others.length === 1 && !numbers.slice(0, 4).includes(others[0] ?? ''))
  assert.throws(() => JSON.parse(right.text.slice(0, 50)))
  assert.ok((await spoilt('trunc')).text.length < right.text.length)
  assert.equal((await asker.get(url, { headers })).text, right.text)
})
