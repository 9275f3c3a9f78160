import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNames } from '../../../src/modules/answers/find-names.ts'
import { type DraftFact, readDraft } from '../../../src/modules/answers/read-draft.ts'

const today = '2026-11-30'
const read = (draft: string): readonly DraftFact[] => readDraft(draft, today).facts
const datesOf = (draft: string) =>
  read(draft).flatMap((fact) => (fact.kind === 'date' ? [[fact.text, fact.days, fact.clock]] : []))
const amountsOf = (draft: string) =>
  read(draft).flatMap((fact) => (fact.kind === 'amount' ? [[fact.text, fact.values, fact.units[0] ?? null]] : []))
const numbersOf = (draft: string) =>
  read(draft).flatMap((fact) => (fact.kind === 'number' ? [[fact.number, fact.isSubject]] : []))
const statusesOf = (draft: string) =>
  read(draft).flatMap((fact) => (fact.kind === 'status' ? [[fact.status, fact.isNegated]] : []))
const topicsOf = (draft: string) => read(draft).flatMap(({ kind, topic }) => (kind === 'date' ? [topic] : []))

test('reads days as people write them', () => {
  for (const written of [
    '2026-12-03',
    '3 December 2026',
    '3rd of December, 2026',
    'December 3rd, 2026',
    'Dec 3, 2026',
    '3 Dec. 2026',
    '3.12.2026',
    '03.12.2026',
    'Dec 3',
    '3 Dec',
    'Thursday, 3 December',
    'Thu 3 Dec',
  ])
    assert.deepEqual(datesOf(`It comes on ${written}.`)[0]?.[1], ['2026-12-03'], written)
  assert.deepEqual(
    datesOf('Yesterday, today, or tomorrow?').map(([, days]) => days),
    [['2026-11-29'], ['2026-11-30'], ['2026-12-01']],
  )
})

test('reads a day without a year as the nearest such day', () => {
  assert.deepEqual(datesOf('on 5 January')[0]?.[1], ['2027-01-05'])
  assert.deepEqual(datesOf('on 5 October')[0]?.[1], ['2026-10-05'])
})

test('does not choose where day and month may be either, and reads no day that does not exist', () => {
  assert.deepEqual(datesOf('on 3/12/2026')[0]?.[1], ['2026-12-03', '2026-03-12'])
  assert.deepEqual(datesOf('on 25/12/2026')[0]?.[1], ['2026-12-25'])
  assert.deepEqual(datesOf('on 31.02.2026')[0]?.[1], null)
  assert.deepEqual(datesOf('it comes next week')[0], ['next week', null, null])
})

test('reads the time of day, and a moment where its zone is stated', () => {
  assert.deepEqual(datesOf('on 3 Dec at 14:30')[0], ['3 Dec at 14:30', ['2026-12-03'], '14:30'])
  assert.deepEqual(datesOf('on Dec 3, 2026, 2:30 pm')[0]?.slice(1), [['2026-12-03'], '14:30'])
  const [iso] = read('2026-12-03T14:30:00-08:00[America/Los_Angeles]')
  assert.equal(iso?.kind === 'date' && iso.instant, '2026-12-03T22:30:00.000Z')
  const [utc] = read('3 Dec 22:30 UTC')
  assert.equal(utc?.kind === 'date' && utc.instant, '2026-12-03T22:30:00.000Z')
})

test('reads money and amounts in the notation of either side of the Atlantic', () => {
  for (const written of ['USD 1,200', '$1,200.00', 'US$ 1200', '1.200,00 USD', '1,200 dollars'])
    assert.deepEqual(amountsOf(`It costs ${written}.`)[0]?.slice(1), [[1200], 'USD'], written)
  assert.deepEqual(amountsOf('1.200,50 EUR')[0]?.slice(1), [[1200.5], 'EUR'])
  assert.deepEqual(
    amountsOf('24,480 kg, 24.5 t, two containers, 36 hours, 3 days').map((each) => each.slice(1)),
    [
      [[24480], 'kg'],
      [[24500], 'kg'],
      [[2], 'containers'],
      [[36], 'hours'],
      [[72], 'hours'],
    ],
  )
  assert.deepEqual(amountsOf('1. First\n2. Second'), [], 'a counter of lines')
})

