/**
 * The evidence that Landfall is shipped with: counts over nodes of at least three labelled numbers. It contains no
 * single number.
 */

import { once } from '../reference/data-files.ts'
import { readRows } from './data-files.ts'
import { createEvidence, type Evidence, learnOutcome } from './evidence.ts'

export const modelFile = 'model.tsv.gz'

/** A node is in the file only when it has at least this many labelled numbers. */
export const rowsMin = 3

/** Read once and shared. No code may learn into it. */
export const shippedEvidence = once((): Evidence => readEvidence(readRows(modelFile)))

/** One row is one node and year: key, month, then carriers as `SCAC:rows:weight`. */
export function readEvidence(rows: readonly (readonly string[])[]): Evidence {
  const evidence = createEvidence()
  for (const [node = '', month, counts = ''] of rows) {
    for (const count of counts.split(' ')) {
      const [scac = '', number, weight] = count.split(':')
      learnOutcome(evidence, {
        node,
        scac,
        weight: Number(weight),
        rows: Number(number),
        month: Number(month),
        bill: null,
      })
    }
  }
  return evidence
}
