// The last free day that counts: a container with one day by its line, one by its terminal and one by the account's terms
// has the same day in every place where people and agents look.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { freeDaysOf, hasLeftByRail } from '../../../src/domain/view/free-time.ts'
import type { FreeTime } from '../../../src/domain/view/projection.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { type AttentionStory, landed, openAttentionStory } from '../../support/attention-story.ts'
import { connect, openTestMcp, textOf } from '../../support/mcp.ts'

const box = 'MSCU4000005'
const other = 'MSCU4000010'
const bill = 'FREEDAY00001'
type Json = Readonly<Record<string, unknown>>

let story: AttentionStory
let shipmentId: string

before(async () => {
  story = await openAttentionStory()
  shipmentId = await story.track(bill, landed(box))
  await story.track('FREEDAY00002', landed(other))
})
after(() => story.close())

const shown = async (query = '') =>
  (await story.api.call({ url: `/v2/containers?filter[number]=${box}${query}` })).many()[0]
const freeUntil = async () => (await shown())?.attributes['free_until'] as Json | null
const day = (on: string, by: string, said: string | null, code: string | null = null) => {
  return { on, by, said_by: said, terms_code: code }
}

async function recordTerms(code: string, attributes: object): Promise<void> {
  const terms = {
    code,
    origin: 'contract',
    kind: 'demurrage',
    charged_by: 'line',
    currency: 'USD',
    start: 'vessel_discharged',
    start_first_full_day: true,
    stop: ['full_out'],
    free_unit: 'calendar_days',
    tiers: [{ from: 1, to: null, rate_minor: null }],
    ...attributes,
  }
  const body = { data: { type: 'charge_terms', attributes: terms } }
  const answer = await story.api.call({ method: 'POST', url: '/v2/charge_terms', body })
  assert.equal(answer.status, 201, answer.text)
  await story.api.drain()
}

test('nobody has named a last free day, and the container says so', async () => {
  assert.equal(await freeUntil(), null)
})

test('the earliest day counts, whoever named it, and the others stand beside it', async () => {
  await story.says(box, 'pickup_lfd_line', '2026-02-06')
  assert.deepEqual(await freeUntil(), {
    ...day('2026-02-06', 'line', 'terminal'),
    timezone: 'America/Los_Angeles',
    others: [],
  })
  await story.says(box, 'pickup_lfd_terminal', '2026-02-05')
  await recordTerms('acme', { free: 2 })
  // Discharged on 2 February: the first full day is the third.
  assert.deepEqual(await freeUntil(), {
    ...day('2026-02-04', 'terms', null, 'acme'),
    timezone: 'America/Los_Angeles',
    others: [day('2026-02-05', 'terminal', 'terminal'), day('2026-02-06', 'line', 'terminal')],
  })
  assert.equal((await shown())?.attributes['pickup_lfd'], '2026-02-06T08:00:00Z', 'keeps the rule of the contract')
})

test('the same day is in the list, its order and its filter, in the attention, on the shared page and for agents', async () => {
  const { api } = story
  const numbers = async (query: string) =>
    (await api.call({ url: `/v2/containers?${query}` })).many().map(({ attributes }) => attributes['number'])
  assert.deepEqual(
    (await numbers('sort=free_until')).toSorted(),
    [box, other],
    'the second has the day of the terms too',
  )
  assert.equal((await numbers('filter[free_until][start]=2026-02-04&filter[free_until][end]=2026-02-04')).length, 2)
  assert.deepEqual(await numbers('filter[free_until][start]=2026-02-05'), [])
  await api.pass(36)
  const item = await story.item('free_time_ends_soon', `?filter[shipment]=${shipmentId}`)
  assert.equal(item.attributes['text'], `${box}: Free time ends Wed 4 Feb, today, by the terms acme. Not picked up.`)
  assert.deepEqual([item.attributes['due_at'], item.attributes['after']], ['2026-02-05T08:00:00Z', '2026-02-04'])
  const link = {
    type: 'share_link',
    attributes: { name: 'For Ann' },
    relationships: { shipment: { data: { type: 'shipment', id: shipmentId } } },
  }
  const made = await api.call({ method: 'POST', url: '/v2/share_links', body: { data: link } })
  const shared = await api.call({ url: `/v2/shared/${made.one().attributes['token']}`, key: null })
  assert.match(shared.text, /"free_until":"2026-02-04"/)
  assert.doesNotMatch(shared.text, /acme/, 'the terms are a matter of the account')

  const mcp = await openTestMcp(api)
  const client = await connect(mcp.url, { authorization: `Token ${api.key}` })
  const ask = async (name: string, args: Json) => {
    const { content } = await client.callTool({ name, arguments: { ...args, intent: 'when must it be picked up' } })
    return textOf(content[0])
  }
  const full = await ask('list_containers', { number: box, view: 'full' })
  assert.match(full, /"earliestLfd":"2026-02-04","urgency":"today","daysUntilLfd":0/)
  const one = await ask('get_container', { id: (await shown())?.id })
  assert.match(one, /"earliest_lfd":"2026-02-04"/)
  assert.match(one, /Free time ends Wed 4 Feb, today, by the terms acme/)
  await client.close()
  await mcp.close()
})

