/**
 * For the `schemaController` of Fastify. Our own readers check bodies and queries, because they name the place of a
 * fault, and answers are written as text already. Fastify's own compilers are not even loaded.
 */

import type { FastifyServerOptions } from 'fastify'

export const noCompilers = {
  compilersFactory: {
    buildValidator: () => () => () => true,
    buildSerializer: () => () => JSON.stringify,
  },
  // safe: what Fastify calls of a compiler is the function that it returns
} as unknown as NonNullable<FastifyServerOptions['schemaController']>
