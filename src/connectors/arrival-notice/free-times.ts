/**
 * The time until which a container may stay without a charge. Only dates that the line states are read
 * (`lastFreeDate`): the length of a free time depends on working days and tariffs, and a date computed from it would be
 * a guess.
 */

import { parseEquipmentReference } from '../../domain/values/identifiers.ts'
import { type EventTime, instantOf } from '../../domain/values/time.ts'
import { memoize } from '../dcsa/context.ts'
import { readSizeType } from '../dcsa/equipment.ts'
import { type JsonNode, nameOfType, readObject, readObjects } from '../dcsa/json-node.ts'
import type { MemberName } from '../dcsa/names.ts'
import type { IssueList } from '../source-issue.ts'
import { listContainerNumbers, type NoticeContext, type NoticeFact } from './notice-facts.ts'
import { readClassifiedTime } from './times.ts'

type DeadlineKind = 'pickup_lfd_line' | 'pickup_lfd_terminal' | 'empty_return_by'

/** The dates of one clock: for container numbers, for sizes, and for all containers. The most specific one counts. */
interface Times {
  readonly byContainer: Map<string, EventTime | null>
  readonly bySize: Map<string, EventTime | null>
  readonly ofAll: Map<'', EventTime | null>
}

export function readFreeTimes(context: NoticeContext): readonly NoticeFact[] {
  const { issues, whole, head } = context
  const clocks = new Map<DeadlineKind, Times>()
  for (const node of readObjects(whole, 'freeTimes', issues)) readFreeTime(node, clocks, context)
  const sizes = new Map(
    head.containers.map(({ number, node }) => {
      const equipment = readObject(node, 'equipment', issues)
      return [number, equipment === null ? null : readSizeType(equipment, issues)]
    }),
  )
  return [...clocks].flatMap(([fact, times]) =>
    listContainerNumbers(head).flatMap((equipment): NoticeFact[] => {
      const size = equipment === null ? null : (sizes.get(equipment) ?? null)
      const value = findMostSpecificTime(times, equipment, size)
      return value === null ? [] : [{ fact, value, equipment }]
    }),
  )
}

function readFreeTime(node: JsonNode, clocks: Map<DeadlineKind, Times>, context: NoticeContext): void {
  const { issues, memory } = context
  const time =
    readClassifiedTime(node, 'lastFreeDateTime', context)?.time ??
    readClassifiedTime(node, 'lastFreeDate', context)?.time
  if (time === undefined) return
  const containerTexts = readTexts(node, 'equipmentReferences', issues)
  const sizes = readTexts(node, 'ISOEquipmentCodes', issues)
  for (const clock of deadlineKindsOf(readTexts(node, 'typeCodes', issues))) {
    const times = clocks.get(clock) ?? { byContainer: new Map(), bySize: new Map(), ofAll: new Map() }
    clocks.set(clock, times)
    const addTime = <Key>(timesByKey: Map<Key, EventTime | null>, key: Key): void =>
      mergeTime(timesByKey, key, time, node, issues)
    for (const text of containerTexts) {
      const reference = memoize(memory.containers, text, parseEquipmentReference)
      if (reference.ok) addTime(times.byContainer, reference.value.number)
    }
    if (containerTexts.length > 0) continue
    for (const size of sizes) addTime(times.bySize, size)
    if (sizes.length === 0) addTime(times.ofAll, '')
  }
}

/** Two different dates for the same clock contradict each other: then neither is used. */
function mergeTime<Key>(
  timesByKey: Map<Key, EventTime | null>,
  key: Key,
  time: EventTime,
  { path }: JsonNode,
  issues: IssueList,
): void {
  const known = timesByKey.get(key)
  if (known === undefined) timesByKey.set(key, time)
  else if (known === null || instantOf(known, null).at !== instantOf(time, null).at) {
    timesByKey.set(key, null)
    issues.addOnce(
      'wrong_structure',
      { path, lost: 'field' },
      'the same free time has two different last free dates: neither is used',
    )
  }
}

/**
 * Demurrage, alone or combined with others, is the line's clock; storage is the terminal's. Detention alone runs until
 * the empty container is returned.
 */
function deadlineKindsOf(types: readonly string[]): readonly DeadlineKind[] {
  const clocks: DeadlineKind[] = []
  if (types.includes('DEM')) clocks.push('pickup_lfd_line')
  if (types.includes('STO')) clocks.push('pickup_lfd_terminal')
  if (types.length > 0 && types.every((type) => type === 'DET')) clocks.push('empty_return_by')
  return clocks
}

function findMostSpecificTime(
  { byContainer, bySize, ofAll }: Times,
  containerNumber: string | null,
  size: string | null,
): EventTime | null {
  const containerTime = containerNumber === null ? undefined : byContainer.get(containerNumber)
  if (containerTime !== undefined) return containerTime
  const ofSize = size === null ? undefined : (bySize.get(size) ?? bySize.get(findSizeGroup(size)))
  return ofSize ?? (ofSize === undefined ? (ofAll.get('') ?? null) : null)
}

/** ISO 6346:1995, annex E: the detailed types of each group, for types of containers that carry goods. */
const groups: readonly (readonly [group: string, letter: string, details: string])[] = [
  ['GP', 'G', '0123'],
  ['VH', 'V', '024'],
  ['RE', 'R', '0'],
  ['RT', 'R', '1'],
  ['RS', 'R', '23'],
  ['UT', 'U', '0123456'],
  ['PF', 'P', '12'],
  ['PC', 'P', '34'],
  ['PS', 'P', '5'],
  ['TN', 'T', '012'],
  ['TD', 'T', '3456'],
  ['TG', 'T', '789'],
]

/** `22GP` for `22G1`; a code without a group here stays as it is. */
function findSizeGroup(size: string): string {
  const found = groups.find(([, letter, details]) => size[2] === letter && details.includes(size[3] ?? '?'))
  return found === undefined ? size : `${size.slice(0, 2)}${found[0]}`
}

/** The texts of a list, upper case. */
function readTexts(node: JsonNode, field: MemberName, issues: IssueList): readonly string[] {
  const list = node.value[field]
  if (list === undefined || list === null) return []
  const at = { path: `${node.path}/${field}`, lost: 'field' } as const
  if (!Array.isArray(list)) {
    issues.add('wrong_type', at, `a list was expected, not ${nameOfType(list)}`)
    return []
  }
  return list.flatMap((each: unknown) => {
    if (typeof each === 'string') return [each.slice(0, 40).trim().toUpperCase()]
    issues.addOnce('wrong_type', at, `a text was expected, not ${nameOfType(each)}`)
    return []
  })
}
