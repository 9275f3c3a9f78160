// What the fields of a document say of a journey, and what they do not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeObservation } from '../../../src/core/notation/notation.ts'
import type { Observation } from '../../../src/core/statements/observation.ts'
import { openDocumentsSource } from '../../../src/sources/documents/said/documents-said.ts'
import { fieldNames, memberNames } from '../../../src/sources/documents/said/names.ts'
import { openProofs } from '../../../src/sources/documents/said/proof.ts'
import { type DocumentWord, writeWord } from '../../../src/sources/documents/said/word.ts'
import { payloadFields } from '../../../src/sources/documents/schemas/payload-fields.ts'
import { zones } from '../../support/zones.ts'
import { fetchedAt, snapshotOf } from '../told-harness.ts'
import { arrivalNotice, bookingConfirmation, box, documentId, read, wordOf } from './words.ts'

const source = openDocumentsSource()

function readingOf(word: DocumentWord) {
  const [part] = source.partsOf(writeWord(word), {}).parts
  const [subject] = part?.about ?? []
  assert.ok(part !== undefined && subject !== undefined)
  return source.read(snapshotOf(part.body), { speaker: 'document', subject }, {})
}

function lineOf(observation: Observation): string {
  const context = { timeZoneOf: (code: string) => zones.get(code) ?? null, equipment: box }
  return writeObservation(
    { ...observation, key: '', statedAt: null },
    { kind: 'document', code: 'd' },
    context,
  )
    .replace(/ (?:key|original|terminal)=\S+/g, '')
    .replace(' document:d', '')
}

function said(word: DocumentWord): readonly string[] {
  return readingOf(word).observations.map(lineOf).toSorted()
}

test('an arrival notice says what is expected, held, and until when the box may stay', () => {
  assert.deepEqual(said(wordOf('arrival_notice', arrivalNotice)), [
    'EST ARRI -     USLAX 2026-02-24        via=VESSEL vessel=9321483/"King of the Seas" voyage=601E name="Los Angeles, CA"',
    'FACT bill_of_lading_number HHL71800000 box=-',
    'FACT booking_number ABC709951 box=-',
    'FACT empty_return_by 2026-03-10',
    'FACT empty_return_place - name="Pier 400 empty yard"',
    'FACT general_order_at 2026-03-11',
    'FACT hold customs:released',
    'FACT hold freight:hold:"original bill of lading not received"',
    'FACT it_number 750123456',
    'FACT pickup_lfd_line 2026-03-01',
    'FACT pickup_lfd_terminal 2026-02-28',
    'FACT pickup_number PIN-4711',
    'FACT pod_terminal USLAX at=Y258',
    'FACT port_of_discharge USLAX name="Los Angeles, CA"',
    'FACT port_of_loading CNNGB name="Ningbo, China"',
    'FACT seal_number S-77',
    'FACT size_type 45G1',
    'FACT weight_kg 18250.5',
  ])
})

test('a booking confirmation plans the departure and says the cut-offs of the whole shipment, in no zone', () => {
  assert.deepEqual(said(wordOf('booking_confirmation', bookingConfirmation)), [
    'FACT booking_number ABC709951 box=-',
    'FACT cargo_cut_off 2026-01-05 box=-',
    'FACT documentation_cut_off 2026-01-03T17:00 box=-',
    'FACT port_of_loading CNNGB box=-',
    'FACT vgm_cut_off 2026-01-04T12:00 box=-',
    'PLN DEPA -     CNNGB 2026-01-06        box=- via=VESSEL vessel=-/"King of the Seas"',
  ])
})

test('no document says that something has happened, whatever it prints', () => {
  const word = wordOf('sea_waybill', {
    transportDocumentReference: 'HHL71800000',
    onBoardDate: '2026-01-06',
    'departureDate.value': '2026-01-06',
    'departureDate.classifier': 'ACT',
    'portOfLoading.UNLocationCode': 'CNNGB',
  })
  assert.deepEqual(
    said(word).filter((line) => !line.startsWith('FACT')),
    [],
  )
})

test('what is sold, packed or billed says nothing, and its numbers are heard by nobody', () => {
  const values = { transportDocumentReference: 'HHL71800000', 'containers[0].number': box, totalAmount: 990 }
  for (const type of ['commercial_invoice', 'packing_list', 'demurrage_invoice', 'other', 'unknown'] as const)
    assert.deepEqual(wordOf(type, values).numbers, [], type)
})

test('a later paper is the later word by its date, and one without a date by the time when it came', () => {
  const statedAt = (values: Readonly<Record<string, string>>, of: Partial<DocumentWord> = {}) =>
    readingOf(wordOf('arrival_notice', { transportDocumentReference: 'HHL71800000', ...values }, of))
      .observations[0]?.statedAt
  assert.equal(statedAt({ issueDate: '2026-02-18' }), '2026-02-18T00:00:00.000Z')
  assert.equal(statedAt({}), '2026-02-20T08:00:00.000Z')
  assert.equal(statedAt({ issueDate: '2026-03-30' }), '2026-02-20T08:00:00.000Z', 'not after it came')
  const after = '2026-02-20T09:00:00.000Z'
  assert.equal(statedAt({ issueDate: '2026-02-18' }, { after }), '2026-02-20T09:00:00.001Z', 'said once more')
})

