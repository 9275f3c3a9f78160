/** DCSA Track & Trace for others: every carrier, terminal and railroad that we read, in the carriers' own standard. */

import type { FastifyInstance } from 'fastify'
import type { Service } from '../modules/service.ts'
import { events2 } from './events-2.ts'
import { events3 } from './events-3.ts'
import { subscriptions2 } from './subscriptions-2.ts'

export function dcsaRoutes(app: FastifyInstance, { config }: Pick<Service, 'config'>): void {
  events2(app)
  subscriptions2(app)
  if (config.edge.dcsa3 === true) events3(app)
}
