/** What folding the ledger needs besides the ledger: the readers and the rules. No clock: an entry carries its time. */

import { findShippingLine, type ShippingLine } from '../../reference/shipping-lines.ts'
import { findSource } from '../../sources/registry.ts'
import type { Source } from '../../sources/source.ts'
import type { ToldSource } from '../../sources/told.ts'
import { findToldSource } from '../../sources/told-registry.ts'
import type { Rules } from './rules.ts'

export interface Fold {
  readonly rules: Rules
  readonly findLine: (scac: string) => ShippingLine | null
  readonly findSource: (name: string) => Source<unknown> | null
  /** Finds the source of a message. */
  readonly findToldSource: (name: string) => ToldSource<unknown> | null
}

/** The fold of this program: its own readers and reference data, under these rules. */
export function foldBy(rules: Rules): Fold {
  return { rules, findLine: findShippingLine, findSource, findToldSource }
}
