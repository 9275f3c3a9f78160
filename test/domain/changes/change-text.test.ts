// Changes as people read them: one wording for every page and for the API.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeText, type WordedChange } from '../../../src/domain/changes/change-text.ts'

const text = (change: Partial<WordedChange>): string | null =>
  changeText({
    attribute: 'pod_eta_at',
    before: null,
    after: null,
    at: '2026-11-24T23:22:18.287Z',
    timeZone: 'America/Los_Angeles',
    place: 'Los Angeles',
    by: 'ONE',
    ...change,
  })

test('an arrival that moved names both days at the place, and who says so', () => {
  const moved = (before: string, after: string) => text({ before, after })
  assert.equal(
    moved('2026-12-03T18:00:00Z', '2026-12-07T04:00:00Z'),
    'Arrival at Los Angeles moved from Thu 3 to Sun 6 Dec, says ONE',
  )
  assert.equal(
    moved('2026-11-29T18:00:00Z', '2026-12-01T18:00:00Z'),
    'Arrival at Los Angeles moved from Sun 29 Nov to Tue 1 Dec, says ONE',
  )
  assert.equal(
    moved('2026-12-30T18:00:00Z', '2027-01-02T18:00:00Z'),
    'Arrival at Los Angeles moved from Wed 30 Dec to Sat 2 Jan 2027, says ONE',
  )
  assert.equal(
    moved('2026-12-03T14:00:00Z', '2026-12-03T16:00:00Z'),
    'Arrival at Los Angeles on Thu 3 Dec moved from 06:00 to 08:00, says ONE',
  )
})

test('a first value, a correction and a withdrawal read differently', () => {
  const after = '2026-12-03T18:00:00Z'
  assert.equal(text({ after }), 'Arrival at Los Angeles expected on Thu 3 Dec 10:00, says ONE')
  assert.equal(
    text({ attribute: 'vessel_departed', after, place: 'Oakland', by: null }),
    'Ship left Oakland on Thu 3 Dec 10:00',
  )
  assert.equal(
    text({ attribute: 'vessel_departed', before: '2026-12-03T17:00:00Z', after, place: null, by: null }),
    'Ship left on Thu 3 Dec 10:00, not on Thu 3 Dec 09:00',
  )
  assert.equal(
    text({ attribute: 'vessel_discharged', before: after }),
    'Unloaded from the ship at Los Angeles: withdrawn, says ONE',
  )
})

test('a last free day is a day, and its source says whose it is', () => {
  const [before, after] = ['2026-11-29T08:00:00Z', '2026-12-03T08:00:00Z']
  assert.equal(text({ attribute: 'pickup_lfd_line', after }), 'Last free day: Thu 3 Dec, says ONE')
  assert.equal(
    text({ attribute: 'pickup_lfd_terminal', before, after, by: 'the terminal' }),
    'Last free day moved from Sun 29 Nov to Thu 3 Dec, says the terminal',
  )
  assert.equal(text({ attribute: 'pickup_lfd', before, after }), null, 'it repeats one of these')
})

test('holds and fees name what was set and lifted', () => {
  const hold = (name: string, status = 'hold') => ({ name, status, description: null })
  const holds = (before: unknown, after: unknown) =>
    text({ attribute: 'holds_at_pod_terminal', before, after, by: null })
  assert.equal(holds(null, [hold('customs', 'pending')]), 'Customs hold announced')
  assert.equal(
    holds([hold('freight'), hold('customs', 'pending')], [hold('customs')]),
    'Customs hold set, Freight hold lifted',
  )
  assert.equal(holds([hold('customs')], [{ ...hold('customs'), description: 'other words' }]), null)
  const fees = [
    { type: 'exam', amount: 425, currency_code: 'USD' },
    { type: 'total', amount: 425, currency_code: 'USD' },
  ]
  assert.equal(text({ attribute: 'fees_at_pod_terminal', after: fees, by: null }), 'Fees: exam 425 USD')
  assert.equal(text({ attribute: 'fees_at_pod_terminal', before: fees, after: [], by: null }), 'No fees any more')
})

test('what people need not read has no sentence', () => {
  for (const attribute of ['root_made', 'equipment_length', 'constructor'])
    assert.equal(text({ attribute, after: 40 }), null)
})
