import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allShippingLines,
  compactNumber,
  type DataGaps,
  findShippingLine,
  findShippingLineById,
  normalizedNumber,
  type ShippingLine,
} from '../../src/reference/shipping-lines.ts'

/** SCAC, alternative SCACs, access, and whether it is tracked by bill, booking, container. */
const coverage = `
ANNU -              public  Y Y Y
APLU -              public  Y Y Y
ARKU -              public  Y Y Y
ACLU -              public  Y Y Y
CMDU -              public  Y Y Y
COSU -              public  Y Y N
CLAM CWLQ           public  Y Y N
CULU -              public  Y Y Y
EGLV -              public  N N Y
GOSU -              public  Y Y N
HLCU -              public  Y Y Y
HDUJ -              public  Y Y Y
HDMU -              public  Y Y Y
IILU -              public  Y Y N
KMTU -              public  Y Y Y
MAEU -              public  Y Y Y
MATS -              public  Y Y N
MSCU MEDU           public  Y Y Y
ONEY -              public  Y Y Y
OOLU -              public  Y Y Y
PCIU -              public  N N Y
SAFM -              public  Y Y N
SMLU -              account Y Y N
SEAU SEAL           public  Y Y Y
SEJJ -              public  Y Y Y
SQQY SJHH           public  Y Y Y
SSPH -              public  Y Y N
SMLM -              public  Y Y N
SSBF WWSU           public  Y Y N
CHVW QWJA,PLLU      public  Y Y N
TRBR TBIE,PYRR      account N Y N
TJFH -              public  Y Y N
TXZJ -              public  N N Y
TRKU -              public  Y Y Y
WHLC -              public  Y Y Y
WDSB -              public  N N Y
YMLU YMPR,YMSG,YMJA public  Y Y Y
ZIMU -              public  Y Y N
`
  .trim()
  .split('\n')
  .map((row) => row.split(/\s+/))

const noGaps: DataGaps = {
  noWeight: false,
  noSeal: false,
  noEquipmentType: false,
  datesOnly: false,
  noDeparturesArrivals: false,
  departuresArrivalsNotAlways: false,
  averageWeight: false,
  equipmentTypesMapped: null,
}

const gaps: Readonly<Record<string, Partial<DataGaps>>> = {
  CMDU: { noWeight: true, noSeal: true },
  APLU: { noWeight: true, noSeal: true },
  ANNU: { noWeight: true, noSeal: true },
  MAEU: { departuresArrivalsNotAlways: true, noSeal: true },
  SEAU: { departuresArrivalsNotAlways: true, noSeal: true },
  SEJJ: { departuresArrivalsNotAlways: true, noSeal: true },
  SAFM: { departuresArrivalsNotAlways: true, noSeal: true },
  MSCU: { noSeal: true },
  HLCU: { noWeight: true, noSeal: true },
  EGLV: { datesOnly: true, equipmentTypesMapped: ['dry', 'reefer', 'flat rack'] },
  COSU: { noDeparturesArrivals: true },
  OOLU: { noSeal: true },
  ONEY: { equipmentTypesMapped: ['dry', 'reefer'] },
  YMLU: { averageWeight: true },
  HDMU: { noEquipmentType: true },
  ZIMU: { noWeight: true, noSeal: true },
  SSBF: { noWeight: true, equipmentTypesMapped: ['dry'] },
}

test('exactly the 38 lines of the coverage table can be tracked, each by the kinds in the table', () => {
  const told = allShippingLines().map((line) => [
    line.scac,
    line.alternativeScacs.join(',') || '-',
    line.access,
    ...[line.tracksBy.billOfLading, line.tracksBy.booking, line.tracksBy.container].map((can) => (can ? 'Y' : 'N')),
  ])
  const sorted = (rows: readonly (readonly (string | undefined)[])[]) => rows.map((row) => row.join(' ')).sort()
  assert.equal(told.length, 38)
  assert.deepEqual(sorted(told), sorted(coverage))
})

test('finds every line by its own and its alternative SCACs, in any case', () => {
  for (const [scac = '', alternatives = ''] of coverage) {
    for (const code of [scac, ...alternatives.split(',').filter((code) => code !== '-')]) {
      assert.equal(findShippingLine(code)?.scac, scac)
      assert.equal(findShippingLine(` ${code.toLowerCase()} `)?.scac, scac)
    }
  }
  assert.equal(findShippingLine('MEDU')?.scac, 'MSCU')
  for (const unknown of ['XXXX', '', 'TEST', 'MAE', 'constructor']) assert.equal(findShippingLine(unknown), null)
})

