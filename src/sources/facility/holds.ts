/**
 * Reads holds. A list in which every element is understood states all holds of the box, and that there are no others.
 * In all other cases each hold is a statement of its own. A hold whose name is not mapped still counts as a hold:
 * `other`, with the facility's own word.
 */

import { nameOfHold } from '../../core/statements/natural-key.ts'
import type { FactObservation, Hold, HoldWord } from '../../core/statements/observation.ts'
import { quoted } from '../source-issue.ts'
import {
  type BoxContext,
  factOf,
  isOneOfWords,
  meaningOf,
  noteWord,
  type Part,
  textAt,
} from './box-context.ts'
import { findAll } from './pointer.ts'
import type { HoldField } from './profile.ts'

type ListField = Extract<HoldField, { list: unknown }>
type OwnField = Extract<HoldField, { hold: unknown }>

export function readHolds(context: BoxContext, part: Part): readonly FactObservation[] {
  const { holds = [] } = context.profile
  const lists = holds.filter((field): field is ListField => 'list' in field)
  const owns = holds.filter((field): field is OwnField => 'hold' in field)
  const listed = lists.map((field) => readList(context, field, part))
  const own = owns.flatMap((field) => readOwn(context, field, part) ?? [])
  const said = [...listed.flatMap((list) => list?.holds ?? []), ...own]
  // Only one list, fully understood, and no other hold fields: a hold that the list does not name is lifted.
  const [list] = listed
  const isWhole = listed.length === 1 && owns.length === 0 && list !== undefined && list?.isWhole === true
  if (isWhole) return [factOf('holds', said.flatMap(standing), context)]
  return eachOnce(said).map((word) => factOf('hold', word, context, nameOfHold(word)))
}

function standing({ status, ...hold }: HoldWord): readonly Hold[] {
  return status === 'released' ? [] : [{ ...hold, status }]
}

interface ReadList {
  readonly holds: readonly HoldWord[]
  readonly isWhole: boolean
}

/** Null where the list is missing: then nothing is said about holds. */
function readList(context: BoxContext, field: ListField, part: Part): ReadList | null {
  const there = field.list.endsWith('/*') ? findAll(part.value, field.list.slice(0, -2), part.path) : []
  const elements = findAll(part.value, field.list, part.path)
  if (elements.length === 0 && !there.some(({ value }) => Array.isArray(value))) return null
  const read = elements.map((element) => readElement(context, field, element))
  return { holds: read.flatMap((hold) => hold ?? []), isWhole: !read.includes(null) }
}

/** Null for an element that cannot be understood; an empty list for an element that is not a hold. */
function readElement(context: BoxContext, field: ListField, element: Part): readonly HoldWord[] | null {
  const { issues } = context
  const said = textAt(context, field.word, element)
  if (said === null) {
    issues.add('missing_field', { path: element.path, lost: 'field' }, 'the hold has no name')
    return null
  }
  const status = field.status === undefined ? 'hold' : readStatus(context, field.status, element)
  if (status === null) return null
  const name = meaningOf(field.names, said.text)
  const at = `/holds/${context.profile.holds?.indexOf(field)}/names`
  noteWord(context, said, { field: at, isMapped: name !== undefined })
  if (name === 'none') return []
  if (name === undefined)
    issues.add(
      'unmapped_code',
      { path: said.path, lost: 'nothing' },
      `${quoted(said.text)} is a hold that is not mapped`,
    )
  const told = field.description === undefined ? null : textAt(context, field.description, element)
  return [{ name: name ?? 'other', status, description: told?.text ?? said.text }]
}

function readStatus(
  context: BoxContext,
  field: NonNullable<ListField['status']>,
  element: Part,
): HoldWord['status'] | null {
  const said = textAt(context, field.at, element)
  const status = said === null ? null : statusIn(field, said.text)
  const place = context.profile.holds?.findIndex((each) => 'list' in each && each.status === field)
  if (said !== null) noteWord(context, said, { field: `/holds/${place}/status`, isMapped: status !== null })
  if (status !== null) return status
  const at = { path: said?.path ?? element.path, lost: 'field' } as const
  if (said === null) context.issues.add('missing_field', at, 'the status of the hold is missing')
  else context.issues.add('unmapped_code', at, `${quoted(said.text)} is a status of holds that is not mapped`)
  return null
}

function statusIn(
  field: Pick<OwnField, 'hold' | 'pending' | 'released'>,
  text: string,
): HoldWord['status'] | null {
  if (isOneOfWords(field.hold, text)) return 'hold'
  if (isOneOfWords(field.pending ?? [], text)) return 'pending'
  return isOneOfWords(field.released, text) ? 'released' : null
}

function readOwn(context: BoxContext, field: OwnField, part: Part): HoldWord | null {
  const said = textAt(context, field.at, part)
  if (said === null) return null
  const status = statusIn(field, said.text)
  const place = `/holds/${context.profile.holds?.indexOf(field)}`
  noteWord(context, said, { field: place, isMapped: status !== null })
  if (status !== null) return { name: field.name, status, description: null }
  const at = { path: said.path, lost: 'field' } as const
  context.issues.add('unmapped_code', at, `${quoted(said.text)} is a status of holds that is not mapped`)
  return null
}

/** If one hold is stated twice, it stands if either statement says so. */
function eachOnce(words: readonly HoldWord[]): readonly HoldWord[] {
  const set = (word: HoldWord) => Number(word.status !== 'released')
  return [
    ...new Map(words.toSorted((a, b) => set(a) - set(b)).map((word) => [nameOfHold(word), word])).values(),
  ]
}
