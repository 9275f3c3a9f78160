import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { readInterchange } from '../../../src/connectors/edifact/interchange.ts'
import { containerCheckDigit } from '../../../src/domain/values/identifiers.ts'
import { cut, interchange, readAll, readOne } from './reading.ts'

const folder = new URL('fixtures/samples/', import.meta.url)
const samples = readdirSync(folder)
  .filter((name) => name.endsWith('.edi'))
  .map((name) => ({ name, bytes: readFileSync(new URL(name, folder)) }))
const ours = new URL('fixtures/', import.meta.url)
const reports = readFileSync(new URL('coarri-codeco-d95b.edi', ours))

const severalParties = interchange(
  'IFTSTA',
  `BGM+23+S1+9
DTM+137:202603180900UTC:303
NAD+CA+LINE:160++THE LINE COMPANY
CTA+IC+:JANE DOE
COM+JANE?@LINE.EXAMPLE:EM
CNI+1
RFF+BM:BILLONE001
STS+1+48
DTM+334:202603170930:203
LOC+175+CNNGB:139:6
EQD+CN+TRHU1000010++++5
EQD+CN+TRHU1000025++++5
CNI+2
RFF+BM:BILLTWO002
NAD+CN+++ANOTHER CONSIGNEE
STS+1+24
DTM+334:202603180100:203
LOC+175+CNNGB:139:6
EQD+CN+CAIU2000017++++5
CNI+3
STS+1+29
DTM+334:202603180100:203
LOC+175+USLAX:139:6
EQD+CN+TEMU5000014++++5
EQD+CN+TCNU7241010++++5
CNT+16:5`,
)

test('a status report is split by consignment, and by container where no document is named', () => {
  const { parts, faults } = cut(severalParties)
  assert.deepEqual(faults, [])
  assert.deepEqual(
    parts.map(({ about }) => about.map(({ kind, number }) => `${kind} ${number}`)),
    [
      ['bill_of_lading BILLONE001', 'container TRHU1000010', 'container TRHU1000025'],
      ['bill_of_lading BILLTWO002', 'container CAIU2000017'],
      ['container TEMU5000014'],
      ['container TCNU7241010'],
    ],
  )
  assert.deepEqual(
    parts.map(({ deliveryKey, writtenAt }) => [deliveryKey?.split(' ')[0], writtenAt]),
    [1, 2, 3, 4].map((each) => [`PARTNER:ZZZ|88|1|${each}`, '2026-03-18T09:00:00.000Z']),
  )
})

test('a message with changed text and the same reference numbers is a new delivery', () => {
  const keyOf = (text: string) => cut(text).parts[0]?.deliveryKey
  const codeco = (container: string) =>
    `UNB+UNOA:2+PARTNER:ZZZ+US+260318:0900+88'UNH+1+CODECO:D:95B:UN'BGM+34+X+9'EQD+CN+${container}'UNT+4+1'UNZ+1+88'`
  assert.equal(keyOf(codeco('TRHU1000010')), keyOf(codeco('TRHU1000010')))
  assert.notEqual(keyOf(codeco('TRHU1000010')), keyOf(codeco('TRHU1000025')))
  assert.match(keyOf(codeco('TRHU1000010')) ?? '', /^PARTNER:ZZZ\|88\|1\|1 /)
})

test('a part contains no number of another part and no name of a party', () => {
  const { parts } = cut(severalParties)
  const numbers = parts.map(({ about }) => about.map(({ number }) => number))
  for (const [index, { body, ranges }] of parts.entries()) {
    const shown = ranges.map(({ from, to }) => severalParties.slice(from, to)).join('\n')
    for (const text of [body.toString(), shown]) {
      for (const number of numbers.flat())
        assert.equal(text.includes(number), numbers[index]?.includes(number), `${number} in ${index}`)
      assert.doesNotMatch(text, /PARTNER|LANDFALL|LINE COMPANY|JANE|CONSIGNEE/)
    }
  }
})

