/**
 * From the words of a document with their places to its kind and its fields. Pure and bounded; never throws. A value
 * that cannot be read with certainty is left out.
 */

import {
  type DocumentField,
  type DocumentReading,
  type DocumentType,
  type PageWords,
  type ReadableType,
  readableTypes,
} from '../document.ts'
import { schemaFields } from '../schemas/fields-of.ts'
import { classifyDocument } from './classify.ts'
import { type ContainerRow, findContainerRows, proofOf } from './container-rows.ts'
import { isAmbiguousNumber, isAmbiguousVoyage, isDoubtful, wordsOfValue } from './doubtful.ts'
import { type Candidate, findLabelled } from './find-labelled.ts'
import { levelPage, toShownRectangle } from './level-pages.ts'
import { type DayOrder, dayOrderOf } from './moments.ts'
import { findInvalidContainers } from './numbers.ts'
import { payloadOf } from './payload.ts'
import { findReleases } from './releases.ts'
import { boundsOfWords, type Layout, layOut } from './runs.ts'
import { type FieldValue, readValues } from './values.ts'

/** Raised whenever the same words may give other fields. */
export const rulesVersion = 3

/** Fields with several values. Of all others the surest value counts. */
const lists = new Set(['reference_numbers', 'purchase_order_numbers'])
const listMax = 20
const containersMax = 600

/** `as`: the kind that a person or an earlier reading decided; found out when null. */
export function readDocument(pages: readonly PageWords[], as: DocumentType | null = null): DocumentReading {
  const layout = layOut(pages.map(levelPage))
  const found = classifyDocument(layout)
  const type = as ?? found.type
  const readable = readableTypes.find((each) => each === type) ?? null
  const decided = as === null ? {} : { typeConfidence: 1, notes: `Read as ${as.replaceAll('_', ' ')}, as was decided.` }
  const pagesByNumber = new Map(pages.map((page) => [page.page, page]))
  const level = readable === null ? [] : readFields(layout, readable)
  // The proof is a place on the page as it is shown, in whatever direction its words run.
  const fields = level.map((field) => {
    const page = pagesByNumber.get(field.page)
    return page === undefined ? field : { ...field, box: toShownRectangle(field.box, page) }
  })
  return {
    type,
    typeConfidence: found.confidence,
    ...decided,
    notes: `${decided.notes ?? found.notes}${describeInvalidContainers(layout, fields)}`,
    payload: payloadOf(fields),
    fields,
  }
}

/** A container number with a wrong sign is no container. A number that was read as another field is not counted. */
function describeInvalidContainers({ runs }: Layout, fields: readonly DocumentField[]): string {
  const values = new Set(fields.map(({ value }) => String(value)))
  const unproven = new Set(runs.flatMap(({ text }) => findInvalidContainers(text)))
  const [number, ...more] = [...unproven].filter((each) => !values.has(each))
  if (number === undefined) return ''
  const others = more.length === 0 ? '' : `, nor are ${more.length} more`
  return ` ${number} is not read as a container, because its check digit does not fit${others}: compare it with the paper.`
}

function readFields(layout: Layout, type: ReadableType): readonly DocumentField[] {
  const order = dayOrderOf(layout.runs.map(({ text }) => text))
  const labelled = findLabelled(layout, type).flatMap((candidate) => fieldsOf(candidate, order))
  const rows = findContainerRows(layout, order).slice(0, containersMax)
  const containerFields = readContainerFields(rows, type)
  const numbers = new Set(rows.map(({ number }) => number))
  const known = schemaFields(type)
  const isInSchema = (name: string): boolean => known.has(name.replace(/\[\d+\]/g, '[]'))
  return [
    ...pickSurest(labelled.filter(({ value }) => !numbers.has(String(value)))),
    ...releaseFields(layout),
    ...containerFields,
  ].filter(({ name }) => isInSchema(name))
}

function fieldsOf(candidate: Candidate, order: DayOrder): readonly DocumentField[] {
  const { words, page, nearness } = candidate
  const printed = words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length
  const values = readValues(candidate, order).filter((value) => isSure(value, candidate))
  return values.map(({ field, value, text }) => ({
    name: field,
    value,
    text,
    confidence: Math.round(nearness * printed * 100) / 100,
    page,
    box: boundsOfWords(words),
    by: 'rules',
  }))
}

