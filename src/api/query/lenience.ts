/**
 * A request with unknown or read-only members is refused, because a client would believe that ignored members were
 * accepted. For programs that cannot be changed, the operator, or the request itself (`Prefer: handling=lenient`, RFC
 * 7240, 4.4), can have them ignored; then `meta.ignored` of the answer lists them.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { isObject } from '../../domain/values/json-value.ts'
import type { Service } from '../../modules/service.ts'
import { toPointerToken } from '../errors/problem.ts'

/** One thing that was ignored: a JSON pointer into the body, or a parameter. */
export type IgnoredMember = { readonly pointer: string } | { readonly parameter: string }

declare module 'fastify' {
  interface FastifyRequest {
    /** What has been ignored so far. Null when nothing may be ignored. */
    ignored: IgnoredMember[] | null
  }
}

const ignoredMax = 100

export function ignoreUnknownMembers(app: FastifyInstance, service: Service): void {
  const isUsual = service.config.edge.unknownFields === 'ignore'
  app.decorateRequest('ignored', null)
  app.addHook('onRequest', (request, reply, done) => {
    const wish = readHandlingPreference(request.headers['prefer'])
    if (wish !== null) reply.header('preference-applied', `handling=${wish}`)
    if (wish === 'lenient' || (wish === null && isUsual)) request.ignored = []
    done()
  })
  app.addHook('preHandler', (request, _reply, done) => {
    const schema = request.routeOptions.schema?.body as TSchema | undefined
    if (request.ignored !== null && schema !== undefined)
      request.body = dropUndeclared(request.body, schema, { at: '', request })
    done()
  })
}

function readHandlingPreference(header: string | string[] | undefined): 'lenient' | 'strict' | null {
  if (header === undefined) return null
  const wishes = [header].flat().join().toLowerCase().split(/[,;]/)
  const found = wishes.map((each) => /^\s*handling\s*=\s*"?(lenient|strict)"?\s*$/.exec(each)?.[1])
  return (found.find((each) => each !== undefined) ?? null) as 'lenient' | 'strict' | null
}

/** Notes one thing as ignored. False when it must be refused instead. */
export function ignoreIfLenient({ ignored }: Pick<FastifyRequest, 'ignored'>, what: IgnoredMember): boolean {
  if (ignored === null) return false
  if (ignored.length < ignoredMax) ignored.push(what)
  return true
}

/** Adds the list of what was ignored to the document. */
export function withIgnored<Document extends object>(request: FastifyRequest, document: Document): Document {
  const { ignored } = request
  if (ignored === null || ignored.length === 0) return document
  const meta: unknown = 'meta' in document ? document.meta : undefined
  return { ...document, meta: { ...(isObject(meta) ? meta : {}), ignored } }
}

interface ClosedSchema {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly additionalProperties?: unknown
  readonly items?: TSchema
}

/** The value without the members that a closed schema does not name. They are noted as ignored. */
function dropUndeclared(
  value: unknown,
  schema: ClosedSchema,
  of: { readonly at: string; readonly request: FastifyRequest },
): unknown {
  const { at, request } = of
  const { items, properties } = schema
  if (Array.isArray(value)) {
    if (items === undefined) return value
    return value.map((each, index) => dropUndeclared(each, items, { at: `${at}/${index}`, request }))
  }
  if (!isObject(value) || properties === undefined) return value
  const retained = Object.entries(value).flatMap(([name, each]): readonly (readonly [string, unknown])[] => {
    const pointer = `${at}/${toPointerToken(name)}`
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known !== undefined) return [[name, dropUndeclared(each, known, { at: pointer, request })]]
    if (schema.additionalProperties !== false) return [[name, each]]
    ignoreIfLenient(request, { pointer })
    return []
  })
  return Object.fromEntries(retained)
}
