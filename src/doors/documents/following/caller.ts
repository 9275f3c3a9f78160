/** Who asks, and through which service: what everything that a document is made of is read with. */

import type { Context } from '../../../service/context.ts'
import type { Run } from '../../../service/ground/run-once.ts'
import type { Service } from '../../../service/service.ts'

export interface Caller {
  readonly service: Service
  readonly context: Context
  /** Of a POST with an `Idempotency-Key`: what it is done in, and what is kept of its answer. */
  readonly run?: Run
}
