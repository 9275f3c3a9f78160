/** What folding the ledger needs besides the ledger: the readers and the rules. No clock: an entry carries its time. */

import type { PushedSource } from '../../connectors/pushed-source.ts'
import { findPushedSource } from '../../connectors/pushed-source-registry.ts'
import type { Source } from '../../connectors/source.ts'
import { findSource } from '../../connectors/source-registry.ts'
import { findShippingLine, type ShippingLine } from '../../reference/shipping-lines.ts'
import type { Rules } from './rules.ts'

export interface Fold {
  readonly rules: Rules
  readonly findLine: (scac: string) => ShippingLine | null
  readonly findSource: (name: string) => Source<unknown> | null
  /** Finds the source of a message. */
  readonly findPushedSource: (name: string) => PushedSource<unknown> | null
}

/** The fold of this program: its own readers and reference data, under these rules. */
export function foldBy(rules: Rules): Fold {
  return { rules, findLine: findShippingLine, findSource, findPushedSource }
}
