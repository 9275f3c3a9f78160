/** DCSA Track & Trace for others: every carrier, terminal and railroad that we read, in the carriers' own standard. */

import type { FastifyInstance } from 'fastify'
import { events2 } from './events-2.ts'
import { subscriptions2 } from './subscriptions-2.ts'

export function dcsa(app: FastifyInstance): void {
  events2(app)
  subscriptions2(app)
}
