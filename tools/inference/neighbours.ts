/**
 * How often two leased boxes of covered lines belong to the same line, within one list and across lists, by how near
 * their serial numbers are.
 */

import { isContainerNumber } from '../../src/domain/values/identifiers.ts'
import { anotherCarrier, carrierIndex } from '../../src/inference/carriers.ts'
import type { RightShare } from '../../src/inference/evaluate.ts'
import type { LabelledNumber } from '../../src/inference/labelled.ts'
import { getOwnerCode } from '../../src/inference/owner-codes.ts'
import { sourceOf } from './validation.ts'

export interface Neighbours {
  readonly digits: number
  /**
   * Pairs within one list that has boxes of several lines. Lists of one line are left out, because all their pairs
   * share the line.
   */
  readonly within: RightShare
  /** Pairs across two sources. */
  readonly across: RightShare
}

export function countNeighbours(rows: readonly LabelledNumber[]): readonly Neighbours[] {
  const leased = rows.filter(
    ({ type, number, scac }) =>
      type === 'container' &&
      isContainerNumber(number) &&
      getOwnerCode(number.slice(0, 4)).kind === 'lessor' &&
      carrierIndex(scac) !== anotherCarrier,
  )
  const mixed = [...Map.groupBy(leased, sourceOf).values()].filter(isMixed).flat()
  return [0, 1, 2, 3].map((digits) => {
    const node = ({ number }: LabelledNumber) => number.slice(0, 4 + digits)
    const inOneList = Map.groupBy(mixed, (row) => `${sourceOf(row)} ${node(row)}`)
    const anywhere = Map.groupBy(leased, node)
    const within = add([...inOneList.values()].map(pairsOf))
    const all = add([...anywhere.values()].map(pairsOf))
    const same = add([...Map.groupBy(leased, (row) => `${sourceOf(row)} ${node(row)}`).values()].map(pairsOf))
    return { digits, within, across: { rows: all.rows - same.rows, right: all.right - same.right } }
  })
}

export function writeNeighbours(rows: readonly LabelledNumber[]): readonly string[] {
  const share = ({ rows: pairs, right }: RightShare) =>
    pairs === 0 ? '–' : `${(right / pairs).toFixed(3)} of ${pairs.toLocaleString('en-US')}`
  return [
    '| Pairs of leased boxes with the same | in one list of several lines | in two sources |',
    '|---|---:|---:|',
    ...countNeighbours(rows).map(({ digits, within, across }) => {
      const name = digits === 0 ? 'owner code' : `owner code and ${digits} of the serial digits`
      return `| ${name} | ${share(within)} | ${share(across)} |`
    }),
  ]
}

/** True when no line has more than nine tenths of the leased boxes. */
function isMixed(rows: readonly LabelledNumber[]): boolean {
  const counts = [...Map.groupBy(rows, ({ scac }) => carrierIndex(scac)).values()].map(({ length }) => length)
  return Math.max(...counts) < 0.9 * rows.length
}

function pairsOf(rows: readonly LabelledNumber[]): RightShare {
  const pairs = (count: number) => (count * (count - 1)) / 2
  const lines = [...Map.groupBy(rows, ({ scac }) => carrierIndex(scac)).values()]
  return { rows: pairs(rows.length), right: lines.reduce((sum, { length }) => sum + pairs(length), 0) }
}

function add(shares: readonly RightShare[]): RightShare {
  return {
    rows: shares.reduce((sum, { rows }) => sum + rows, 0),
    right: shares.reduce((sum, { right }) => sum + right, 0),
  }
}
