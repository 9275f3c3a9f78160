/**
 * Until when a box may stay without a charge. Only dates that the line states are read (`lastFreeDate`): the length of
 * a free time depends on working days and tariffs, and a date computed from it would be a guess.
 */

import { parseContainerNumber } from '../../core/values/identifiers.ts'
import { type EventTime, instantOf } from '../../core/values/time.ts'
import { readSizeType } from '../dcsa/boxes.ts'
import { recall } from '../dcsa/context.ts'
import type { MemberName } from '../dcsa/names.ts'
import { nameOfType, type Part, readPart, readParts } from '../dcsa/part.ts'
import type { IssueList } from '../source-issue.ts'
import { eachBox, type NoticeContext, type Said } from './said.ts'
import { readClassified } from './times.ts'

type Clock = 'pickup_lfd_line' | 'pickup_lfd_terminal' | 'empty_return_by'

/** The dates of one clock: for box numbers, for sizes, and for all boxes. The most specific one counts. */
interface Times {
  readonly byBox: Map<string, EventTime | null>
  readonly bySize: Map<string, EventTime | null>
  readonly ofAll: Map<'', EventTime | null>
}

export function readFreeTimes(context: NoticeContext): readonly Said[] {
  const { issues, whole, head } = context
  const clocks = new Map<Clock, Times>()
  for (const part of readParts(whole, 'freeTimes', issues)) readFreeTime(part, clocks, context)
  const sizes = new Map(
    head.boxes.map(({ number, part }) => {
      const equipment = readPart(part, 'equipment', issues)
      return [number, equipment === null ? null : readSizeType(equipment, issues)]
    }),
  )
  return [...clocks].flatMap(([fact, times]) =>
    eachBox(head).flatMap((equipment): Said[] => {
      const size = equipment === null ? null : (sizes.get(equipment) ?? null)
      const value = timeFor(times, equipment, size)
      return value === null ? [] : [{ fact, value, equipment }]
    }),
  )
}

function readFreeTime(part: Part, clocks: Map<Clock, Times>, context: NoticeContext): void {
  const { issues, memory } = context
  const time =
    readClassified(part, 'lastFreeDateTime', context)?.time ??
    readClassified(part, 'lastFreeDate', context)?.time
  if (time === undefined) return
  const boxes = readTexts(part, 'equipmentReferences', issues)
  const sizes = readTexts(part, 'ISOEquipmentCodes', issues)
  for (const clock of clocksOf(readTexts(part, 'typeCodes', issues))) {
    const times = clocks.get(clock) ?? { byBox: new Map(), bySize: new Map(), ofAll: new Map() }
    clocks.set(clock, times)
    const say = <Key>(said: Map<Key, EventTime | null>, key: Key): void =>
      settle(said, key, time, part, issues)
    for (const text of boxes) {
      const number = recall(memory.containers, text, parseContainerNumber)
      if (number.ok) say(times.byBox, number.value)
    }
    if (boxes.length > 0) continue
    for (const size of sizes) say(times.bySize, size)
    if (sizes.length === 0) say(times.ofAll, '')
  }
}

/** Two different dates for the same clock contradict each other: then neither is used. */
function settle<Key>(
  said: Map<Key, EventTime | null>,
  key: Key,
  time: EventTime,
  { path }: Part,
  issues: IssueList,
): void {
  const known = said.get(key)
  if (known === undefined) said.set(key, time)
  else if (known === null || instantOf(known, null).at !== instantOf(time, null).at) {
    said.set(key, null)
    issues.addOnce(
      'wrong_structure',
      { path, lost: 'field' },
      'the same free time has two different last free dates: neither is used',
    )
  }
}

/**
 * Demurrage, alone or combined with others, is the line's clock; storage is the terminal's. Detention alone runs until
 * the empty box is returned.
 */
export function clocksOf(types: readonly string[]): readonly Clock[] {
  const clocks: Clock[] = []
  if (types.includes('DEM')) clocks.push('pickup_lfd_line')
  if (types.includes('STO')) clocks.push('pickup_lfd_terminal')
  if (types.length > 0 && types.every((type) => type === 'DET')) clocks.push('empty_return_by')
  return clocks
}

function timeFor({ byBox, bySize, ofAll }: Times, box: string | null, size: string | null): EventTime | null {
  const own = box === null ? undefined : byBox.get(box)
  if (own !== undefined) return own
  const ofSize = size === null ? undefined : (bySize.get(size) ?? bySize.get(groupOf(size)))
  return ofSize ?? (ofSize === undefined ? (ofAll.get('') ?? null) : null)
}

/** ISO 6346:1995, annex E: the detailed types of each group, for types of boxes that carry goods. */
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
function groupOf(size: string): string {
  const found = groups.find(([, letter, details]) => size[2] === letter && details.includes(size[3] ?? '?'))
  return found === undefined ? size : `${size.slice(0, 2)}${found[0]}`
}

/** The texts of a list, upper case. */
function readTexts(part: Part, field: MemberName, issues: IssueList): readonly string[] {
  const list = part.value[field]
  if (list === undefined || list === null) return []
  const at = { path: `${part.path}/${field}`, lost: 'field' } as const
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