function isSure({ field, value, text }: FieldValue, { kind, words }: Candidate): boolean {
  if (isDoubtful(wordsOfValue(words, kind === 'vessel' ? String(value) : text))) return false
  if (field === 'voyage_number') return !isAmbiguousVoyage(String(value), words)
  return kind !== 'number' || !isAmbiguousNumber(String(value), words)
}

/** One value for each field; of a list all, numbered. Two different values of one field make both less sure. */
function pickSurest(fields: readonly DocumentField[]): readonly DocumentField[] {
  const byName = new Map<string, DocumentField[]>()
  for (const field of fields) byName.set(field.name, [...(byName.get(field.name) ?? []), field])
  const places = placesOf(byName)
  return [...byName].flatMap(([name, of]) => {
    const sorted = of.toSorted((one, other) => other.confidence - one.confidence)
    const [best] = sorted
    if (best === undefined) return []
    if (lists.has(name))
      return [...new Map(sorted.map((each) => [each.value, each])).values()]
        .slice(0, listMax)
        .map((each, place) => ({ ...each, name: `${name}[${place}]` }))
    // The code of a place is that of the name which was chosen, and of no other.
    if (name.endsWith('.unlocode')) {
      const chosen = places.get(name.slice(0, -9))
      const chosenCode = sorted.find(({ text }) => text === chosen?.text)
      return chosenCode === undefined ? [] : [chosenCode]
    }
    const other = sorted.find(({ value }) => value !== best.value)
    const isDoubtful = other !== undefined && other.confidence > best.confidence * 0.97
    return [isDoubtful ? { ...best, confidence: Math.round(best.confidence * 70) / 100 } : best]
  })
}

function placesOf(byName: ReadonlyMap<string, readonly DocumentField[]>): ReadonlyMap<string, DocumentField> {
  return new Map(
    [...byName].flatMap(([name, of]) => {
      const best = name.endsWith('.name') ? of.toSorted((a, b) => b.confidence - a.confidence)[0] : undefined
      return best === undefined ? [] : [[name.slice(0, -5), best] as const]
    }),
  )
}

function releaseFields(layout: Layout): readonly DocumentField[] {
  return findReleases([...layout.lines.values()].flat()).map(({ field, value, run }) => ({
    name: field,
    value,
    text: run.text,
    confidence: Math.round(run.confidence * 90) / 100,
    page: run.page,
    box: run.box,
    by: 'rules',
  }))
}

const ofCharges = new Set(['from', 'to', 'days', 'rate', 'amount'])

/** Each container once, with the values of its rows. On an invoice each row that charges days is an invoice line. */
function readContainerFields(rows: readonly ContainerRow[], type: ReadableType): readonly DocumentField[] {
  const places = new Map<string, number>()
  const fieldsByName = new Map<string, DocumentField>()
  let charges = 0
  for (const row of rows) {
    const place = places.get(row.number) ?? places.size
    places.set(row.number, place)
    const put = (name: string, value: string | number, of: { text: string; words: ContainerRow['words'] }): void => {
      if (fieldsByName.has(name) || isDoubtful(of.words)) return
      if (name.endsWith('.seal_number') && isAmbiguousNumber(String(value), of.words)) return
      const printed = of.words.reduce((sum, { confidence }) => sum + confidence, 0) / of.words.length
      const confidence = Math.round(printed * 96) / 100
      fieldsByName.set(name, {
        name,
        value,
        text: of.text,
        confidence,
        ...proofOf(row, of.words),
        by: 'rules',
      })
    }
    const text = row.words.map((word) => word.text).join(' ')
    // The check digit proves the number, however badly it is printed.
    put(`containers[${place}].number`, row.number, {
      text,
      words: row.words.map((word) => ({ ...word, confidence: 1 })),
    })
    for (const [column, cell] of row.cells)
      if (!ofCharges.has(column)) put(`containers[${place}].${column}`, cell.value, cell)
    const isCharge = type === 'demurrage_invoice' && [...row.cells.keys()].some((column) => ofCharges.has(column))
    if (!isCharge) continue
    put(`charges[${charges}].container_number`, row.number, { text, words: row.words })
    for (const [column, cell] of row.cells)
      if (ofCharges.has(column)) put(`charges[${charges}].${column}`, cell.value, cell)
    charges += 1
  }
  return [...fieldsByName.values()]
}
