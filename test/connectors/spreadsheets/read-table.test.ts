// A table is read exactly as people wrote it, and a file that was made to break a reader is refused with a message.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { detectDelimiter } from '../../../src/connectors/spreadsheets/read-csv.ts'
import { readTable } from '../../../src/connectors/spreadsheets/read-table.ts'
import { readTableInJail } from '../../../src/connectors/spreadsheets/read-table-apart.ts'
import type { Table } from '../../../src/connectors/spreadsheets/table.ts'
import { textRows, workbookParts, zipOf } from './write-xlsx.ts'

const noChoice = { sheet: null }
async function tableOf(bytes: Buffer, sheet: string | null = null): Promise<Table> {
  const reading = await readTable(bytes, { sheet })
  assert.ok(reading.ok, reading.ok ? '' : reading.detail)
  return reading.table
}
const cellsOf = ({ rows }: Table) => rows.map(({ cells }) => cells)
async function faultOf(bytes: Buffer, sheet: string | null = null): Promise<string> {
  const reading = await readTableInJail(bytes, { sheet })
  assert.equal(reading.ok, false)
  return reading.ok ? '' : reading.detail
}

describe('a CSV', () => {
  const text = 'Container;Ort\nMSCU4000005;Zürich\n'
  const encodings: readonly (readonly [string, Buffer])[] = [
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from(`\ufeff${text}`)],
    ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16be', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['utf-16le', Buffer.from(text, 'utf16le')],
    ['utf-16be', Buffer.from(text, 'utf16le').swap16()],
    ['windows-1252', Buffer.from(text, 'latin1')],
  ]
  for (const [nth, [encoding, bytes]] of encodings.entries())
    test(`is read in ${encoding} (${nth})`, async () => {
      const table = await tableOf(bytes)
      assert.deepEqual([table.encoding, table.delimiter], [encoding, ';'])
      assert.deepEqual(cellsOf(table), [
        ['Container', 'Ort'],
        ['MSCU4000005', 'Zürich'],
      ])
    })

  test('is split at the delimiter that gives each line the same number of fields', async () => {
    assert.equal(detectDelimiter('a,b\n1,2\n'), ',')
    assert.equal(detectDelimiter('a;b\n"1,5";2\n"1,6,7,8";3\n'), ';')
    assert.equal(detectDelimiter('a\tb, c\n1\t2\n'), '\t')
    assert.equal(detectDelimiter('number\nMSCU4000005\n'), ',')
    assert.deepEqual(cellsOf(await tableOf(Buffer.from('sep=|\r\na|b,c\r\n'))), [['a', 'b,c']])
  })

  test('keeps its texts: leading zeros, long numbers, quotes, line ends in a cell, rows of any length', async () => {
    const table = await tableOf(
      Buffer.from('A,B,C\r\n007,123456789012345678901,"say ""x"""\r\n\r\n" two\r\nlines ",=1+1\r\n5" pipe\r\n'),
    )
    assert.deepEqual(
      table.rows.map(({ number, cells }) => [number, cells]),
      [
        [1, ['A', 'B', 'C']],
        [2, ['007', '123456789012345678901', 'say "x"']],
        [4, ['two\nlines', '=1+1']],
        [5, ['5" pipe']],
      ],
    )
  })

  test('is refused with the reason if it is invalid or another kind of file', async () => {
    assert.match(await faultOf(Buffer.from([1, 2, 0, 3, 0, 0, 9, 200])), /not a text file/)
    assert.match(await faultOf(Buffer.from('%PDF-1.7')), /PDF/)
    assert.match(await faultOf(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1])), /old form/)
    assert.match(await faultOf(Buffer.from('a,b\n"open,2\n')), /does not close/)
    assert.match(await faultOf(Buffer.from('a,b\n'), 'One'), /not a workbook/)
  })

  test('of a million columns, of too many rows, or with an endless cell is refused', async () => {
    assert.match(await faultOf(Buffer.from(`${'a,'.repeat(1_000_000)}b\n`)), /Row 1 .*columns/)
    assert.match(await faultOf(Buffer.from('a,b\n'.repeat(1_000_000))), /more than 10,100 rows/)
    assert.match(await faultOf(Buffer.from(`a\n${'x'.repeat(40_000)}\n`)), /Cell A2 has more than 32,767 characters/)
    assert.match(await faultOf(Buffer.alloc(8 * 1_048_576 + 1, 'a')), /larger than 8 MB/)
  })
})