test('reads numbers, and which of them are called the number of a shipment', () => {
  assert.deepEqual(numbersOf('mscu 400000-5 and MSCU4000010, bill CNSH12345678, seal A-77'), [
    ['MSCU4000005', true],
    ['MSCU4000010', true],
    ['CNSH12345678', true],
    ['A-77', false],
  ])
})

test('reads what is stated of a status, and not what is awaited or asked', () => {
  assert.deepEqual(statusesOf('It was discharged and is available.'), [
    ['discharged', false],
    ['available', false],
  ])
  assert.deepEqual(statusesOf('It has not yet been picked up; there are no holds.'), [
    ['picked_up', true],
    ['held', true],
  ])
  assert.deepEqual(statusesOf("It isn't available. Holds: none"), [
    ['available', true],
    ['held', true],
  ])
  assert.deepEqual(statusesOf('The customs hold was released.'), [['held', true]])
  assert.deepEqual(statusesOf('It is not only discharged. It is hardly available.'), [
    ['discharged', null],
    ['available', null],
  ])
  assert.deepEqual(statusesOf('It will be discharged. Once available, it must be picked up. Was it delivered?'), [])
  assert.deepEqual(statusesOf('The ETA is not available.'), [])
})

test('knows by the words around a date what it is about', () => {
  assert.deepEqual(topicsOf('ETA 3 Dec, LFD 7 Dec.'), ['eta', 'free_day'])
  assert.deepEqual(topicsOf('3 Dec ETA, 7 Dec LFD'), ['eta', 'free_day'])
  assert.deepEqual(topicsOf('On 3 Dec it was discharged after arriving on 1 Dec'), ['discharge', 'arrival'])
  assert.deepEqual(topicsOf('It must be picked up by 7 Dec.'), ['free_day'])
  assert.deepEqual(topicsOf('The original ETA was 1 Dec.'), ['original'])
  assert.deepEqual(topicsOf('At the port of discharge: 1 Dec'), [null])
  assert.deepEqual(topicsOf('| Number | ETA | Last free day |\n|---|---|---|\n| X | 3 Dec | 7 Dec |'), [
    'eta',
    'free_day',
  ])
})

test('finds names of the record, of the reference data, and misspelt ones', () => {
  const known = new Map([
    ['EMMA MAERSK', 'ship'],
    ['LOS ANGELES', 'place'],
  ] as const)
  const found = (draft: string) =>
    findNames(readDraft(draft, today).rest, known).map(({ kind, plain, didYouMean }) => [kind, plain, didYouMean])
  assert.deepEqual(found('The EMMA MAERSK sails for Maersk from Shanghai to Los Angeles.'), [
    ['ship', 'EMMA MAERSK', null],
    ['line', 'MAERSK', null],
    ['place', 'SHANGHAI', null],
    ['place', 'LOS ANGELES', null],
  ])
  assert.deepEqual(found('It arrives in Los Angelos.'), [['name', 'LOS ANGELOS', 'LOS ANGELES']])
  assert.deepEqual(found('Last Free Day: please check the Status of the Container.'), [])
})

test('a hostile draft of 8 KB is read in time that grows with its length', () => {
  const drafts = [
    '1'.repeat(8_192),
    '1,'.repeat(4_096),
    'A1-'.repeat(2_730),
    'not '.repeat(2_048),
    'Aa '.repeat(2_730),
    'A.'.repeat(4_096),
    '3 Dec '.repeat(1_365),
    '|'.repeat(8_192),
    '(MSCU4000005)'.repeat(630),
    '$1 '.repeat(2_730),
    'no hold '.repeat(1_024),
    '. A'.repeat(2_730),
    '\n- 12 days'.repeat(819),
  ]
  findNames(readDraft('Warm up in Los Angeles', today).rest, new Map())
  for (const draft of drafts) {
    const startedAt = performance.now()
    const { rest } = readDraft(draft, today)
    findNames(rest, new Map([['LOS ANGELES', 'place']]))
    const ms = performance.now() - startedAt
    assert.ok(ms < 400, `${draft.slice(0, 12)}… took ${Math.round(ms)} ms`)
  }
})
