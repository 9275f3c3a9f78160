/** Scenarios with a name: each can be tracked by its number, at ten stages of its journey, in every sandbox. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DAY } from '../../sandbox/local-time.ts'
import { type NamedScenario, unnamedStories } from '../../sandbox/named.ts'
import { writeScenariosPage } from '../../tools/scenarios-page-text.ts'
import { Asker, EPOCH } from './ask.ts'

async function scenariosOf(asker: Asker): Promise<readonly NamedScenario[]> {
  return (await (await fetch(`${asker.url}/sandbox/scenarios`)).json()) as readonly NamedScenario[]
}

test('every scenario script has a named number, which gives the same events in two sandboxes', async (t) => {
  assert.deepEqual(unnamedStories(), [])
  const [asker, other] = await Promise.all([Asker.start(t, 90), Asker.start(t, 90, 7)])
  const scenarios = await scenariosOf(asker)
  assert.ok(scenarios.length > 20)
  assert.deepEqual(await scenariosOf(other), scenarios)
  for (const { name, scac, kind, number } of scenarios) {
    const events = await asker.events(scac, kind, number)
    assert.ok(events.length > 0, name)
    assert.deepEqual(await other.events(scac, kind, number), events, name)
  }
})

test('a named number may be written with hyphens and in lower case', async (t) => {
  const asker = await Asker.start(t, 90)
  const events = await asker.events('YMLU', 'booking', 'SBXROLLOVER01')
  assert.ok(events.length > 10)
  assert.deepEqual(await asker.events('YMLU', 'booking', 'SBX-ROLLOVER-01'), events)
  assert.deepEqual(await asker.events('YMLU', 'booking', 'sbx-rollover-01'), events)
  assert.deepEqual(await asker.events('MSCU', 'booking', 'SBX-ROLLOVER-01'), [], 'it is of one line')
  const truth = await fetch(`${asker.url}/sandbox/journeys/SBX-ROLLOVER-01`)
  assert.equal(truth.status, 200)
})

test('ten instances of a scenario begin ten days apart and have containers of their own', async (t) => {
  const asker = await Asker.start(t, 90.5)
  const counts: number[] = []
  const boxes = new Set<string>()
  for (let instance = 1; instance <= 10; instance += 1) {
    const number = `SBX-PLAIN-${String(instance).padStart(2, '0')}`
    const events = await asker.events('MSCU', 'booking', number)
    counts.push(events.length)
    for (const { equipmentReference: box } of events) if (box !== undefined) boxes.add(box)
  }
  assert.equal(counts[0], 14)
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => b - a),
    'the later it began, the less has been said',
  )
  assert.equal(counts.at(-1), 0, 'the last one begins on this day')
  asker.setTime(new Date(EPOCH + 92 * DAY).toISOString())
  assert.ok((await asker.events('MSCU', 'booking', 'SBX-PLAIN-10')).length > 0)
  const listed = new Set((await asker.numbers()).flatMap(({ containers }) => containers))
  for (const box of boxes) assert.ok(!listed.has(box), box)
})

test('docs/scenarios.md lists the numbers that the sandbox answers', () => {
  const page = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8')
  assert.equal(page, writeScenariosPage(), 'run node tools/run.mjs tools/scenarios-page.ts')
})