test('each line has exactly the data gaps of the table', () => {
  for (const line of allShippingLines()) {
    assert.deepEqual(line.dataGaps, { ...noGaps, ...gaps[line.scac] }, line.scac)
  }
})

test("a line's id follows from its SCAC and never changes", () => {
  assert.equal(getLine('MAEU').id, 'df506fc9-2fbf-5d5f-86b4-c196d27b1ab2')
  for (const line of allShippingLines()) assert.equal(findShippingLineById(line.id.toUpperCase())?.scac, line.scac)
  assert.equal(findShippingLineById('88d014cc-df0d-5ed8-8228-18e96959de03'), null)
})

test('websites are absolute addresses or absent', () => {
  for (const line of allShippingLines()) if (line.website) assert.ok(URL.canParse(line.website), line.scac)
  assert.equal(getLine('SMLU').website, null)
  assert.equal(getLine('KMTU').website, 'http://www.kmtc.co.kr/')
})

test('normalizing a number removes case, spaces, hyphens and dots, but keeps the hyphens of a test number', () => {
  const cases: readonly (readonly [string, string])[] = [
    [' oolu 2134567890 ', 'OOLU2134567890'],
    ['HL-12345678', 'HL12345678'],
    ['MAEU.123.456\u00a0789', 'MAEU123456789'],
    ['ＭＡＥＵ１２３４５６７８９', 'MAEU123456789'],
    ['223\u2011456\u2013789', '223456789'],
    ['test-tr-succeeded', 'TEST-TR-SUCCEEDED'],
    [' TEST-TR-FAILED ', 'TEST-TR-FAILED'],
    ['CXRU 125502-2', 'CXRU1255022'],
    ['', ''],
  ]
  for (const [raw, tidy] of cases) {
    assert.equal(compactNumber(null, raw), tidy)
    assert.equal(compactNumber(getLine('MAEU'), raw), tidy)
  }
  assert.equal(compactNumber({ ...getLine('MAEU'), numberHasHyphensOrDots: true }, 'ab-1.2 c'), 'AB-1.2C')
})

test('removes the prefix from a number only for lines where it is not part of the number', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['MAEU', 'MAEU123456789', '123456789'],
    ['MAEU', '123456789', '123456789'],
    ['OOLU', 'OOLU2134567890', '2134567890'],
    ['COSU', 'CCMJ6123456789', '6123456789'],
    ['EGLV', 'EISU123456789012', '123456789012'],
    ['YMLU', 'YMJAW123456789', 'W123456789'],
    ['MSCU', 'MSCUAB123456', 'AB123456'],
    ['APLU', 'APLUXYZ1234567', 'XYZ1234567'],
    ['ZIMU', 'ZIMUNGB1234567', 'ZIMUNGB1234567'],
    ['GOSU', 'GOSUNGB1234567', 'GOSUNGB1234567'],
    ['SSPH', 'SSPHNGB1234567', 'SSPHNGB1234567'],
    ['HLCU', 'HLCUSHA2601ABCDE', 'HLCUSHA2601ABCDE'],
    // Nothing is left, or nothing that could be a number.
    ['MAEU', 'MAEU', 'MAEU'],
    ['MAEU', 'MAEUABC', 'MAEUABC'],
    // A prefix of another line stays.
    ['MAEU', 'OOLU2134567890', 'OOLU2134567890'],
    // A container number is complete, though it begins with the SCAC (its check digit is right).
    ['MSCU', 'MSCU1234566', 'MSCU1234566'],
  ]
  for (const [scac, number, normalized] of cases) assert.equal(normalizedNumber(getLine(scac), number), normalized)
  for (const line of allShippingLines()) {
    assert.equal(line.billPrefixIsPartOfNumber, ['ZIMU', 'GOSU', 'SSPH', 'HLCU'].includes(line.scac))
  }
})

test('lists the customary bill prefix first', () => {
  assert.deepEqual(getLine('COSU').prefixesOfBill, ['COSU', 'CCMJ'])
  assert.deepEqual(getLine('EGLV').prefixesOfBill, ['EGLV', 'EISU'])
  assert.deepEqual(getLine('PCIU').prefixesOfBill, ['PABV'])
  assert.deepEqual(getLine('TRBR').prefixesOfBill, [])
})

function getLine(scac: string): ShippingLine {
  const line = findShippingLine(scac)
  assert.ok(line, scac)
  return line
}
