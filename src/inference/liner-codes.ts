/**
 * Finds a line by its code in bay plans and terminal reports: three letters of the SMDG liner code list, or a SCAC. A
 * code of two lines, or of no covered line, finds nothing.
 */

import { once } from '../reference/data-files.ts'
import { findShippingLine } from '../reference/shipping-lines.ts'
import { canonicalScac } from './carriers.ts'
import { readRows } from './data-files.ts'

/** The SCAC under which the line is tracked; null for an unknown code. */
export function findOperator(code: string): string | null {
  const tidied = code.trim().toUpperCase()
  return byLinerCode().get(tidied) ?? findShippingLine(canonicalScac(tidied))?.scac ?? null
}

const byLinerCode = once(
  () => new Map(readRows('liner-codes.tsv').map(([code = '', scac = '']) => [code, scac] as const)),
)
