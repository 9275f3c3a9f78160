/**
 * Patterns that were stored when another engine checked them, and that the present engine refuses. Values are not
 * checked against them.
 */

import type { Service } from '../service.ts'
import { listPatterns, type StoredPattern } from './custom-field-definitions-sql.ts'
import { findPatternFault } from './pattern.ts'

export interface UnenforcedPattern extends StoredPattern {
  /** A text that follows “The pattern”. */
  readonly fault: string
}

/** For the operator: covers all accounts. */
export async function listUnenforcedPatterns(service: Service): Promise<readonly UnenforcedPattern[]> {
  return (await listPatterns(service.pool)).flatMap((stored) => {
    const fault = findPatternFault(stored.pattern)
    return fault === null ? [] : [{ ...stored, fault }]
  })
}
