/**
 * The value of a printed text as the field that a language model named. It is read by the same readers as the rules
 * use, so that the model chooses the place and never the value.
 */

import type { ReadableType } from '../document.ts'
import { findCount, findMoney, findVolume, findWeight } from '../fields/amounts.ts'
import type { Candidate } from '../fields/find-labelled.ts'
import { fieldLabels } from '../fields/labels.ts'
import { type DayOrder, findMoment } from '../fields/moments.ts'
import { findContainers, findSizeType } from '../fields/numbers.ts'
import { findReleases } from '../fields/releases.ts'
import { boundsOfWords } from '../fields/runs.ts'
import { readValues } from '../fields/values.ts'
import { chargeFields, containerFields, type SchemaField, schemaFields } from '../schemas/fields-of.ts'
import type { PrintedMatch } from './find-printed.ts'

export interface NamedValue {
  readonly name: string
  readonly value: string | number | boolean
  readonly text: string
}

interface DocumentReadingContext {
  readonly type: ReadableType
  readonly order: DayOrder
}

/** Empty when the kind of document has no such field, or the text is no such value. */
export function readNamedValues(
  name: string,
  printed: PrintedMatch,
  { type, order }: DocumentReadingContext,
): readonly NamedValue[] {
  const known = schemaFields(type)
  const isKnown = (each: string): boolean => known.has(each.replace(/\[\d+\]/g, '[]'))
  const row = /^(containers|charges)\[(\d{1,3})\]\.(\w+)$/.exec(name)
  if (row !== null) {
    const value = isKnown(name) ? readCell(row[1] ?? '', row[3] ?? '', printed, order) : null
    return value === null ? [] : [{ name, value, text: printed.text }]
  }
  const field = name.replace(/\[\d{1,3}\]$/, '').replace(/\.(name|unlocode)$/, '')
  const list = `${field}[]`
  return readField(field, printed, { type, order })
    .filter((each) => isKnown(each.name) || known.has(list))
    .map((each) => (known.has(list) ? { ...each, name: `${field}[0]` } : each))
}

function readField(
  field: string,
  printed: PrintedMatch,
  { type, order }: DocumentReadingContext,
): readonly NamedValue[] {
  const { text, words, page, run } = printed
  const statement = { ...run, text, words, box: boundsOfWords(words) }
  const release = findReleases([[statement]]).find((each) => each.field === field)
  if (release !== undefined) return [{ name: field, value: release.value, text }]
  const kind = fieldLabels.find((each) => each.field === field && each.on.includes(type))?.kind
  if (kind === undefined) return []
  if (isAmount(kind) && isCutFigure(printed)) return []
  const read = (given: string): readonly NamedValue[] => {
    const asOne = [{ text: given, box: statement.box, confidence: run.confidence }]
    const candidate: Candidate = { field, kind, label: '', words: asOne, page, nearness: 1 }
    return readValues(candidate, order).map((each) => ({
      name: each.field,
      value: each.value,
      text: each.text,
    }))
  }
  const alone = read(text)
  return alone.length > 0 || !isAmount(kind) ? alone : read(`${text} ${printed.behind}`)
}

const cells = new Map<string, SchemaField['shape']>(
  [...containerFields, ...chargeFields].map(({ name, shape }) => [name, shape]),
)

function readCell(list: string, column: string, printed: PrintedMatch, order: DayOrder): string | number | null {
  const { text, behind } = printed
  if (column === 'number' || column === 'container_number') return findContainers(text.split(/\s+/))[0]?.number ?? null
  if (column === 'size_type') return findSizeType(text)
  if (column === 'seal_number') return /^[A-Z0-9-]{4,15}$/i.test(text) && /\d/.test(text) ? text.toUpperCase() : null
  if (cells.get(column) === 'moment') return findMoment(text, order)?.value ?? null
  if (isCutFigure(printed)) return null
  if (column === 'weight_kg') return (findWeight(text, null) ?? findWeight(`${text} ${behind}`, null))?.value ?? null
  if (column === 'volume_m3') return (findVolume(text, false) ?? findVolume(`${text} ${behind}`, false))?.value ?? null
  if (list === 'charges' && (column === 'rate' || column === 'amount'))
    return (findMoney(text) ?? findMoney(`${text} ${behind}`))?.value ?? null
  return cells.get(column) === 'count' ? (findCount(text)?.value ?? null) : null
}

function isAmount(kind: Candidate['kind']): boolean {
  return kind === 'weight' || kind === 'volume' || kind === 'money' || kind === 'count'
}

/** `234,50` of `1 234,50`: some print thousands apart, and a part of a figure is another figure. */
function isCutFigure({ text, before, behind }: PrintedMatch): boolean {
  return (/\d$/.test(before) && /^\d/.test(text)) || (/\d$/.test(text) && /^\d/.test(behind))
}