test('each part is a complete and valid EDIFACT interchange', () => {
  const marked = severalParties.replaceAll('+', '|').replaceAll("'", '~').replaceAll(':', '>')
  for (const text of [severalParties, `UNA>|.? ~${marked}`]) {
    for (const { body } of cut(text).parts) {
      const { messages, faults } = readInterchange(body.toString())
      assert.deepEqual(faults, [])
      assert.equal(messages.length, 1)
      assert.deepEqual(cut(body).faults, [])
    }
  }
})

test('splitting a part again gives the same part', () => {
  for (const bytes of [Buffer.from(severalParties), reports, ...samples.map((each) => each.bytes)]) {
    for (const part of cut(bytes).parts) {
      const again = cut(part.body).parts
      assert.deepEqual(
        again.map(({ about }) => about),
        [part.about],
      )
      assert.deepEqual(
        again.map((each) => readOne(each)),
        [readOne(part)],
      )
    }
  }
})

test('gate and quay reports are split by container, and each part names its documents', () => {
  const abouts = cut(reports).parts.map(({ about }) => about.map(({ number }) => number).join())
  assert.deepEqual(abouts, ['TRHU1000010', 'TRHU1000025', 'WHLCB12345,CAIU2000017'])
  const ofHead = interchange(
    'CODECO',
    'BGM+34+G+9\nRFF+BN:BOOKING77\nEQD+CN+TRHU1000010+22G1+++5\nDTM+7:202603180915:203',
  )
  assert.deepEqual(cut(ofHead).parts[0]?.about, [
    { kind: 'booking', number: 'BOOKING77' },
    { kind: 'container', number: 'TRHU1000010' },
  ])
})

test('the time of writing is known only with a zone', () => {
  const written = (dtm: string, zonelessTimes: 'place' | 'utc' = 'place') =>
    cut(severalParties.replace('DTM+137:202603180900UTC:303', dtm), { zonelessTimes }).parts[0]?.writtenAt
  assert.equal(written('DTM+137:202603180900:203'), null)
  assert.equal(written('DTM+137:202603180900:203', 'utc'), '2026-03-18T09:00:00.000Z')
  assert.equal(written('DTM+137:202603180900EST:303'), null)
  assert.equal(written('DTM+137:20260318:102'), null)
  assert.equal(written('DTM+137:202603180900+0800:205'), null)
  assert.equal(written('DTM+137:202603180900?+0800:205'), '2026-03-18T01:00:00.000Z')
})

test('splitting reports EDIFACT messages of unsupported types, and input that is not EDIFACT', () => {
  const kinds = (text: string) => cut(text).faults.map(({ kind, lost }) => `${kind} ${lost}`)
  assert.deepEqual(kinds(interchange('BAPLIE', 'BGM++B+9')), ['unsupported_message event'])
  assert.deepEqual(kinds('<html>'), ['broken_syntax event', 'not_edi answer'])
  assert.deepEqual(kinds(''), ['not_edi answer'])
  assert.deepEqual(kinds("UNH+1+CODECO:D:95B:UN'BGM+34+X+9'UNT+3+1'"), ['broken_syntax nothing'])
  assert.deepEqual(cut("UNH+1+CODECO:D:95B:UN'BGM+34+X+9'EQD+CN+TRHU1000010'UNT+4+1'").parts[0]?.deliveryKey, null)
})

test('a truncated delivery keeps the complete parts before the cut', () => {
  const two = `${severalParties}${reports.toString()}`
  const whole = cut(two).parts.map(({ body }) => body.toString())
  const stored = new Set<number>()
  for (let at = 0; at <= two.length; at += 11) {
    const parts = cut(two.slice(0, at)).parts.map(({ body }) => body.toString())
    const isOpen = parts.length > 4 && !two.slice(0, at).trimEnd().endsWith("UNZ+1+3'")
    const sure = isOpen ? parts.length - 1 : parts.length
    assert.deepEqual(parts.slice(0, sure), whole.slice(0, sure))
    stored.add(parts.length)
  }
  assert.deepEqual([...stored], [0, 4, 5, 6, 7])
})