test('two last free days for one clock contradict each other: neither is said, and an issue tells it', () => {
  const of = (day: string, place: number) => ({
    [`freeTimes[${place}].typeCodes[0]`]: 'DEM',
    [`freeTimes[${place}].lastFreeDate`]: day,
  })
  const word = wordOf('arrival_notice', {
    'containers[0].number': box,
    ...of('2026-03-01', 0),
    ...of('2026-03-04', 1),
  })
  const { observations, issues } = readingOf(word)
  assert.deepEqual(observations, [])
  assert.deepEqual(
    issues.map(({ kind, path }) => `${kind} ${path}`),
    ['wrong_structure /freeTimes[0].lastFreeDate'],
  )
})

test('a day for one box counts for that box alone', () => {
  const other = 'LDFU1000018'
  const word = wordOf('arrival_notice', {
    'containers[0].number': box,
    'containers[1].number': other,
    'freeTimes[0].lastFreeDate': '2026-03-01',
    'freeTimes[1].lastFreeDate': '2026-03-04',
    'freeTimes[1].equipmentReferences[0]': other,
  })
  assert.deepEqual(said(word), [
    'FACT pickup_lfd_line 2026-03-01',
    `FACT pickup_lfd_line 2026-03-04 box=${other}`,
  ])
})

test('a number that was misread, a place that nobody knows and a time without meaning are issues and not said', () => {
  const { observations, issues } = readingOf(
    wordOf('arrival_notice', {
      transportDocumentReference: 'HHL71800000',
      'containers[0].number': 'APZU4812091',
      'portOfDischarge.name': 'Springfield',
      generalOrderDate: '1999-01-01',
      vesselIMONumber: '9321484',
      'portOfDischargeArrivalDate.value': 'soon',
      'pickupLocation.name': 'The yard behind the church',
    }),
  )
  assert.deepEqual(
    observations.map(({ key }) => key.split(':')[1]),
    ['bill_of_lading_number|HHL71800000|-'],
  )
  assert.deepEqual(issues.map(({ kind, path }) => `${kind} ${path}`).toSorted(), [
    'bad_equipment /containers[0].number',
    'implausible_time /generalOrderDate',
    'unknown_facility /pickupLocation.name',
    'unknown_place /portOfDischarge.name',
    'unreadable_time /portOfDischargeArrivalDate.value',
  ])
})

test('what earlier words said and this one does not is taken back', () => {
  const earlier = [{ type: 'arrival_notice' as const, fields: read(arrivalNotice) }]
  const word = wordOf(
    'arrival_notice',
    { transportDocumentReference: 'HHL71800000' },
    { version: 2, earlier },
  )
  const { observations } = readingOf(word)
  const standing = observations.filter(({ isRetracted }) => !isRetracted)
  assert.deepEqual(standing.map(lineOf), ['FACT bill_of_lading_number HHL71800000 box=-'])
  const taken = observations
    .filter(({ isRetracted }) => isRetracted)
    .map((each) => ({ ...each, isRetracted: false }))
  assert.deepEqual(
    taken.map(lineOf).toSorted(),
    said(wordOf('arrival_notice', arrivalNotice)).filter((line) => !line.includes('bill_of_lading')),
  )
})

test('each statement names the field, the page and the place from which it was read', () => {
  const word = wordOf('arrival_notice', arrivalNotice)
  const prove = openProofs(writeWord(word), fetchedAt)
  const { observations } = readingOf(word)
  const fields = observations.map((each) => prove(each)?.field.name)
  assert.ok(!fields.includes(undefined))
  const lfd = observations.find((each) => each.kind === 'fact' && each.fact === 'pickup_lfd_line')
  assert.ok(lfd !== undefined)
  assert.deepEqual(prove(lfd), {
    field: word.fields.find(({ name }) => name === 'freeTimes[0].lastFreeDate'),
    writtenOn: '2026-02-18',
    at: word.at,
    person: null,
  })
})

test('every name of a field that is read here is one of the schemas', () => {
  const known = new Set(payloadFields.flatMap(({ path }) => path.replaceAll('[]', '').split('.')))
  const used = [fieldNames, ...Object.values(memberNames)].flatMap((names) => Object.values(names))
  assert.deepEqual(
    used.filter((name) => !known.has(name)),
    [],
  )
})

test('all keys begin with the document, which is the speaker', () => {
  const word = wordOf('arrival_notice', arrivalNotice)
  for (const { key } of readingOf(word).observations) assert.ok(key.startsWith(`${documentId}:`), key)
  assert.equal(source.speakerOf?.(writeWord(word)), documentId)
  assert.equal(source.speakerOf?.(Buffer.from('{}')), null)
})