test('an earlier day by the terminal moves the container up in the list, and terms that end leave the stated days', async () => {
  const { api } = story
  await story.says(other, 'pickup_lfd_terminal', '2026-02-03')
  const byUrgency = (await api.call({ url: '/v2/containers?sort=urgency' })).many()
  assert.deepEqual(
    byUrgency.map(({ attributes }) => attributes['number']),
    [other, box],
  )
  await recordTerms('acme', { free: 2, withdrawn: true })
  await api.pass(2)
  assert.equal((await freeUntil())?.['on'], '2026-02-05')
  const { rows } = await api.service.pool.query('select free_by_terms_on from containers where number = $1', [box])
  assert.equal(rows[0]?.free_by_terms_on, null)
})

test('the database finds the same day that was stated as the domain does, also after the container left by rail', async () => {
  const zone = 'America/Los_Angeles'
  const days = { line: '2026-02-09', terminal: '2026-02-05', rail: '2026-02-07' } as const
  const moves = [
    [],
    ['vessel_discharged'],
    ['vessel_discharged', 'rail_loaded'],
    ['rail_loaded', 'vessel_loaded', 'vessel_discharged'],
    ['vessel_discharged', 'rail_departed', 'rail_unloaded'],
  ] as const
  for (const happened of moves)
    for (const status of ['available', 'on_rail'])
      for (const missing of [[], ['terminal'], ['line', 'rail'], ['line', 'terminal', 'rail']]) {
        const entries = Object.entries(days).map(([by, on]) => [by, missing.includes(by) ? null : { kind: 'day', on }])
        // safe: the three members of FreeTime
        const freeTime = Object.fromEntries(entries) as FreeTime
        const milestones = happened.map((name) => ({ kind: 'actual', name }))
        const projection = JSON.stringify({ freeTime, pickupTimeZone: zone, milestones })
        const { rows } = await story.api.service.pool.query<{ day: string | null }>(
          'select earliest_free_day($1::jsonb, $2)::text as day',
          [projection, status],
        )
        const context = { hasLeftByRail: hasLeftByRail(status, happened), calculatedFreeDays: [] }
        const [first] = freeDaysOf({ freeTime, pickupTimeZone: zone, saidBy: {} }, context)
        assert.equal(rows[0]?.day ?? null, first?.on ?? null, `${happened} ${status} ${missing}`)
      }
})

test('another account does not see the container, and a rebuild from the ledger finds no difference', async () => {
  const stranger = await story.api.newKey(await story.api.newAccount(), ['read'])
  const strange = await story.api.call({ url: '/v2/containers?sort=free_until', key: stranger })
  assert.deepEqual(strange.many(), [])
  const quietly = { repair: false, differencesMax: 20, progress: () => {} }
  const fold = foldBy(readRules(story.api.service.config))
  assert.deepEqual((await rebuildProjections(story.api.service, fold, quietly)).differences, [])
})

test('a day that is no day is refused by the name of its filter', async () => {
  const refused = await story.api.call({ url: '/v2/containers?filter[free_until][start]=soon' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /filter\[free_until\]\[start\]/)
})