test('changed bytes never make the reader throw or give invalid values', () => {
  const bodies = [Buffer.from(severalParties), reports, ...samples.map(({ bytes }) => bytes)]
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(fc.constantFrom(...bodies), changes, (bytes, changed) => {
      const body = Buffer.from(bytes)
      for (const [where, byte] of changed) body[where % body.length] = byte
      for (const reading of readAll(body)) {
        const keys = reading.observations.map(({ kind, key }) => `${kind} ${key}`)
        assert.equal(new Set(keys).size, keys.length)
        assert.doesNotMatch(JSON.stringify(reading), /\\u0000|\\ud[89a-f]/i)
        for (const { detail, path } of reading.issues) {
          assert.ok(detail.length > 0 && detail.length < 200)
          assert.match(path, /^(\/[0-9]+)*$/)
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('the total size of the parts of one delivery is limited', () => {
  const many = (count: number, line: (each: number) => string) => Array.from({ length: count }, (_, each) => line(each))
  const container = (each: number) => {
    const number = `TRHU${100_000 + each}`
    return `${number}${containerCheckDigit(number)}`
  }
  const deliveries = [
    interchange(
      'CODECO',
      [
        'BGM+34+G+9',
        ...many(3_000, (each) => `LOC+9+CNNGB:139:6:${each}`),
        ...many(3_000, (each) => `EQD+CN+${container(each)}`),
      ].join('\n'),
    ),
    interchange(
      'CODECO',
      [
        'BGM+34+G+9',
        ...many(3_000, (each) => `RFF+BM:BILL${each}`),
        ...many(3_000, (each) => `EQD+CN+${container(each)}`),
      ].join('\n'),
    ),
    interchange(
      'IFTSTA',
      [
        'BGM+23+S+9\nCNI+1\nSTS+1+24',
        ...many(1_000, () => 'FTX+AAI+++WORDS'),
        ...many(3_000, (each) => `EQD+CN+${container(each)}`),
      ].join('\n'),
    ),
    interchange(
      'IFTSTA',
      ['BGM+23+S+9', ...many(3_000, (each) => `CNI+${each}\nSTS+1+24\nRFF+EQ:${container(each)}`)].join('\n'),
    ),
  ].map((text) => Buffer.from(text))
  for (const [index, delivery] of deliveries.entries()) {
    const { parts, faults } = cut(delivery)
    const total = parts.reduce((sum, { body }) => sum + body.length, 0)
    assert.ok(parts.length > 0 && total <= 20 * delivery.length + 1_000_000)
    assert.equal(
      faults.some(({ kind }) => kind === 'broken_syntax'),
      index < 3,
    )
    assert.ok(parts.every(({ about }) => about.length <= 201))
  }
})

test('every public sample is read without an exception; each status is mapped or reported as unmapped', () => {
  for (const { name, bytes } of samples) {
    const { parts, faults } = cut(bytes)
    if (name.startsWith('COARRI')) continue
    if (!name.includes('IFTSTA')) {
      assert.ok(
        faults.some(({ kind }) => kind === 'unsupported_message'),
        name,
      )
      continue
    }
    assert.deepEqual(
      parts.map(({ about }) => about.map(({ number }) => number)),
      [['ABCD224O4023815X', '24O4023815', 'TRHU4561222']],
    )
    // The publisher invented the container; its check digit is wrong.
    const [reading] = parts.map((part) => readOne(part))
    assert.equal(reading?.outcome, 'known_without_data')
    const kinds = reading?.issues.map(({ kind }) => kind)
    assert.ok(kinds?.includes('check_digit') && kinds.includes('unmapped_code'))
    const event = reading?.observations.find(({ kind }) => kind === 'event')
    assert.ok(event?.kind === 'event' && event.code === null && event.equipment === 'TRHU4561222')
    assert.equal(event.original, 'P Rail Departed from In-Transit Locat')
  }
})
