/**
 * Reads holds. A list in which every element is understood states all holds of the container, and that there are no
 * others. In all other cases each hold is a separate statement. A hold whose name is not mapped still counts as a hold:
 * `other`, with the facility's own text.
 */

import { nameOfHold } from '../../domain/statements/natural-key.ts'
import type { FactObservation, Hold, HoldStatement } from '../../domain/statements/observation.ts'
import { quoteValue } from '../source-issue.ts'
import {
  type ContainerContext,
  factOf,
  isAnyOf,
  type JsonNode,
  meaningOf,
  recordCode,
  textAt,
} from './container-context.ts'
import { findPointerMatches } from './pointer.ts'
import type { HoldField } from './profile.ts'

type ListField = Extract<HoldField, { list: unknown }>
type DedicatedField = Extract<HoldField, { hold: unknown }>

export function readHolds(context: ContainerContext, node: JsonNode): readonly FactObservation[] {
  const { holds = [] } = context.profile
  const lists = holds.filter((field): field is ListField => 'list' in field)
  const owns = holds.filter((field): field is DedicatedField => 'hold' in field)
  const listed = lists.map((field) => readList(context, field, node))
  const dedicatedHolds = owns.flatMap((field) => readDedicatedHold(context, field, node) ?? [])
  const statedHolds = [...listed.flatMap((list) => list?.holds ?? []), ...dedicatedHolds]
  // Only one list, fully understood, and no other hold fields: a hold that the list does not name is lifted.
  const [list] = listed
  const isWhole = listed.length === 1 && owns.length === 0 && list !== undefined && list?.isWhole === true
  if (isWhole) return [factOf('holds', statedHolds.flatMap(toActiveHolds), context)]
  return mergeRepeatedHolds(statedHolds).map((statedHold) =>
    factOf('hold', statedHold, context, nameOfHold(statedHold)),
  )
}

function toActiveHolds({ status, ...hold }: HoldStatement): readonly Hold[] {
  return status === 'released' ? [] : [{ ...hold, status }]
}

interface HoldListReading {
  readonly holds: readonly HoldStatement[]
  readonly isWhole: boolean
}

/** Null where the list is missing: then nothing is stated about holds. */
function readList(context: ContainerContext, field: ListField, node: JsonNode): HoldListReading | null {
  const there = field.list.endsWith('/*') ? findPointerMatches(node.value, field.list.slice(0, -2), node.path) : []
  const elements = findPointerMatches(node.value, field.list, node.path)
  if (elements.length === 0 && !there.some(({ value }) => Array.isArray(value))) return null
  const read = elements.map((element) => readElement(context, field, element))
  return { holds: read.flatMap((hold) => hold ?? []), isWhole: !read.includes(null) }
}

/** Null for an element that cannot be understood; an empty list for an element that is not a hold. */
function readElement(context: ContainerContext, field: ListField, element: JsonNode): readonly HoldStatement[] | null {
  const { issues } = context
  const raw = textAt(context, field.word, element)
  if (raw === null) {
    issues.add('missing_field', { path: element.path, lost: 'field' }, 'the hold has no name')
    return null
  }
  const status = field.status === undefined ? 'hold' : readStatus(context, field.status, element)
  if (status === null) return null
  const name = meaningOf(field.names, raw.text)
  const at = `/holds/${context.profile.holds?.indexOf(field)}/names`
  recordCode(context, raw, { field: at, isMapped: name !== undefined })
  if (name === 'none') return []
  if (name === undefined)
    issues.add(
      'unmapped_code',
      { path: raw.path, lost: 'nothing' },
      `${quoteValue(raw.text)} is a hold that is not mapped`,
    )
  const rawDescription = field.description === undefined ? null : textAt(context, field.description, element)
  return [{ name: name ?? 'other', status, description: rawDescription?.text ?? raw.text }]
}

function readStatus(
  context: ContainerContext,
  field: NonNullable<ListField['status']>,
  element: JsonNode,
): HoldStatement['status'] | null {
  const raw = textAt(context, field.at, element)
  const status = raw === null ? null : findHoldStatus(field, raw.text)
  const place = context.profile.holds?.findIndex((each) => 'list' in each && each.status === field)
  if (raw !== null) recordCode(context, raw, { field: `/holds/${place}/status`, isMapped: status !== null })
  if (status !== null) return status
  const at = { path: raw?.path ?? element.path, lost: 'field' } as const
  if (raw === null) context.issues.add('missing_field', at, 'the status of the hold is missing')
  else context.issues.add('unmapped_code', at, `${quoteValue(raw.text)} is a status of holds that is not mapped`)
  return null
}

function findHoldStatus(
  field: Pick<DedicatedField, 'hold' | 'pending' | 'released'>,
  text: string,
): HoldStatement['status'] | null {
  if (isAnyOf(field.hold, text)) return 'hold'
  if (isAnyOf(field.pending ?? [], text)) return 'pending'
  return isAnyOf(field.released, text) ? 'released' : null
}

function readDedicatedHold(context: ContainerContext, field: DedicatedField, node: JsonNode): HoldStatement | null {
  const raw = textAt(context, field.at, node)
  if (raw === null) return null
  const status = findHoldStatus(field, raw.text)
  const place = `/holds/${context.profile.holds?.indexOf(field)}`
  recordCode(context, raw, { field: place, isMapped: status !== null })
  if (status !== null) return { name: field.name, status, description: null }
  const at = { path: raw.path, lost: 'field' } as const
  context.issues.add('unmapped_code', at, `${quoteValue(raw.text)} is a status of holds that is not mapped`)
  return null
}

/** If one hold is stated twice, it is active if either statement states that it is. */
function mergeRepeatedHolds(statedHolds: readonly HoldStatement[]): readonly HoldStatement[] {
  const set = (statedHold: HoldStatement) => Number(statedHold.status !== 'released')
  return [
    ...new Map(
      statedHolds.toSorted((a, b) => set(a) - set(b)).map((statedHold) => [nameOfHold(statedHold), statedHold]),
    ).values(),
  ]
}
