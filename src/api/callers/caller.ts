/** Who sends the request, and through which service. Everything in a document is read with these two. */

import type { Context } from '../../modules/access/context.ts'
import type { IdempotentRun } from '../../modules/run-once.ts'
import type { Service } from '../../modules/service.ts'

export interface Caller {
  readonly service: Service
  readonly context: Context
  /** Only for a POST with an `Idempotency-Key`: the run in which it is done, which stores its answer. */
  readonly run?: IdempotentRun
}
