import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { readContainerReports } from '../../../src/connectors/edifact/container-reports.ts'
import { decodeEdifact, isEdifact, readInterchange } from '../../../src/connectors/edifact/interchange.ts'

const fixture = (name: string): string => decodeEdifact(readFileSync(new URL(`fixtures/${name}`, import.meta.url)))
const reportsOf = (name: string) => readContainerReports(readInterchange(fixture(name)))
const told = (name: string) =>
  reportsOf(name).map(({ type, statedOn: saidOn, voyage, containers }) => ({
    type,
    saidOn,
    voyage,
    boxes: containers.map(({ number, carrier, bill }) => [number.slice(0, 10), carrier, bill]),
  }))

test('a bay plan of D.95B gives the carrier of each container', () => {
  assert.deepEqual(told('baplie-d95b.edi'), [
    {
      type: 'BAPLIE',
      saidOn: '2026-03-14',
      voyage: 'EXAMPLE STAR 9HA1234 014W',
      boxes: [
        ['TCNU724101', 'CMDU', null],
        ['TCNU724102', 'MEDU', null],
        ['MSKU123456', 'SUDU', null],
        ['TEMU500001', 'XYZ', null],
        ['TCNU724103', 'CMDU', null],
        ['TCNU724104', null, null],
      ],
    },
  ])
})

test('a bay plan of D.13B gives the operator of each container, not the operator of the ship', () => {
  const [report] = told('baplie-d13b.edi')
  assert.deepEqual(report?.boxes, [
    ['TGHU300001', 'ONEY', null],
    ['SEGU400002', 'HLCU', null],
  ])
  assert.equal(report?.saidOn, '2026-03-15')
  assert.deepEqual(readInterchange(fixture('baplie-d13b.edi')).faults, [])
})

test('the carrier in the header of a report applies to every container that names no carrier', () => {
  assert.deepEqual(
    told('coarri-codeco-d95b.edi').map(({ type, saidOn, boxes: containers }) => ({
      type,
      saidOn,
      boxes: containers,
    })),
    [
      {
        type: 'COARRI',
        saidOn: '2026-03-18',
        boxes: [
          ['TRHU100001', 'CMDU', null],
          ['TRHU100002', 'YMLU', null],
        ],
      },
      { type: 'CODECO', saidOn: '2026-03-18', boxes: [['CAIU200001', 'WHLC', 'WHLCB12345']] },
    ],
  )
})

test('an escaped separator is read as text', () => {
  const { segments, faults } = readInterchange("FTX+AAI+++SAID ?+ DONE ?: 5?'C ??:MORE'")
  assert.deepEqual(segments[0]?.elements, [['AAI'], [''], [''], ["SAID + DONE : 5'C ?", 'MORE']])
  assert.deepEqual(faults, [])
})

test('the EDIFACT reader reports broken syntax with its position, and reads the complete segments', () => {
  const cut = fixture('baplie-d95b.edi').slice(0, 500)
  const { faults, segments } = readInterchange(cut)
  assert.match(faults[0]?.detail ?? '', /ends in the middle of a segment/)
  assert.equal(faults[0]?.number, segments.length + 1)
  assert.match(faults[1]?.detail ?? '', /has no end/)
  const miscounted = fixture('baplie-d95b.edi').replace(/UNT\+\d+/, 'UNT+7')
  assert.match(readInterchange(miscounted).faults[0]?.detail ?? '', /has \d+ segments, but its end says 7/)
  assert.match(
    readInterchange("UNH+1+BAPLIE:D:95B:UN'<html>'UNT+2+1'").faults[0]?.detail ?? '',
    /"<html>" is not a segment tag/,
  )
})

test('any text is read back as it was written, with any choice of separators', () => {
  const texts = fc.array(fc.array(fc.string({ minLength: 0, maxLength: 8 }), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 5,
  })
  const marks = fc.constantFrom(":+.? '", '>|.! ~', '*^,\\ \u001c')
  fc.assert(
    fc.property(texts, marks, (given, una) => {
      const [component = '', element = '', , release = '', , terminator = ''] = una
      const clean = given.map((parts) => parts.map((part) => part.replace(/[\r\n]/g, ' ')))
      const written = (text: string): string =>
        [...text].map((one) => ([component, element, release, terminator].includes(one) ? release + one : one)).join('')
      const line = clean.map((parts) => parts.map(written).join(component)).join(element)
      const { segments } = readInterchange(`UNA${una}TAG${element}${line}${terminator}`)
      assert.deepEqual(segments[0]?.elements, clean)
    }),
  )
})

test('no text makes the reader throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      readContainerReports(readInterchange(text))
      readContainerReports(readInterchange(`UNA:+.? 'UNH+1+BAPLIE:D:95B:UN'LOC+147+1'${text}`))
    }),
  )
})

test('an EDIFACT file is distinguished from a CSV file', () => {
  for (const name of ['baplie-d95b.edi', 'baplie-d13b.edi', 'coarri-codeco-d95b.edi'])
    assert.ok(isEdifact(fixture(name)))
  assert.ok(!isEdifact('number,number_type,scac,group\nUNBU1234560,container,MAEU,1'))
})
