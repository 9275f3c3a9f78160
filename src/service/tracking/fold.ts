/** What folding the ledger needs besides the ledger: the readers and the rules. No clock: an entry carries its time. */

import type { ShippingLine } from '../../reference/shipping-lines.ts'
import type { Rules } from './rules.ts'

export interface Fold {
  readonly rules: Rules
  readonly findLine: (scac: string) => ShippingLine | null
}
