/**
 * Adds the fields that a language model found on the same pages to the fields of the rules. Fields of which the rules
 * are certain stay. Fields of the model wait for a decision of a person.
 */

import { type DocumentField, type DocumentReading, type PageWords, type ReadableType, sureFrom } from '../document.ts'
import { dayOrderOf } from '../fields/moments.ts'
import { payloadOf } from '../fields/payload.ts'
import { boundsOfWords } from '../fields/runs.ts'
import { rotateBack } from '../pages/rotate-picture.ts'
import { findPrinted } from './find-printed.ts'
import type { ModelAnswer, PrintedField } from './parse-answer.ts'
import type { PrintedLine } from './printed-lines.ts'
import { readNamedValues } from './values-printed.ts'

/** Below the confidence that counts without a person, however well the words are printed. */
const modelConfidence = 0.7

/** `by` the model, from the words of the page alone. Each name once. */
export function fieldsOfAnswer(
  answer: ModelAnswer,
  of: {
    readonly type: ReadableType
    readonly lines: readonly PrintedLine[]
    readonly pages: readonly PageWords[]
  },
): readonly DocumentField[] {
  const order = dayOrderOf(of.lines.flatMap(({ runs }) => runs.map(({ text }) => text)))
  const quarters = new Map(of.pages.map((page) => [page.page, page.quarters ?? 0]))
  const read = (printedField: PrintedField): readonly DocumentField[] => {
    const printed = findPrinted(of.lines, printedField)
    if (printed === null) return []
    const { words, page } = printed
    const clear = words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length
    return readNamedValues(printedField.name, printed, { type: of.type, order }).map((each) => ({
      ...each,
      confidence: Math.round(modelConfidence * clear * 100) / 100,
      page,
      box: rotateBack(boundsOfWords(words), quarters.get(page) ?? 0),
      by: 'model',
    }))
  }
  return answer.fields.flatMap(read)
}

/** The reading with the fields of the model put beside those of the rules. */
export function addFields(reading: DocumentReading, found: readonly DocumentField[]): DocumentReading {
  const fields = [
    ...mergePlainFields(reading.fields.filter(isOutsideLists), found.filter(isOutsideLists)),
    ...mergeListFields(reading.fields.filter(isListed), found.filter(isListed)),
    ...mergeContainers(reading.fields.filter(isContainerField), found.filter(isContainerField)),
    ...chooseChargeFields(reading.fields.filter(isOfCharge), found.filter(isOfCharge)),
  ]
  return { ...reading, fields, payload: payloadOf(fields) }
}

const isListed = ({ name }: DocumentField): boolean => name.endsWith(']')
const isContainerField = ({ name }: DocumentField): boolean => name.startsWith('containers[')
const isOfCharge = ({ name }: DocumentField): boolean => name.startsWith('charges[')
const isOutsideLists = ({ name }: DocumentField): boolean => !name.includes('[')

/** Name and code of a place are one thing, and so are both here. */
const thingOf = ({ name }: DocumentField): string => name.split('.')[0] ?? name

function mergePlainFields(rules: readonly DocumentField[], model: readonly DocumentField[]): readonly DocumentField[] {
  const retained = new Set(
    rules
      .filter((field) => {
        const same = model.some(({ name, value }) => name === field.name && value === field.value)
        return same || field.confidence >= sureFrom || !model.some((each) => thingOf(each) === thingOf(field))
      })
      .map(thingOf),
  )
  const added = new Map<string, DocumentField>()
  for (const field of model) if (!retained.has(thingOf(field)) && !added.has(field.name)) added.set(field.name, field)
  return [...rules.filter((field) => retained.has(thingOf(field))), ...added.values()]
}

const listMax = 20

function mergeListFields(rules: readonly DocumentField[], model: readonly DocumentField[]): readonly DocumentField[] {
  const byList = new Map<string, DocumentField[]>()
  for (const field of [...rules, ...model]) {
    const list = field.name.replace(/\[\d+\]$/, '')
    const all = byList.get(list) ?? []
    if (!all.some(({ value }) => value === field.value)) byList.set(list, [...all, field])
  }
  return [...byList].flatMap(([list, all]) =>
    all.slice(0, listMax).map((field, place) => ({ ...field, name: `${list}[${place}]` })),
  )
}

/**
 * A row belongs to the container whose number it has, wherever that is in the list. A row without a number is skipped.
 */
function mergeContainers(rules: readonly DocumentField[], model: readonly DocumentField[]): readonly DocumentField[] {
  const fields = new Map(rules.map((field) => [field.name, field]))
  const places = new Map(
    rules.flatMap(({ name, value }) => (name.endsWith('].number') ? [[value, indexOf(name)] as const] : [])),
  )
  const numberOf = new Map(
    model.flatMap(({ name, value }) => (name.endsWith('].number') ? [[indexOf(name), value] as const] : [])),
  )
  for (const field of model) {
    const number = numberOf.get(indexOf(field.name))
    if (number === undefined) continue
    const place = places.get(number) ?? places.size
    places.set(number, place)
    const name = field.name.replace(/\[\d+\]/, `[${place}]`)
    const before = fields.get(name)
    const isBetter = before?.by === 'rules' && before.confidence < sureFrom && before.value !== field.value
    if (before === undefined || isBetter) fields.set(name, { ...field, name })
  }
  return [...fields.values()]
}

/** Lines of charges have no key by which two readings of them could be matched: those of the rules, else of the model. */
function chooseChargeFields(
  rules: readonly DocumentField[],
  model: readonly DocumentField[],
): readonly DocumentField[] {
  if (rules.length > 0) return rules
  const places = new Map<number, number>()
  const fields = new Map<string, DocumentField>()
  for (const field of model) {
    const at = indexOf(field.name)
    const place = places.get(at) ?? places.size
    places.set(at, place)
    const name = field.name.replace(/\[\d+\]/, `[${place}]`)
    if (!fields.has(name)) fields.set(name, { ...field, name })
  }
  return [...fields.values()]
}

function indexOf(name: string): number {
  return Number(/\[(\d+)\]/.exec(name)?.[1])
}

/** Fields that the rules read for a kind that only the model stated are not more certain than the kind. */
export function capConfidence(reading: DocumentReading): DocumentReading {
  const fields = reading.fields.map((field) => ({
    ...field,
    confidence: Math.min(field.confidence, modelConfidence),
  }))
  return { ...reading, fields, typeConfidence: modelConfidence }
}