describe('a workbook', () => {
  test('is read by its cells: texts, numbers, days by their format, results of formulas', async () => {
    const rows = `
      <row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c></row>
      <row r="4"><c r="A4" s="1"><v>46027</v></c><c r="B4" s="2"><v>46027.604166666664</v></c><c r="C4" s="3"><v>46027</v></c>
        <c r="D4" s="4"><v>12345</v></c><c r="E4"><v>123456789012345678</v></c><c r="F4"><f>A1&amp;"x"</f><v>7</v></c>
        <c r="G4"><f>NOW()</f></c><c r="H4" t="b"><v>1</v></c><c r="I4" t="e"><v>#N/A</v></c><c r="J4" t="str"><f>T(1)</f><v>a_x000D_b</v></c>
        <c r="K4" s="5"><v>46027</v></c><c r="L4" t="s"><v>99</v></c></row>`
    const styles = `<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/><numFmt numFmtId="165" formatCode="00000000"/><numFmt numFmtId="166" formatCode="mmm\\-yy"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="17"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs>`
    const sharedTexts = '<si><t>shared &amp; kept</t><rPh sb="0" eb="1"><t>phonetic</t></rPh></si>'
    const table = await tableOf(zipOf(workbookParts({ Data: rows }, { styles, sharedTexts })))
    assert.deepEqual(
      table.rows.map(({ number, cells }) => [number, cells]),
      [
        [2, ['shared & kept', '', 'inline']],
        [
          4,
          [
            '2026-01-05',
            '2026-01-05T14:30:00',
            '46027',
            '00012345',
            '123456789012345678',
            '7',
            '=NOW()',
            'TRUE',
            '#N/A',
            'a\nb',
            '46027',
          ],
        ],
      ],
    )
  })

  test('with the 1904 date system is read with the correct days', async () => {
    const styles = '<cellXfs><xf numFmtId="14"/></cellXfs>'
    const properties = '<workbookPr date1904="1"/>'
    const parts = workbookParts({ Data: '<row><c s="0"><v>44565</v></c></row>' }, { styles, properties })
    assert.deepEqual(cellsOf(await tableOf(zipOf(parts))), [['2026-01-05']])
  })

  test('is read at its first visible sheet, or at the named one; never at a hidden one', async () => {
    const book = zipOf(workbookParts({ '-Secret': textRows([['s']]), One: textRows([['1']]), Two: textRows([['2']]) }))
    const first = await tableOf(book)
    assert.deepEqual([first.sheet, first.sheets, cellsOf(first)], ['One', ['One', 'Two'], [['1']]])
    assert.deepEqual(cellsOf(await tableOf(book, ' two ')), [['2']])
    assert.match(await faultOf(book, 'Secret'), /no visible sheet of this name.*: One, Two/)
  })

  const sheet = workbookParts({ Data: textRows([['Container']]) })
  test('that grows a thousandfold when it is unpacked is not opened', async () => {
    const bomb = { bytes: Buffer.alloc(90 * 1_048_576, '<row/>') }
    assert.match(await faultOf(zipOf({ ...sheet, 'xl/worksheets/sheet1.xml': bomb })), /compressed more than/)
    const two = { bytes: Buffer.alloc(60 * 1_048_576, 'x') }
    assert.match(await faultOf(zipOf({ ...sheet, a: two, b: two })), /compressed more than|larger than 96 MB/)
  })

  test('with a false size of its parts is refused', async () => {
    const lie = { bytes: Buffer.alloc(40 * 1_048_576, '<row/>'), size: 1_000 }
    assert.match(await faultOf(zipOf({ ...sheet, 'xl/worksheets/sheet1.xml': lie })), /broken/)
  })

  test('whose XML declares entities, harmless or not, is refused before one is expanded', async () => {
    const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')
    const xml = `<!DOCTYPE sst [<!ENTITY l0 "ha">${laughs}]><sst><si><t>&l9;</t></si></sst>`
    assert.match(await faultOf(zipOf({ ...sheet, 'xl/sharedStrings.xml': xml })), /document type/)
    const outside = '<!DOCTYPE x SYSTEM "file:///etc/passwd"><worksheet/>'
    assert.match(await faultOf(zipOf({ ...sheet, 'xl/worksheets/sheet1.xml': outside })), /document type/)
  })

  test('with too many parts, rows or columns is refused', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_100 }, (_, n) => [`p${n}`, 'x']))
    assert.match(await faultOf(zipOf({ ...sheet, ...many })), /more than 1000 parts/)
    const wide = workbookParts({ Data: '<row r="1"><c r="XFD1"><v>1</v></c></row>' })
    assert.match(await faultOf(zipOf(wide)), /Row 1 has more than 256 columns/)
    const long = workbookParts({ Data: '<row><c><v>1</v></c></row>'.repeat(20_000) })
    assert.match(await faultOf(zipOf(long)), /more than 10,100 rows|compressed more than/)
    const deep = workbookParts({ Data: '<a>'.repeat(100) })
    assert.match(await faultOf(zipOf(deep)), /nested too deep/)
    assert.match(await faultOf(zipOf({ a: 'b' })), /not an XLSX workbook/)
    assert.match(await faultOf(zipOf(workbookParts({ '-A': '' }))), /no visible sheet/)
    assert.match(await faultOf(zipOf(sheet).subarray(0, 300)), /broken/)
  })
})

test('the reading of a table stops at the timeout', async () => {
  const reading = await readTableInJail(Buffer.from('a,b\n1,2\n'), noChoice, { timeoutMs: 1 })
  assert.equal(reading.ok, false)
  const good = await readTableInJail(Buffer.from('a,b\n1,2\n'), noChoice)
  assert.deepEqual(good.ok && cellsOf(good.table), [
    ['a', 'b'],
    ['1', '2'],
  ])
})

test('no bytes make the reader throw, truncated or changed anywhere', async () => {
  const good = [Buffer.from('Container,SCAC\nMSCU4000005,MSCU\n'), zipOf(workbookParts({ A: textRows([['x', 'y']]) }))]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...good),
      fc.array(fc.tuple(fc.nat(2_000), fc.nat(255)), { maxLength: 6 }),
      fc.nat(3_000),
      async (bytes, changes, length) => {
        const copy = Buffer.from(bytes.subarray(0, Math.max(1, length)))
        for (const [at, value] of changes) copy[at % copy.length] = value
        const reading = await readTable(copy, noChoice)
        assert.ok(reading.ok || reading.detail.endsWith('.'))
      },
    ),
    { numRuns: 300 },
  )
})
