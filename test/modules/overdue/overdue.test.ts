// What is overdue: it is told once and ends once, silence of the line is told apart, the account's own past counts where
// there is enough of it, and another account sees nothing.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decideExpectations } from '../../../src/modules/overdue/decide-expectations.ts'
import { priorTimes } from '../../../src/reference/step-times.ts'
import type { WireResource } from '../../support/api.ts'
import { type AttentionStory, atSea, landed, openAttentionStory, pickedUp } from '../../support/attention-story.ts'

let story: AttentionStory
let strangerKey: string
before(async () => {
  story = await openAttentionStory()
  strangerKey = await story.api.newKey(await story.api.newAccount(), ['read', 'write'])
})
after(() => story.close())

/** The table is measured anew when the sandbox changes. */
const priorOf = (step: string) => priorTimes().get(step) ?? { cases: 0, usualHours: 0, limitHours: 0 }
const later = (at: string, hours: number) =>
  new Date(Date.parse(at) + hours * 3_600_000).toISOString().replace('.000Z', 'Z')
const days = (hours: number) => Number((hours / 24).toFixed(1))
const arrival = priorOf('estimate>vessel_arrived')
const pickUp = priorOf('vessel_discharged>full_out')
const pickUpDueAt = later('2026-02-02T21:00:00Z', pickUp.limitHours)

interface OverdueEvent {
  readonly name: string
  readonly attributes: WireResource['attributes']
}
/** All events about what is overdue, oldest first. */
async function eventsOf(shipmentId: string, key = story.api.key): Promise<readonly OverdueEvent[]> {
  const answer = await story.api.call({
    url: `/v2/events?filter[event]=container.overdue.started,container.overdue.ended&after=0&include=reference_object`,
    key,
  })
  assert.equal(answer.status, 200, answer.text)
  const own = (answer.body.included ?? []).filter(
    ({ relationships }) => (relationships?.['shipment']?.data as { id: string } | null)?.id === shipmentId,
  )
  return answer.many().flatMap((event) => {
    const reference = event.relationships?.['reference_object']?.data as { readonly id: string }
    const found = own.find(({ id }) => id === reference.id)
    return found === undefined ? [] : [{ name: String(event.attributes['event']), attributes: found.attributes }]
  })
}
const expectationsOf = (shipmentId: string, key = story.api.key) =>
  story.api.call({ url: `/v2/shipments/${shipmentId}/expectations`, key })

test('tells what should happen next to a container, how long that usually takes, and by what', async () => {
  const shipmentId = await story.track('NEXT00000001', atSea('MSCU4000005', '2026-02-20T08:00:00-08:00'))
  const [expected] = (await expectationsOf(shipmentId)).many()
  assert.deepEqual(
    { ...expected?.attributes, sentence: null },
    {
      leg: 'at_sea',
      expected: 'vessel_arrived',
      after: 'vessel_departed',
      after_at: '2026-01-12T14:00:00Z',
      estimate_at: '2026-02-20T16:00:00Z',
      due_at: later('2026-02-20T16:00:00Z', arrival.limitHours),
      usual_hours: Math.round(arrival.usualHours),
      limit_hours: Math.round(arrival.limitHours),
      by: 'prior',
      cases: arrival.cases,
      overdue_since: null,
      sentence: null,
    },
  )
  assert.equal((await expectationsOf(shipmentId, strangerKey)).status, 404)
})

test('reports an overdue event once, with its usual time as proof, until the event is reported', async () => {
  const shipmentId = await story.track('LATE00000001', landed('MSCU4000010'))
  const query = `?filter[shipment]=${shipmentId}`
  await story.api.pass(9 * 24)
  assert.deepEqual(await story.items(query), [])
  await story.api.pass(24)
  const item = await story.item('overdue', query)
  assert.equal(
    item.attributes['text'],
    `MSCU4000010: the pick-up is overdue. Usually ${days(pickUp.usualHours)} days after the unloading from the ship, 95 of 100 within ${days(pickUp.limitHours)}; now 10.1. By simulated journeys: too few of your own yet. ONEY answers and reports nothing new.`,
  )
  assert.deepEqual([item.attributes['severity'], item.attributes['since']], ['soon', pickUpDueAt])
  const entries = await story.api.call({ url: `/v2/attention_entries${query}` })
  assert.equal(entries.many()[0]?.attributes['group'], 'today')
  // Other workers, a restart and time find nothing new to tell.
  const { service } = story.api
  await service.pool.query('update container_expectations set is_asked = true')
  await Promise.all([decideExpectations(service), decideExpectations(service), decideExpectations(service)])
  await story.api.pass(48)
  assert.deepEqual(
    (await eventsOf(shipmentId)).map(({ name, attributes }) => [
      name,
      attributes['source_state'],
      attributes['due_at'],
    ]),
    [['container.overdue.started', 'answering', pickUpDueAt]],
  )
  assert.deepEqual(await eventsOf(shipmentId, strangerKey), [])
  assert.deepEqual(await story.items('', strangerKey), [])
  const [out, ...before] = pickedUp('MSCU4000010').toReversed()
  const eventDateTime = new Date(story.api.clock.now()).toISOString()
  await story.tell('LATE00000001', [...before, { ...(out as object), eventDateTime }])
  assert.deepEqual(await story.items(`${query}&filter[reason]=overdue`), [])
  assert.deepEqual(
    (await eventsOf(shipmentId)).map(({ name, attributes }) => [name, attributes['ended_by']]),
    [
      ['container.overdue.started', null],
      ['container.overdue.ended', 'reported'],
    ],
  )
})

