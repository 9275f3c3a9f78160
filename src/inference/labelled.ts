/** Labelled numbers as a CSV (`number,number_type,scac,group`). A model is trained and tested with them. */

import { parse } from 'csv-parse/sync'
import { isContainerNumber } from '../domain/values/identifiers.ts'
import type { Outcome } from './evidence.ts'
import { nodeKey } from './node-key.ts'

export interface LabelledNumber {
  readonly number: string
  readonly type: 'container' | 'bill_of_lading' | 'booking' | 'shipment'
  readonly scac: string
  /** Bill, vessel or list that the row came from. */
  readonly group: string
  /** Further columns, by name. */
  readonly more: Readonly<Record<string, string>>
}

const types = ['container', 'bill_of_lading', 'booking', 'shipment'] as const

/** Throws, with the line's number, when a row lacks a needed value. Columns may be in any order. */
export function readLabelled(text: string): readonly LabelledNumber[] {
  const rows = parse(text, {
    columns: true,
    bom: true,
    trim: true,
    skip_empty_lines: true,
  }) as readonly Readonly<Record<string, string>>[]
  return rows.map((row, index) => {
    const { number = '', number_type: type = '', scac = '', group = '', ...more } = row
    const known = types.find((each) => each === type)
    if (number === '' || scac === '' || known === undefined) {
      throw new Error(
        `Line ${index + 2} needs number, number_type (${types.join(', ')}) and scac; it has "${number}", "${type}", "${scac}".`,
      )
    }
    return { number, type: known, scac, group: group === '' ? `line ${index + 2}` : group, more }
  })
}

/**
 * Turns rows into outcomes. Containers of one bill move together, so each of k containers counts 1/√k. A group is a
 * bill when it contains a bill's or a booking's number. Otherwise it is a vessel or a list, and each of its containers
 * counts fully. Rows without a valid number are left out.
 */
export function outcomesOf(rows: readonly LabelledNumber[], month: number): readonly Outcome[] {
  const containerCounts = new Map<string, number>()
  const bills = new Set<string>()
  for (const { group, type, number } of rows) {
    if (type !== 'container') bills.add(group)
    else if (isContainerNumber(number)) containerCounts.set(group, (containerCounts.get(group) ?? 0) + 1)
  }
  return rows.flatMap(({ number, type, scac, group }) => {
    const node = nodeKey(number)
    if (node === null || node.startsWith('c:') !== (type === 'container')) return []
    const weight = type === 'container' && bills.has(group) ? 1 / Math.sqrt(containerCounts.get(group) ?? 1) : 1
    return [{ node, scac, weight, month, bill: group }]
  })
}
