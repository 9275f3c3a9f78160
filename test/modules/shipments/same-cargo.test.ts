// A bill and a booking of one cargo are both tracked: lists for people show it once, and each shows the other.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AttentionStory, landed, openAttentionStory } from '../../support/attention-story.ts'

const box = 'MSCU4000005'
let story: AttentionStory
let ofBooking: string
let ofBill: string

/** What the line tells of a cargo: the events of its container, each with these references. */
function told(number: string, references: Readonly<Record<string, string>>): readonly unknown[] {
  const documentReferences = Object.entries(references).map(([type, value]) => {
    return { documentReferenceType: type, documentReferenceValue: value }
  })
  return landed(number).map((event) => ({ ...(event as object), documentReferences }))
}

before(async () => {
  story = await openAttentionStory()
  ofBooking = await story.track('BKG0000001', told(box, { BKG: 'BKG0000001' }), { request_type: 'booking_number' })
  ofBill = await story.track('BILL0000001', told(box, { TRD: 'BILL0000001', BKG: 'BKG0000001' }))
})
after(() => story.close())

const ids = async (url: string, key = story.api.key) => {
  const answer = await story.api.call({ url, key })
  assert.equal(answer.status, 200, answer.text)
  return answer
    .many()
    .map(({ id }) => id)
    .toSorted()
}

test('both keep their ids, and either number finds both', async () => {
  assert.notEqual(ofBooking, ofBill)
  const both = [ofBooking, ofBill].toSorted()
  assert.deepEqual(await ids('/v2/shipments'), both)
  for (const number of ['BKG0000001', 'BILL0000001']) {
    assert.deepEqual(await ids(`/v2/shipments?q=${number.toLowerCase()}`), both, number)
    const found = await story.api.call({ url: `/v2/search?query=${number}` })
    for (const id of both) assert.ok(found.text.includes(id), `${number} ${found.text}`)
  }
})

test('each shows the other, and lists for people have the one of the bill only', async () => {
  assert.deepEqual(await ids(`/v2/shipments?filter[same_cargo_as]=${ofBill}`), [ofBooking])
  assert.deepEqual(await ids(`/v2/shipments?filter[same_cargo_as]=${ofBooking}`), [ofBill])
  assert.deepEqual(await ids('/v2/shipments?filter[same_cargo_as]=@exists'), [ofBooking, ofBill].toSorted())
  assert.deepEqual(await ids('/v2/shipments?filter[each_cargo_once]=true'), [ofBill])
  assert.deepEqual(await ids('/v2/shipments?filter[each_cargo_once]=false'), [ofBooking])
  assert.equal((await ids('/v2/containers')).length, 2)
  const [shown] = (await story.api.call({ url: '/v2/containers?filter[each_cargo_once]=true' })).many()
  assert.deepEqual(shown?.relationships?.['shipment']?.data, { type: 'shipment', id: ofBill })
  await story.says(box, 'holds', [{ name: 'customs', status: 'hold' }])
  const held = (await story.items()).filter(({ attributes }) => attributes['reason'] === 'held')
  assert.equal(held.length, 1, 'what needs a person is said once')
})

test('a container that only the booking names stays in the list', async () => {
  const other = 'MSCU4000010'
  await story.tell('BKG0000001', [...told(box, { BKG: 'BKG0000001' }), ...told(other, { BKG: 'BKG0000001' })])
  const numbers = (await story.api.call({ url: '/v2/containers?filter[each_cargo_once]=true' })).many()
  assert.deepEqual(numbers.map(({ attributes }) => attributes['number']).toSorted(), [box, other])
})

test('a booking with two bills is another cargo than each of them', async () => {
  const second = await story.track('BILL0000002', told('MSCU4000026', { TRD: 'BILL0000002', BKG: 'BKG0000001' }))
  assert.deepEqual(await ids('/v2/shipments?filter[each_cargo_once]=true'), [ofBooking, ofBill, second].toSorted())
  assert.deepEqual(await ids(`/v2/shipments?filter[same_cargo_as]=${ofBooking}`), [])
})

test('a bill whose line names no booking is found by the bill that the booking names; other accounts and lines are not', async () => {
  const bill = await story.track('BILL0000003', told('MSCU4000031', { TRD: 'BILL0000003' }))
  const booking = await story.track('BKG0000003', told('MSCU4000031', { BKG: 'BKG0000003' }), {
    request_type: 'booking_number',
  })
  await story.tell('BKG0000003', told('MSCU4000031', { BKG: 'BKG0000003', TRD: 'BILL0000003' }))
  assert.deepEqual(await ids(`/v2/shipments?filter[same_cargo_as]=${bill}`), [booking])
  const stranger = await story.api.newKey(await story.api.newAccount(), ['read'])
  assert.deepEqual(await ids(`/v2/shipments?filter[same_cargo_as]=${bill}`, stranger), [])
  const wrong = await story.api.call({ url: '/v2/shipments?filter[same_cargo_as]=BKG0000003' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /filter\[same_cargo_as\]/)
})
