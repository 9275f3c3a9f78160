/**
 * How much of a paper is read right: on layouts that the rules were made with, and on others that were left out; from
 * PDF with text, from scans and from photos. And how many pages a second are read.
 */

import type { DocumentReading, PagesReading } from '../../src/connectors/papers/document.ts'
import { readDocument } from '../../src/connectors/papers/fields/read-document.ts'
import { readPagesInJail } from '../../src/connectors/papers/pages/read-pages-apart.ts'
import { type Copy, photoOf, scanOf } from '../../tools/document-corpus/degrade.ts'
import { drawPaper } from '../../tools/document-corpus/draw.ts'
import { type Layout, layouts, leftOut } from '../../tools/document-corpus/layouts.ts'
import { renderPages } from '../../tools/document-corpus/render-page.ts'
import type { Fields } from '../../tools/document-corpus/roles.ts'
import { scoreOf } from '../../tools/document-corpus/score.ts'
import { inventTruth } from '../../tools/document-corpus/truth.ts'
import { chance } from '../kill/chance.ts'
import { type Figure, progress, secondsOf } from './measure.ts'

/** Papers of each layout. `full`: 15 layouts and 5 left out, 20 papers each; scans take seconds a page. */
const sizes = {
  quick: { text: 4, scan: 1, photo: 1 },
  full: { text: 20, scan: 8, photo: 8 },
} as const

interface Tally {
  readonly papers: number
  readonly kinds: number
  readonly there: number
  readonly right: number
  readonly wrong: number
  readonly seconds: number
  /** Shares of fields that are right, by how sure the reading was: from 0.5 in tenths. */
  readonly sure: readonly { readonly said: number; readonly right: number; readonly of: number }[]
}

export async function benchDocuments(): Promise<readonly Figure[]> {
  const size = process.argv.includes('--full') ? sizes.full : sizes.quick
  const figures: Figure[] = []
  for (const copy of ['text', 'scan', 'photo'] as const) {
    const known = await read(layouts, copy, size[copy])
    const others = await read(leftOut, copy, size[copy])
    figures.push(
      figureOf(`Fields read right, ${words[copy]}, layouts the rules were made with`, known, aims[copy].known),
      figureOf(`Fields read right, ${words[copy]}, layouts left out of the rules`, others, aims[copy].others),
      speedOf(copy, known),
    )
  }
  return figures
}

const words: Readonly<Record<Copy, string>> = { text: 'PDF with text', scan: 'scans', photo: 'photos' }
const aims: Readonly<Record<Copy, { readonly known: number; readonly others: number }>> = {
  text: { known: 0.95, others: 0.55 },
  scan: { known: 0.8, others: 0.4 },
  photo: { known: 0.6, others: 0.3 },
}

async function read(of: readonly Layout[], copy: Copy, papers: number): Promise<Tally> {
  let [kinds, there, right, wrong, seconds, count] = [0, 0, 0, 0, 0, 0]
  const sure = new Map<number, { right: number; of: number }>()
  for (const layout of of) {
    for (let paper = 0; paper < papers; paper += 1) {
      const seed = 1_000 * (paper + 1) + layout.name.length * 17
      const { pdf, fields } = await drawPaper(layout, inventTruth(seed))
      const file = copy === 'text' ? pdf : await copyOf(pdf, copy, seed)
      let pages: PagesReading | null = null
      seconds += await secondsOf(async () => {
        pages = await readPagesInJail(file)
      })
      const reading = readOrNothing(pages)
      const score = scoreOf(reading, fields)
      count += 1
      kinds += reading.type === layout.type ? 1 : 0
      there += score.there
      right += score.right
      wrong += score.wrong
      noteSureness(sure, reading, fields)
    }
    progress(`documents: ${copy} ${layout.name}`)
  }
  const shares = [...sure].sort(([a], [b]) => a - b).map(([said, each]) => ({ said, ...each }))
  return { papers: count, kinds, there, right, wrong, seconds, sure: shares }
}

async function copyOf(pdf: Buffer, copy: Exclude<Copy, 'text'>, seed: number): Promise<Buffer> {
  const [page] = await renderPages(pdf, 200)
  if (page === undefined) throw new Error('the paper has no page')
  return copy === 'scan' ? scanOf(page, chance(seed)) : photoOf(page, chance(seed))
}

function readOrNothing(pages: PagesReading | null): DocumentReading {
  return readDocument(pages?.ok === true ? pages.pages : [])
}

function noteSureness(
  sure: Map<number, { right: number; of: number }>,
  reading: DocumentReading,
  fields: Fields,
): void {
  for (const field of reading.fields) {
    const truth = fields[field.name]
    if (truth === undefined) continue
    const said = Math.min(0.9, Math.floor(field.confidence * 10) / 10)
    const before = sure.get(said) ?? { right: 0, of: 0 }
    const isRight = scoreOf({ ...reading, fields: [field] }, { [field.name]: truth }).right
    sure.set(said, { right: before.right + isRight, of: before.of + 1 })
  }
}

function figureOf(what: string, tally: Tally, aim: number): Figure {
  const share = tally.right / tally.there
  const shares = tally.sure.map(({ said, right, of }) => `${said.toFixed(1)}: ${right}/${of}`).join(', ')
  return {
    bench: 'documents',
    what,
    unit: 'share of the fields',
    figure: share,
    limit: { what: 'all fields that are printed', value: 1 },
    ratio: share,
    aim: `more than ${aim}`,
    isMet: share > aim,
    note: `${tally.papers} papers, ${tally.there} fields; ${tally.wrong} read wrongly; kind right for ${tally.kinds}; right by how sure the reading was: ${shares}`,
    postgres: null,
  }
}

function speedOf(copy: Copy, { papers, seconds }: Tally): Figure {
  return {
    bench: 'documents',
    what: `Pages read, ${words[copy]}, each in a process of its own`,
    unit: 'pages/s',
    figure: papers / seconds,
    limit: null,
    ratio: null,
    aim: copy === 'text' ? 'more than 1' : 'more than 0.1',
    isMet: papers / seconds > (copy === 'text' ? 1 : 0.1),
    note: `${papers} files of one page`,
    postgres: null,
  }
}
