/**
 * Cuts a message about several boxes into one list of segments for each box: what is said of this box and what is said
 * of all.
 */

import { type IssueList, quoted } from '../source-issue.ts'
import { elementOf, type Segment } from './interchange.ts'
import { isContainer, readStatusBox } from './numbers.ts'

/** A 315 may have several statuses (B4). One status may be about several boxes, which its references (N9*EQ) name. */
export function cut315(segments: readonly Segment[], issues: IssueList): readonly (readonly Segment[])[] {
  return cutAt(segments, 'B4').flatMap((status) => {
    const named = new Map(status.filter(isEquipment).map((segment) => [elementOf(segment, 2), segment]))
    if (named.size <= 1) return [status]
    const only = (text: string) => status.filter((each) => !isEquipment(each) || elementOf(each, 2) === text)
    const own = readStatusBox(status)
    if (own === null) return [...named.keys()].map(only)
    // If B4 itself names a box and the references name others, the box of B4 counts. The others are lost, with an
    // issue.
    const [first = ''] = named.keys()
    const mine = [...named.keys()].find((text) => text.replace(/[\s./-]/g, '').startsWith(own)) ?? first
    for (const [text, segment] of named) {
      if (text === mine) continue
      const at = { path: `/${segment.number}/2`, lost: 'event' } as const
      issues.add(
        'bad_equipment',
        at,
        `${quoted(text)} is not the container of the status (B4): it is not read`,
      )
    }
    return [only(mine)]
  })
}

function isEquipment(segment: Segment): boolean {
  return segment.tag === 'N9' && elementOf(segment, 1) === 'EQ' && elementOf(segment, 2) !== ''
}

/** An activity of a 322 (Q5) may be about several boxes (N7). Each N7 is followed by the segments of its box. */
export function cut322(segments: readonly Segment[]): readonly (readonly Segment[])[] {
  return cutAt(segments, 'Q5').flatMap((activity) => {
    if (activity.filter(isContainer).length <= 1) return [activity]
    const owners = ownersOf(activity)
    return [...new Set(owners)]
      .filter((owner) => owner > 0)
      .map((owner) => activity.filter((_, index) => owners[index] === 0 || owners[index] === owner))
  })
}

/** Segments that end the segments of one box: they and what follows are about all boxes of the activity. */
const endsOfBox: ReadonlySet<string> = new Set(['R4', 'N1', 'N9', 'V1', 'Q2'])

/** For each segment the ordinal of the box that it is about; 0 when it is about all. */
function ownersOf(activity: readonly Segment[]): readonly number[] {
  let [box, boxes] = [0, 0]
  return activity.map((segment) => {
    if (segment.tag === 'N7') {
      boxes += 1
      box = boxes
    } else if (endsOfBox.has(segment.tag)) box = 0
    return box
  })
}

/** Starts a new list at each segment with this tag. The segments before the first one belong to every list. */
function cutAt(segments: readonly Segment[], tag: string): readonly (readonly Segment[])[] {
  const starts = segments.flatMap((segment, index) => (segment.tag === tag ? [index] : []))
  const [first] = starts
  if (first === undefined || starts.length === 1) return [segments]
  const shared = segments.slice(0, first)
  return starts.map((start, index) => [...shared, ...segments.slice(start, starts[index + 1])])
}
