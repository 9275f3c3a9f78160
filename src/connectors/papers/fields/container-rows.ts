/**
 * Containers and the values of their rows. A container number is certain anywhere, by its check digit. The other words
 * in its row are read by the heading above them, or by their own form.
 */

import type { DocumentField, Rectangle, Word } from '../document.ts'
import { findCount, findMoney, findVolume, findWeight, unitOf } from './amounts.ts'
import { plainWords } from './find-labelled.ts'
import { type DayOrder, findMoment } from './moments.ts'
import { findContainers, findSizeType } from './numbers.ts'
import { boundsOfWords, type Layout, type TextRun } from './runs.ts'

type Column =
  | 'seal_number'
  | 'size_type'
  | 'weight_kg'
  | 'volume_m3'
  | 'package_count'
  | 'from'
  | 'to'
  | 'days'
  | 'rate'
  | 'amount'
  | 'last_free_day'

const headings: readonly (readonly [Column, RegExp])[] = [
  ['seal_number', /^(?:carrier )?seals?(?: no| nos| number| numbers)?$|^seal s$/],
  [
    'size_type',
    /^(?:container |ctr |eqp |equipment )?(?:size|type|size type|type size|iso|iso code|size and type|kind)$/,
  ],
  ['weight_kg', /(?:gross |cargo )?(?:weight|wt|mass)|^kgs?$|^g w/],
  ['volume_m3', /measure|volume|cbm|^m3$|cube/],
  ['package_count', /packages|pkgs|pieces|cartons|^qty$|quantity|^pcs$|cases/],
  [
    'from',
    /^(?:charged |charge |chargeable |period )?(?:from|start|start date|from date|date from|begin|first day|starting)$/,
  ],
  [
    'to',
    /^(?:charged |charge |chargeable |period )?(?:to|end|end date|to date|date to|thru|through|until|last day|ending)$/,
  ],
  ['days', /^(?:chargeable |charged |no of |number of |billable |total )?days$/],
  ['rate', /^(?:daily |day )?(?:rate|tariff|rate per day|per day|rate day|price per day)(?: [a-z]{3})?$/],
  ['amount', /^(?:total |line |charge )?(?:amount|total|charges|charge|sum)(?: [a-z]{3})?$/],
  ['last_free_day', /^(?:last free day|lfd|last free date|free until|free time (?:ends|expires|until))$/],
]

export interface ContainerRow {
  readonly number: string
  readonly at: TextRun
  readonly words: readonly Word[]
  readonly cells: ReadonlyMap<
    Column,
    { readonly value: string | number; readonly text: string; readonly words: readonly Word[] }
  >
}

export function findContainerRows(layout: Layout, order: DayOrder): readonly ContainerRow[] {
  return [...layout.lines.values()].flatMap((lines) =>
    lines.flatMap((line, place) => {
      const found = line.flatMap((run) =>
        findContainers(run.words.map(({ text }) => text)).map((container) => ({ ...container, run })),
      )
      return found.map(({ number, run, from, count }, index): ContainerRow => {
        const isAlone = found.length === 1
        const words = run.words.slice(from, from + count)
        const rest = isAlone
          ? line.flatMap((each) => (each === run ? splitAround(run, from, count) : [each]))
          : splitAround(
              {
                ...run,
                words: run.words.slice(from, found[index + 1]?.run === run ? found[index + 1]?.from : undefined),
              },
              0,
              count,
            )
        return {
          number,
          at: run,
          words,
          cells: cellsOf(rest, lines.slice(Math.max(0, place - 40), place), order),
        }
      })
    }),
  )
}

/** The run without the container number: the words before it, and the words after it. */
function splitAround(run: TextRun, from: number, count: number): readonly TextRun[] {
  return [run.words.slice(0, from), run.words.slice(from + count)].flatMap((words) =>
    words.length === 0
      ? []
      : [{ ...run, words, box: boundsOfWords(words), text: words.map(({ text }) => text).join(' ') }],
  )
}

function cellsOf(
  row: readonly TextRun[],
  above: readonly (readonly TextRun[])[],
  order: DayOrder,
): ContainerRow['cells'] {
  const cells = new Map<Column, { value: string | number; text: string; words: readonly Word[] }>()
  const columns = columnsAbove(above)
  for (const run of row) {
    const heading = columns.find(({ box }) => isUnder(box, run.box))
    const inlineSeal = /seal[\s.:#no]*\s*([A-Z0-9]{4,15})\b/i.exec(run.text)?.[1]
    const put = (column: Column, value: string | number | null | undefined, text = run.text): void => {
      if (value !== null && value !== undefined && !cells.has(column))
        cells.set(column, { value, text, words: run.words })
    }
    if (inlineSeal !== undefined && /\d/.test(inlineSeal)) put('seal_number', inlineSeal.toUpperCase())
    if (heading !== undefined) put(heading.column, readCell(heading.column, heading.text, run.text, order))
    else {
      put('size_type', findSizeType(run.text))
      put('weight_kg', findWeight(run.text, null)?.value)
      put('volume_m3', findVolume(run.text, false)?.value)
      const slashed = /^[/|]\s*([A-Z]{0,5}[-]?\d[A-Z0-9]{3,13})\b/i.exec(run.text)?.[1]
      if (slashed !== undefined && findSizeType(slashed) === null) put('seal_number', slashed.toUpperCase())
    }
  }
  return cells
}

function readCell(column: Column, heading: string, text: string, order: DayOrder): string | number | null {
  switch (column) {
    case 'seal_number': {
      const seal = text.trim().split(/[\s,/]+/)[0] ?? ''
      return /^[A-Z0-9-]{4,15}$/i.test(seal) && /\d/.test(seal) ? seal.toUpperCase() : null
    }
    case 'size_type':
      return findSizeType(text)
    case 'weight_kg':
      return findWeight(text, unitOf(heading))?.value ?? null
    case 'volume_m3':
      return findVolume(text, true)?.value ?? null
    case 'package_count':
    case 'days':
      return findCount(text)?.value ?? null
    case 'from':
    case 'to':
    case 'last_free_day':
      return findMoment(text, order)?.value ?? null
    case 'rate':
    case 'amount':
      return findMoney(text)?.value ?? (/^\d+$/.test(text.trim()) ? Number(text.trim()) : null)
  }
}

interface Heading {
  readonly column: Column
  readonly text: string
  readonly box: Rectangle
}

/** The nearest line above in which two cells or more are headings, with the text above it in a second line. */
function columnsAbove(lines: readonly (readonly TextRun[])[]): readonly Heading[] {
  for (let place = lines.length - 1; place >= 0; place -= 1) {
    const found = (lines[place] ?? []).flatMap((run) => headingOf(run))
    if (found.length >= 2) return found
  }
  return []
}

function headingOf(run: TextRun): readonly Heading[] {
  const text = plainWords(run.text).join(' ')
  if (text.length > 40) return []
  const found = headings.find(([, pattern]) => pattern.test(text))
  return found === undefined ? [] : [{ column: found[0], text: run.text, box: run.box }]
}

/** Cells are under a heading when they share some of its width: numbers hang to the right, words to the left. */
function isUnder(heading: Rectangle, cell: Rectangle): boolean {
  return cell.left < heading.right + 0.005 && cell.right > heading.left - 0.005
}

/** `page` and place of a cell, as proof. */
export function proofOf(row: ContainerRow, words: readonly Word[]): Pick<DocumentField, 'page' | 'box'> {
  return { page: row.at.page, box: boundsOfWords(words) }
}
