/** Who asks, and through which service. Everything in a document is read with these two. */

import type { Context } from '../../../service/context.ts'
import type { Run } from '../../../service/ground/run-once.ts'
import type { Service } from '../../../service/service.ts'

export interface Caller {
  readonly service: Service
  readonly context: Context
  /** Only for a POST with an `Idempotency-Key`: the run in which it is done, which stores its answer. */
  readonly run?: Run
}
