/**
 * Turns labelled numbers into the rows of the model file: counts by node, no single number. A node with fewer than
 * three numbers passes them to the node above it. If that node still has fewer than three, they are left out.
 */

import { countedDigits } from '../../src/inference/evidence.ts'
import { type LabelledNumber, outcomesOf } from '../../src/inference/labelled.ts'
import { ancestorKeys, isShareable } from '../../src/inference/node-key.ts'
import { getOwnerCode } from '../../src/inference/owner-codes.ts'
import { rowsMin } from '../../src/inference/shipped-evidence.ts'

/** The kinds of number. What is learned from one population holds for another to a different degree in each of them. */
export const families = ['owned', 'leased', 'shipment'] as const
export type Family = (typeof families)[number]
/** For each family, the factor for the weight of its outcomes in the shipped model. */
export type Transfer = Readonly<Record<Family, number>>

interface Count {
  rows: number
  weight: number
}

/**
 * Rows of node, month, and counts as `SCAC:rows:weight`. Sorted, so that the same numbers always give the same rows.
 */
export function countNodes(rows: readonly LabelledNumber[], transfer: Transfer): readonly (readonly string[])[] {
  const nodes = new Map<string, Map<string, Count>>()
  for (const year of new Set(rows.map(yearOf))) {
    const month = year * 12 + 6
    for (const { node, scac, weight } of outcomesOf(
      rows.filter((row) => yearOf(row) === year),
      month,
    )) {
      const part = transfer[familyOf(node)]
      const shared = [node, ...ancestorKeys(node)].find((key) => isShareable(key) && isCounted(key))
      if (part > 0 && shared !== undefined)
        count(nodes, `${shared}\t${month}`, scac, { rows: 1, weight: weight * part })
    }
  }
  return giveUp(nodes)
    .map(([key, carriers]) => [...key.split('\t'), writeCounts(carriers)])
    .sort(([a = '', m = ''], [b = '', n = '']) => (`${a} ${m}` < `${b} ${n}` ? -1 : 1))
}

/** The model counts fewer digits of owned boxes than of leased ones. */
function isCounted(key: string): boolean {
  const family = familyOf(key)
  return family === 'shipment' || key.length <= 'c:TCNU'.length + countedDigits(family === 'owned')
}

export function familyOf(node: string): Family {
  if (!node.startsWith('c:')) return 'shipment'
  return getOwnerCode(node.slice(2, 6)).kind === 'carrier' ? 'owned' : 'leased'
}

/** The year in which the number was in use. */
export function yearOf(row: LabelledNumber): number {
  const year = Number(row.more['year'])
  if (!Number.isInteger(year)) throw new Error(`The row of group ${row.group} needs a year.`)
  return year
}

/** Goes from the finest nodes up: a node with enough rows stays, the others pass their rows to the node above. */
function giveUp(nodes: Map<string, Map<string, Count>>): readonly (readonly [string, Map<string, Count>])[] {
  const kept: (readonly [string, Map<string, Count>])[] = []
  const longest = Math.max(0, ...[...nodes.keys()].map((key) => key.indexOf('\t')))
  for (let length = longest; length > 0; length -= 1) {
    for (const [key, carriers] of nodes) {
      const [node = '', month = ''] = key.split('\t')
      if (node.length !== length) continue
      nodes.delete(key)
      const rows = [...carriers.values()].reduce((sum, one) => sum + one.rows, 0)
      const [above] = ancestorKeys(node)
      if (rows >= rowsMin) kept.push([key, carriers])
      else if (above !== undefined) {
        for (const [scac, part] of carriers) count(nodes, `${above}\t${month}`, scac, part)
      }
    }
  }
  return kept
}

function count(nodes: Map<string, Map<string, Count>>, key: string, scac: string, part: Count): void {
  const carriers = nodes.get(key) ?? new Map<string, Count>()
  nodes.set(key, carriers)
  const known = carriers.get(scac) ?? { rows: 0, weight: 0 }
  carriers.set(scac, { rows: known.rows + part.rows, weight: known.weight + part.weight })
}

function writeCounts(carriers: Map<string, Count>): string {
  return [...carriers]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([scac, { rows, weight }]) => `${scac}:${rows}:${Number(weight.toFixed(3))}`)
    .join(' ')
}
