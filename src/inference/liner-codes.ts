/**
 * Lines by the codes that they bear in bay plans and terminal reports: three letters of the SMDG liner code list, or a
 * SCAC. Codes that two lines are meant by, and codes of no line that is covered, are nobody's.
 */

import { once } from '../reference/data-files.ts'
import { findShippingLine } from '../reference/shipping-lines.ts'
import { canonicalScac } from './carriers.ts'
import { readRows } from './data-files.ts'

/** The SCAC that the line is tracked under; null for a code that is not known. */
export function findOperator(code: string): string | null {
  const tidied = code.trim().toUpperCase()
  return byLinerCode().get(tidied) ?? findShippingLine(canonicalScac(tidied))?.scac ?? null
}

const byLinerCode = once(
  () => new Map(readRows('liner-codes.tsv').map(([code = '', scac = '']) => [code, scac] as const)),
)
