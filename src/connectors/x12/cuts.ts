/**
 * Cuts a message about several containers into one list of segments for each container: the statements about this
 * container and the statements about all. Yields one list after the other: together they may be many times as long as
 * the message.
 */

import { type IssueList, quoteValue } from '../source-issue.ts'
import { isContainer, readStatusContainer } from './numbers.ts'
import { elementOf, type Segment } from './segments.ts'

/**
 * A 315 may have several statuses (B4). One status may be about several containers, which its references (N9*EQ) name.
 */
export function* cut315(segments: readonly Segment[], issues: IssueList): Generator<readonly Segment[]> {
  for (const status of cutAt(segments, 'B4')) {
    const named = Map.groupBy(status.filter(isEquipment), (segment) => elementOf(segment, 2))
    if (named.size <= 1) {
      yield status
      continue
    }
    const shared = status.filter((segment) => !isEquipment(segment))
    const ownNumber = readStatusContainer(status)
    if (ownNumber === null) {
      for (const references of named.values()) yield inOrder(shared, references)
      continue
    }
    // If B4 itself names a container and the references name others, the container of B4 counts. The others are lost,
    // with an issue.
    const [first = ''] = named.keys()
    const mine = [...named.keys()].find((text) => text.replace(/[\s./-]/g, '').startsWith(ownNumber)) ?? first
    for (const [text, references] of named) {
      if (text === mine) continue
      const at = { path: `/${references.at(-1)?.number}/2`, lost: 'event' } as const
      issues.add('bad_equipment', at, `${quoteValue(text)} is not the container of the status (B4): it is not read`)
    }
    yield inOrder(shared, named.get(mine) ?? [])
  }
}

function inOrder(shared: readonly Segment[], ownSegments: readonly Segment[]): readonly Segment[] {
  return [...shared, ...ownSegments].sort((a, b) => a.number - b.number)
}

function isEquipment(segment: Segment): boolean {
  return segment.tag === 'N9' && elementOf(segment, 1) === 'EQ' && elementOf(segment, 2) !== ''
}

/**
 * An activity of a 322 (Q5) may be about several containers (N7). Each N7 is followed by the segments of its container.
 */
export function* cut322(segments: readonly Segment[]): Generator<readonly Segment[]> {
  for (const activity of cutAt(segments, 'Q5')) {
    if (activity.filter(isContainer).length <= 1) {
      yield activity
      continue
    }
    const owners = assignContainers(activity)
    const byOwner = Map.groupBy(activity.entries(), ([index]) => owners[index] ?? 0)
    const segmentsOf = (owner: number) => (byOwner.get(owner) ?? []).map(([, segment]) => segment)
    const shared = segmentsOf(0)
    for (const owner of byOwner.keys()) if (owner > 0) yield inOrder(shared, segmentsOf(owner))
  }
}

/** Segments that end the segments of one container: they and what follows are about all containers of the activity. */
const endsOfContainer: ReadonlySet<string> = new Set(['R4', 'N1', 'N9', 'V1', 'Q2'])

/** For each segment the ordinal of the container that it is about; 0 when it is about all. */
function assignContainers(activity: readonly Segment[]): readonly number[] {
  let [containerIndex, containerCount] = [0, 0]
  return activity.map((segment) => {
    if (segment.tag === 'N7') {
      containerCount += 1
      containerIndex = containerCount
    } else if (endsOfContainer.has(segment.tag)) containerIndex = 0
    return containerIndex
  })
}

/** Starts a new list at each segment with this tag. The segments before the first one belong to every list. */
function* cutAt(segments: readonly Segment[], tag: string): Generator<readonly Segment[]> {
  const starts = segments.flatMap((segment, index) => (segment.tag === tag ? [index] : []))
  const [first] = starts
  if (first === undefined || starts.length === 1) {
    yield segments
    return
  }
  const shared = segments.slice(0, first)
  for (const [index, start] of starts.entries()) yield [...shared, ...segments.slice(start, starts[index + 1])]
}
