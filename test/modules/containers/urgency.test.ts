// Containers in order of urgency: the day by which somebody has to act, soonest first, page by page in both directions.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AttentionStory, landed, openAttentionStory, pickedUp } from '../../support/attention-story.ts'

let story: AttentionStory
/** Free time of each ends on this day; null: nobody has stated it. */
const boxes = {
  MSCU4000005: '2026-02-05',
  MSCU4000010: '2026-02-03',
  MSCU4000026: null,
  MSCU4000031: '2026-02-20',
  MSCU4000047: '2025-10-05',
} as const
/** Came four months before the others, so that its deadline belongs to this trip. */
const early = 'MSCU4000047'
const inOrder = ['MSCU4000010', 'MSCU4000005', 'MSCU4000031', 'MSCU4000026', 'MSCU4000047']

before(async () => {
  story = await openAttentionStory()
  let bill = 0
  for (const [number, day] of Object.entries(boxes)) {
    bill += 1
    await story.track(`URGE0000000${bill}`, number === early ? fourMonthsBefore(landed(number)) : landed(number))
    if (day !== null) await story.says(number, 'pickup_lfd_terminal', day)
  }
})
after(() => story.close())

function fourMonthsBefore(events: readonly unknown[]): readonly unknown[] {
  const text = JSON.stringify(events)
  return JSON.parse(text.replaceAll('2026-01-', '2025-09-').replaceAll('2026-02-', '2025-10-')) as unknown[]
}

const numbers = async (query: string) => {
  const answer = await story.api.call({ url: `/v2/containers?sort=urgency${query}` })
  assert.equal(answer.status, 200, answer.text)
  return {
    numbers: answer.many().map(({ attributes }) => attributes['number']),
    links: answer.body.links ?? {},
  }
}

test('lists the earliest deadline first and long expired deadlines last', async () => {
  assert.deepEqual((await numbers('')).numbers, inOrder)
})

const actBy = async () =>
  Object.fromEntries(
    (await story.api.call({ url: '/v2/containers?fields[container]=number,act_by' }))
      .many()
      .map(({ attributes }) => [attributes['number'], attributes['act_by']]),
  )

test('a container says by which day somebody must act, and why', async () => {
  assert.deepEqual(
    await actBy(),
    Object.fromEntries(
      Object.entries(boxes).map(([number, on]) => [number, on === null ? null : { on, reason: 'free_time' }]),
    ),
  )
})

test('pages of containers by urgency have no gap, forward and back', async () => {
  const seen: unknown[] = []
  let next: string | null = '&page[size]=2&page[after]='
  let last = ''
  while (next !== null) {
    const page = await numbers(next)
    seen.push(...page.numbers)
    const url: string | undefined = page.links['next'] ?? undefined
    last = page.links['prev'] ?? last
    next = url === undefined ? null : `&${new URL(url).search.slice(1).replace(/sort=urgency&?/, '')}`
  }
  assert.deepEqual(seen, inOrder)
  const back = await numbers(`&${new URL(last).search.slice(1).replace(/sort=urgency&?/, '')}`)
  assert.deepEqual(back.numbers, inOrder.slice(2, 4))
  assert.deepEqual((await numbers('&page[size]=2&page[number]=2')).numbers, inOrder.slice(2, 4))
})

test('a hold makes a container the most urgent, and a container that is picked up is urgent no more', async () => {
  await story.says('MSCU4000026', 'holds', [{ name: 'customs', status: 'hold' }])
  assert.equal((await numbers('')).numbers[0], 'MSCU4000026')
  assert.deepEqual((await actBy())['MSCU4000026'], { on: '2026-02-02', reason: 'hold' })
  // The gate-out is at 18:00 UTC of the day.
  await story.api.pass(20)
  await story.tell('URGE00000002', pickedUp('MSCU4000010'))
  const after = (await numbers('')).numbers
  const box = (await story.api.call({ url: '/v2/containers?filter[number]=MSCU4000010' })).many()[0]
  assert.equal(box?.attributes['current_status'], 'picked_up')
  assert.equal(box?.attributes['act_by'], null)
  assert.ok(after.indexOf('MSCU4000010') > after.indexOf('MSCU4000031'), String(after))
})

test('a shipment is as urgent as its most urgent container, also page by page and in a CSV export', async () => {
  const { many } = await story.api.call({ url: '/v2/containers?sort=urgency&include=shipment' })
  const byBox = many().map(({ relationships }) => (relationships?.['shipment']?.data as { id: string } | null)?.id)
  const asked = await story.api.call({ url: '/v2/shipments?sort=urgency' })
  assert.deepEqual(
    asked.many().map(({ id }) => id),
    byBox,
  )
  const second = await story.api.call({ url: '/v2/shipments?sort=urgency&page[size]=2&page[number]=2' })
  assert.deepEqual(
    second.many().map(({ id }) => id),
    byBox.slice(2, 4),
  )
  const exported = await story.api.call({ url: '/v2/shipments?sort=urgency&format=csv' })
  const places = byBox.map((id) => exported.text.indexOf(String(id)))
  assert.ok(
    places.every((place, at) => place > (places[at - 1] ?? 0)),
    String(places),
  )
})

test('without a sort parameter the order stays the newest update first', async () => {
  const plain = (await story.api.call({ url: '/v2/containers' })).text
  const asked = (await story.api.call({ url: '/v2/containers?sort=-updated_at' })).text
  assert.deepEqual(JSON.parse(plain).data, JSON.parse(asked).data)
})
