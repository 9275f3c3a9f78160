/** Workbooks written byte by byte: good ones, and ones that no program writes. */

import { crc32, deflateRawSync } from 'node:zlib'

/** Parts by name; `size`: the size of the unpacked part that the directory states, if it is wrong. */
export type Parts = Readonly<Record<string, string | { readonly bytes: Buffer; readonly size?: number }>>

export function zipOf(parts: Parts): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, given] of Object.entries(parts)) {
    const bytes = typeof given === 'string' ? Buffer.from(given) : given.bytes
    const size = typeof given === 'string' ? bytes.length : (given.size ?? bytes.length)
    const packed = deflateRawSync(bytes, { level: 9 })
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32(bytes), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(size, 18)
    head.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), head, tail, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(central.length, 4)
  end.writeUInt16LE(central.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end])
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** `sheets`: the content of `<sheetData>` of each; names that begin with `-` are hidden. */
export function workbookParts(
  sheets: Readonly<Record<string, string>>,
  more: { readonly sharedTexts?: string; readonly styles?: string; readonly properties?: string } = {},
): Readonly<Record<string, string>> {
  const names = Object.keys(sheets)
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`
  const all = (inner: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`
  const entries = Object.values(sheets).map((rows, nth) => [
    `xl/worksheets/sheet${nth + 1}.xml`,
    `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  ])
  return {
    '_rels/.rels': all(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}">${more.properties ?? ''}<sheets>${names
      .map(
        (name, nth) =>
          `<sheet name="${name.replace(/^-/, '')}" sheetId="${nth + 1}" r:id="s${nth}"${name.startsWith('-') ? ' state="hidden"' : ''}/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': all(
      names.map((_, nth) => relation(`s${nth}`, 'worksheet', `worksheets/sheet${nth + 1}.xml`)).join('') +
        relation('t', 'sharedStrings', 'sharedStrings.xml') +
        relation('f', 'styles', '/xl/styles.xml'),
    ),
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${more.sharedTexts ?? ''}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}">${more.styles ?? ''}</styleSheet>`,
    ...Object.fromEntries(entries),
  }
}

/** Rows of plain texts. */
export function textRows(rows: readonly (readonly string[])[]): string {
  return rows
    .map((cells) => `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`)
    .join('')
}