test('ends what was overdue when the line corrects its estimate', async () => {
  const at = (day: string) => new Date(story.api.clock.now() + Number(day) * 86_400_000).toISOString()
  const shipmentId = await story.track('MOVE00000001', atSea('MSCU4000026', at('1')))
  await story.api.pass(4 * 24)
  assert.match(
    String((await story.item('overdue', `?filter[shipment]=${shipmentId}`)).attributes['text']),
    /after the estimate of the line, 95 of 100 within \d(\.\d)?; now 3/,
  )
  await story.tell('MOVE00000001', atSea('MSCU4000026', at('5')))
  assert.deepEqual(
    (await eventsOf(shipmentId)).map(({ name, attributes }) => [name, attributes['ended_by']]),
    [
      ['container.overdue.started', null],
      ['container.overdue.ended', 'changed'],
    ],
  )
})

test('tells silence of the line apart from a delay of the container', async () => {
  const eta = new Date(story.api.clock.now() + 3 * 86_400_000).toISOString()
  const shipmentId = await story.track('HUSH00000001', atSea('MSCU4000031', eta))
  story.carrier.answers({ status: 500, json: {} }, 'HUSH00000001')
  await story.api.pass(5 * 24)
  const item = await story.item('overdue', `?filter[shipment]=${shipmentId}`)
  assert.match(
    String(item.attributes['text']),
    /ONEY has not answered since 2026-\d\d-\d\d, so it may be silence and no delay\./,
  )
  assert.equal((item.attributes['after'] as Record<string, unknown>)['source_state'], 'silent')
  assert.equal((await eventsOf(shipmentId))[0]?.attributes['source_state'], 'silent')
  const patch = (what: string) => story.api.call({ method: 'PATCH', url: `/v2/shipments/${shipmentId}/${what}` })
  assert.equal((await patch('stop_tracking')).status, 200)
  await story.api.drain()
  assert.equal((await eventsOf(shipmentId)).at(-1)?.attributes['ended_by'], 'not_tracked')
  assert.equal((await expectationsOf(shipmentId)).many().length, 0)
  assert.equal((await patch('resume_tracking')).status, 200)
  await story.api.drain()
  assert.equal((await eventsOf(shipmentId)).at(-1)?.name, 'container.overdue.started')
})

test('counts by the own past of the account where there is enough of it', async () => {
  const { service, context } = story.api
  const accountId = context.account.id
  const shipmentId = await story.track('OWNS00000001', landed('MSCU4000047'))
  const { rows } = await service.pool.query<{ id: string }>('select id from containers where number = $1', [
    'MSCU4000005',
  ])
  await service.pool.query(
    `insert into step_times (account_id, container_id, step, ordinal, scac, place, hours, ended_at)
     select $1, $2, 'vessel_discharged>full_out', n, 'ONEY', 'USLAX', 480 + n, now() from generate_series(1, 40) n`,
    [accountId, rows[0]?.id],
  )
  await service.pool.query(
    `update container_expectations e set is_asked = true
       from containers c where c.id = e.container_id and c.number = 'MSCU4000047'`,
  )
  await story.api.drain()
  const [expected] = (await expectationsOf(shipmentId)).many()
  const { by, cases, usual_hours: usual, limit_hours: limit, overdue_since: since } = expected?.attributes ?? {}
  assert.deepEqual({ by, cases, usual, limit, since }, { by: 'own', cases: 41, usual: 500, limit: 519, since: null })
  assert.match(String(expected?.attributes['sentence']), /By 41 earlier containers of this line\.$/)
})

test('keeps how long each step took that was told as it happened', async () => {
  const { rows } = await story.api.service.pool.query<{ step: string; hours: number }>(
    `select step, round(hours) as hours from step_times t join containers c on c.id = t.container_id
      where c.number = 'MSCU4000010' order by step`,
  )
  assert.deepEqual(
    rows.map(({ step }) => step),
    ['vessel_arrived>vessel_discharged', 'vessel_discharged>full_out'],
  )
  // Until the poll that told it, and polls are spread by a random part.
  for (const [place, hours] of [30, 293].entries())
    assert.ok(Math.abs((rows[place]?.hours ?? 0) - hours) <= 3, `${rows[place]?.hours} hours`)
})
