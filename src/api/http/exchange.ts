/** A request and the reply to it, for functions that read one and write the other. */

import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}
