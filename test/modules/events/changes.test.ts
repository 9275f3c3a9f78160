// The latest changes as sentences: one line a change, the newest first.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type SeededRoute, seedRoute, tellRoute, told } from '../../support/route-seed.ts'

const bill = 'MSCUROUTE0000031'
const box = 'MSCU4000005'
const dayMs = 86_400_000
let api: TestApi
let seeded: SeededRoute

interface Line {
  readonly at: string
  readonly text: string
  readonly number: string | null
  readonly sequence: number
  readonly container_number: string | null
  readonly shipment_id: string | null
}

async function changes(query = '', key = api.key): Promise<{ lines: readonly Line[]; before: number | null }> {
  const { text } = await api.call({ key, url: `/v2/changes${query}` })
  const { data, meta } = JSON.parse(text) as { data: readonly Line[]; meta: { before: number | null } }
  return { lines: data, before: meta.before }
}

const way = (arrival: string, imo = '9321483') => [
  told('DEPA', 'CNSHA', '2026-01-16T12:00:00Z', 'A', imo),
  told('LOAD', 'CNSHA', '2026-01-16T02:00:00Z', 'A', imo),
  told('ARRI', 'USLAX', arrival, 'C', imo),
]

before(async () => {
  api = await openTestApi({ startAt: '2026-01-15T00:00:00Z', hasReference: true })
  seeded = await seedRoute(api, { bill, journey: way('2026-02-03T18:00:00Z') })
  api.clock.set(Date.parse('2026-01-15T00:00:00Z') + dayMs)
  tellRoute(api, seeded.carrier, { bill, journey: way('2026-02-06T18:00:00Z', '9359052') })
  await api.drain()
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

test('an arrival that moved is one line, of the shipment, with both days and the source', async () => {
  const { lines } = await changes()
  const moved = lines.filter(({ text }) => text.includes('moved'))
  assert.deepEqual(
    moved.map(({ text, number }) => [text, number]),
    [['Arrival at Los Angeles moved from Tue 3 to Fri 6 Feb, says ONE', bill]],
  )
  assert.match(moved[0]?.at ?? '', /^2026-01-16T\d\d:\d\d:\d\dZ$/)
  assert.deepEqual(
    lines
      .filter(({ text }) => text.startsWith('Ship changed'))
      .map(({ text, container_number }) => [text, container_number]),
    [['Ship changed from Ship 9321483 to Ship 9359052, says ONE', box]],
  )
  assert.deepEqual(
    lines.map(({ sequence }) => sequence),
    lines.map(({ sequence }) => sequence).toSorted((a, b) => b - a),
  )
})

test('the pages together have every line once', async () => {
  const { lines } = await changes()
  const read: Line[] = []
  for (let query = '?limit=5', pages = 0; pages < 50; pages += 1) {
    const page = await changes(query)
    read.push(...page.lines)
    if (page.before === null) break
    query = `?limit=5&before=${page.before}`
  }
  assert.deepEqual(new Set(read.map(({ text }) => text)), new Set(lines.map(({ text }) => text)))
})

test('the filter gives the lines of one shipment, and nothing of another account', async () => {
  const [shipment] = (await api.call({ url: `/v2/shipments?number=${bill}` })).many()
  const { lines } = await changes(`?filter[shipment_id]=${shipment?.id}`)
  assert.ok(lines.length > 3)
  assert.ok(lines.every(({ shipment_id }) => shipment_id === shipment?.id))
  const other = await api.newKey(await api.newAccount(), ['read'])
  for (const query of ['', `?filter[shipment_id]=${shipment?.id}`])
    assert.deepEqual(await changes(query, other), { lines: [], before: null })
})

test('a limit that is too high is refused with the name of the parameter', async () => {
  const { status, body } = await api.call({ url: '/v2/changes?limit=201' })
  assert.equal(status, 422)
  assert.deepEqual(body.errors?.[0]?.source, { parameter: 'limit' })
})
