/**
 * A request with unknown or read-only members is refused, because a client would believe that ignored members were
 * accepted. For programs that cannot be changed, the operator, or the request itself (`Prefer: handling=lenient`, RFC
 * 7240, 4.4), can have them ignored; then `meta.ignored` of the answer lists them. Without an unknown filter a list has
 * rows that were not requested, so one setting refuses unknown filters all the same.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { isObject } from '../../domain/values/json-value.ts'
import type { Service } from '../../modules/service.ts'
import { findCaller } from '../callers/request-caller.ts'
import { toPointerToken } from '../errors/problem.ts'
import type { Unanswered } from './filters.ts'

/** One thing that was ignored: a JSON pointer into the body, or a parameter. */
export type IgnoredMember = { readonly pointer: string } | { readonly parameter: string }

declare module 'fastify' {
  interface FastifyRequest {
    /** What has been ignored so far. Null when nothing may be ignored. */
    ignored: IgnoredMember[] | null
    /** Filters of which nothing is known. */
    unanswered: readonly Unanswered[]
    /** True when an unknown filter is refused, although other things are ignored. */
    refusesFilters: boolean
  }
}

export type LenientRequest = Pick<FastifyRequest, 'ignored'> &
  Partial<Pick<FastifyRequest, 'refusesFilters' | 'unanswered'>>

const ignoredMax = 100
/** Different callers and names for which one line is logged. Later ones are only counted. */
const loggedMax = 10_000

export function ignoreUnknownMembers(app: FastifyInstance, service: Service): void {
  const usual = service.config.edge.unknownFields
  const logged = new Set<string>()
  app.decorateRequest('ignored', null)
  app.decorateRequest('refusesFilters', false)
  app.decorateRequest('unanswered')
  app.addHook('onRequest', (request, reply, done) => {
    const wish = readHandlingPreference(request.headers['prefer'])
    if (wish !== null) reply.header('preference-applied', `handling=${wish}`)
    if (wish === 'lenient' || (wish === null && usual !== 'refuse')) request.ignored = []
    request.refusesFilters = wish === null && usual === 'ignore_but_filters'
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    for (const member of request.ignored ?? []) reportIgnored(service, logged, { request, member })
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
export function ignoreIfLenient({ ignored, refusesFilters }: LenientRequest, what: IgnoredMember): boolean {
  if (ignored === null) return false
  if (refusesFilters === true && 'parameter' in what && what.parameter.startsWith('filter[')) return false
  if (ignored.length < ignoredMax) ignored.push(what)
  return true
}

/** Counts it, and logs it once for each caller. */
function reportIgnored(
  service: Service,
  logged: Set<string>,
  { request, member }: { readonly request: FastifyRequest; readonly member: IgnoredMember },
): void {
  const [kind, name] = 'parameter' in member ? ['parameter', member.parameter] : ['attribute', member.pointer]
  service.metrics.memberIgnored({ kind })
  const context = findCaller(request)?.context
  const by = context !== undefined && 'id' in context.actor ? context.actor.id : null
  const key = `${by} ${name}`
  if (logged.has(key) || logged.size >= loggedMax) return
  logged.add(key)
  service.log.warn('members.ignored', { account: context?.account.id ?? null, by, kind, name })
}

/** Adds to the document what was ignored, and the filters of which nothing is known. */
export function withNotes<Document extends object>(request: FastifyRequest, document: Document): Document {
  const lists = Object.entries({ ignored: request.ignored, unanswered: request.unanswered })
  const notes = lists.filter(([, list]) => list !== undefined && list !== null && list.length > 0)
  if (notes.length === 0) return document
  const meta: unknown = 'meta' in document ? document.meta : undefined
  return { ...document, meta: { ...(isObject(meta) ? meta : {}), ...Object.fromEntries(notes) } }
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
