/** DCSA Track & Trace for others: every carrier, terminal and railroad that we read, in the carriers' own standard. */

import type { FastifyInstance } from 'fastify'
import type { Service } from '../modules/service.ts'
import { registerEvents2Routes } from './events-2.ts'
import { registerEvents3Routes } from './events-3.ts'
import { registerSubscriptions2Routes } from './subscriptions-2.ts'

export function dcsaRoutes(app: FastifyInstance, { config }: Pick<Service, 'config'>): void {
  registerEvents2Routes(app)
  registerSubscriptions2Routes(app)
  if (config.edge.dcsa3 === true) registerEvents3Routes(app)
}
