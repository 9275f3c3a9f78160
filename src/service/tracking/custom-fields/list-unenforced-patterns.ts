/** Patterns that were stored when another engine judged them, and that ours refuses: no value is held against them. */

import { listPatterns, type StoredPattern } from '../../../store/custom-field-definitions.ts'
import type { Service } from '../../service.ts'
import { findPatternFault } from './pattern.ts'

export interface UnenforcedPattern extends StoredPattern {
  /** In words that follow “The pattern”. */
  readonly fault: string
}

/** Of all accounts: for the operator. */
export async function listUnenforcedPatterns(service: Service): Promise<readonly UnenforcedPattern[]> {
  return (await listPatterns(service.pool)).flatMap((stored) => {
    const fault = findPatternFault(stored.pattern)
    return fault === null ? [] : [{ ...stored, fault }]
  })
}
