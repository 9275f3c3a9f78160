/** Users who start long after the sandbox caught up see journeys begin and continue as fast as before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Listed } from '../../sandbox/catalogue.ts'
import { LINES } from '../../sandbox/lines.ts'
import { DAY, HOUR } from '../../sandbox/local-time.ts'
import { Asker, EPOCH } from './ask.ts'

const caughtUp = 90
const second = 1_000

test('lists journeys that begin late only after the sandbox clock has caught up', async (t) => {
  const asker = await Asker.start(t, 80)
  const lively = async () => (await asker.numbers()).filter((listed) => listed.lively)
  assert.deepEqual(await lively(), [])
  for (const hours of [1, 24, 24 * 365]) {
    asker.setDay(caughtUp + hours / 24)
    const found = await lively()
    assert.deepEqual(await asker.numbers().then((all) => all.slice(0, found.length)), found, 'they come first')
    assert.ok(new Set(found.map(({ scac }) => scac)).size > 5, `after ${hours} hours`)
    assert.deepEqual(new Set(found.map(({ kind }) => kind)).size, 3)
  }
})

test('a journey that begins after the clock has caught up gets new events within a minute', async (t) => {
  const asker = await Asker.start(t, caughtUp + 1 / 24)
  const begun = asker.now
  const follow = (await asker.numbers()).filter(({ lively }) => lively).slice(0, 8)
  let changes = 0
  const last = new Map<string, string>()
  for (let seconds = 0; seconds <= 60; seconds += 2) {
    asker.setTime(new Date(begun + seconds * second).toISOString())
    for (const { scac, kind, number } of follow) {
      const events = await asker.events(scac, kind, number)
      assert.ok(events.length > 0, `${scac} ${number} is known`)
      for (const { eventCreatedDateTime } of events) assert.ok(Date.parse(eventCreatedDateTime) <= asker.now)
      const text = JSON.stringify(events)
      if (last.has(number) && last.get(number) !== text) changes += 1
      last.set(number, text)
    }
  }
  assert.ok(changes > 8 * 5, `${changes} changes in a minute`)
  const stages = await stagesOf(asker, follow)
  assert.ok(
    stages.some((stage) => /discharged|gated_out|empty_returned|rail/.test(stage)),
    stages.join(),
  )

  // Long after it has left the list, and from a sandbox that was started just now.
  const later = await Asker.start(t, caughtUp + 30)
  asker.setDay(caughtUp + 30)
  for (const { scac, kind, number } of follow) {
    const reply = await later.ask(scac, kind, number)
    assert.equal(reply.text, (await asker.ask(scac, kind, number)).text)
    assert.equal(reply.status, 200)
  }
})

test('every line answers the number of each late journey with events, although no list of them is stored', async (t) => {
  const asker = await Asker.start(t)
  const seen = new Set<string>()
  for (let minutes = 0; minutes < 24; minutes += 2) {
    asker.setTime(new Date(EPOCH + caughtUp * DAY + 20_000 * HOUR + minutes * 60 * second).toISOString())
    for (const { scac, kind, number } of (await asker.numbers()).filter(({ lively }) => lively)) {
      assert.ok((await asker.events(scac, kind, number)).length > 0, `${scac} ${kind} ${number}`)
      seen.add(`${scac} ${kind}`)
    }
  }
  assert.deepEqual(seen, new Set(LINES.flatMap(({ scac, kinds }) => kinds.map((kind) => `${scac} ${kind}`))))
})

async function stagesOf(asker: Asker, listed: readonly Listed[]): Promise<readonly string[]> {
  const stages: string[] = []
  for (const { number } of listed) {
    const [truth] = JSON.parse((await asker.get(`/sandbox/journeys/${number}`)).text)
    stages.push(...truth.containers.map(({ stage }: { readonly stage: string }) => stage))
  }
  return stages
}
