/**
 * Patterns that were stored when another engine checked them, and that the present engine refuses. Values are not
 * checked against them.
 */

import { listPatterns, type StoredPattern } from '../../../store/tracking/custom-field-definitions.ts'
import type { Service } from '../../service.ts'
import { findPatternFault } from './pattern.ts'

export interface UnenforcedPattern extends StoredPattern {
  /** In words that follow “The pattern”. */
  readonly fault: string
}

/** For the operator: covers all accounts. */
export async function listUnenforcedPatterns(service: Service): Promise<readonly UnenforcedPattern[]> {
  return (await listPatterns(service.pool)).flatMap((stored) => {
    const fault = findPatternFault(stored.pattern)
    return fault === null ? [] : [{ ...stored, fault }]
  })
}
