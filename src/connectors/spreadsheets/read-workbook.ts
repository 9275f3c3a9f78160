/** The structure of a workbook (ECMA-376 part 1, 12.3): its sheets, its shared texts, and the formats of its cells. */

import { type NumberFormat, plainFormat, readNumberFormat } from './date-format.ts'
import { TableFault, tableBounds } from './table.ts'
import { readXml } from './xml-part.ts'
import type { ZipParts } from './zip-parts.ts'

export interface Workbook {
  /** Sheets that are not hidden, in order. */
  readonly sheets: readonly { readonly name: string; readonly part: string }[]
  readonly sharedTexts: readonly string[]
  /** Formats by the number of the cell's style. */
  readonly formats: readonly NumberFormat[]
  readonly is1904: boolean
}

const stylesMax = 65_536

export async function readWorkbook(zip: ZipParts): Promise<Workbook> {
  const main = resolveTarget(
    (await readRelations(zip, '')).find(({ type }) => type === 'officeDocument'),
    '',
  )
  if (main === null || !zip.has(main)) throw new TableFault('This is a ZIP file, but not an XLSX workbook.')
  const relations = await readRelations(zip, main)
  const parts = new Map(relations.map((relation) => [relation.id, resolveTarget(relation, main)]))
  const named: { readonly name: string; readonly part: string }[] = []
  let is1904 = false
  await readXml(zip.texts(main), 'workbook', {
    open: (name, attribute) => {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attribute('date1904') ?? '')
      if (name !== 'sheet' || /^(veryH|h)idden$/.test(attribute('state') ?? '')) return
      const part = parts.get(attribute(':id') ?? '') ?? null
      if (part !== null) named.push({ name: (attribute('name') ?? '').trim(), part })
    },
  })
  const partOfType = (type: string): string | null =>
    resolveTarget(
      relations.find((relation) => relation.type === type),
      main,
    )
  const isSheet = new Set(
    relations.flatMap((each) => (each.type === 'worksheet' ? (resolveTarget(each, main) ?? []) : [])),
  )
  return {
    sheets: named.filter(({ part }) => isSheet.has(part)),
    sharedTexts: await readSharedTexts(zip, partOfType('sharedStrings')),
    formats: await readFormats(zip, partOfType('styles')),
    is1904,
  }
}

interface Relation {
  readonly id: string
  /** The last part of its type URL, which is the same in the transitional and the strict form. */
  readonly type: string
  readonly target: string
}

/** Relations of a part, or of the whole package if `of` is empty. */
async function readRelations(zip: ZipParts, of: string): Promise<readonly Relation[]> {
  const cut = of.lastIndexOf('/') + 1
  const part = `${of.slice(0, cut)}_rels/${of.slice(cut)}.rels`
  if (!zip.has(part)) return []
  const relations: Relation[] = []
  await readXml(zip.texts(part), 'relations', {
    open: (name, attribute) => {
      if (name !== 'Relationship' || attribute('TargetMode') === 'External') return
      const type = (attribute('Type') ?? '').split('/').at(-1) ?? ''
      relations.push({ id: attribute('Id') ?? '', type, target: attribute('Target') ?? '' })
    },
  })
  return relations
}

/** The name of the target in the package: targets are relative to the part that has the relation. */
function resolveTarget(relation: Relation | undefined, from: string): string | null {
  if (relation === undefined) return null
  const url = URL.parse(relation.target, `zip://package/${from}`)
  return url === null || url.host !== 'package' ? null : decodeURI(url.pathname).slice(1)
}

async function readSharedTexts(zip: ZipParts, part: string | null): Promise<readonly string[]> {
  if (part === null || !zip.has(part)) return []
  const texts: string[] = []
  let [text, isShown, phonetic] = ['', false, 0]
  await readXml(zip.texts(part), 'shared texts', {
    open: (name) => {
      if (name === 'si') text = ''
      if (name === 'rPh') phonetic += 1
      isShown = name === 't' && phonetic === 0
    },
    text: (piece) => {
      if (isShown && text.length <= tableBounds.characters) text += piece
    },
    close: (name) => {
      isShown = false
      if (name === 'rPh') phonetic -= 1
      if (name !== 'si') return
      if (texts.length >= tableBounds.cells) throw new TableFault('The workbook has too many texts.')
      texts.push(text)
    },
  })
  return texts
}

async function readFormats(zip: ZipParts, part: string | null): Promise<readonly NumberFormat[]> {
  if (part === null || !zip.has(part)) return []
  const codes = new Map<number, string>()
  const formats: NumberFormat[] = []
  let isOfCells = false
  await readXml(zip.texts(part), 'styles', {
    open: (name, attribute) => {
      const id = Number(attribute('numFmtId') ?? '0')
      if (name === 'numFmt') codes.set(id, (attribute('formatCode') ?? '').slice(0, 255))
      if (name === 'cellXfs') isOfCells = true
      if (name === 'xf' && isOfCells)
        formats.push(Number.isNaN(id) ? plainFormat : readNumberFormat(id, codes.get(id) ?? null))
      if (formats.length > stylesMax || codes.size > stylesMax)
        throw new TableFault('The workbook has too many styles.')
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return formats
}
