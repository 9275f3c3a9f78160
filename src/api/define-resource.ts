/**
 * The routes of a record that is listed, created, read, changed and deleted. A file of routes describes the record, and
 * adds its operations one by one; an operation that is different is written by hand as a route between them.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Page } from '../db/listing/page.ts'
import type { Context } from '../modules/access/context.ts'
import type { Permission } from '../modules/access/roles.ts'
import type { PreconditionCheck } from '../modules/require-current.ts'
import type { Service } from '../modules/service.ts'
import { callerOf } from './callers/request-caller.ts'
import { readId } from './http/path-parameters.ts'
import type { Reading } from './json-api/resource-kinds.ts'
import {
  describeOperation,
  documentAnswer,
  listAnswer,
  nothingBack,
  type OperationSpec,
  pageOf,
} from './openapi/operation.ts'
import { defineQuery, type Filters, type Query, type ReadQuery, refuseParameters } from './query/query.ts'
import type { Body } from './request-body/resource-body.ts'
import { readIfCurrent } from './responses/entity-tag.ts'
import { sendList, sendNothing, sendOne, sendPage } from './responses/send.ts'
import type { ResourceType } from './shape/resource-kind.ts'

/** A function of the service. It checks the scope, finds nothing of another account, and records what it changes. */
type ServiceFunction<Input, Output> = (service: Service, context: Context, input: Input) => Promise<Output>

type Id = { readonly id: string }

/** `Key` names one record for its verbs; `Parent` names the record that it belongs to, if any. */
interface Resource<Row, Key, Parent> {
  readonly type: ResourceType
  readonly tag: string
  /** Path of one record. Without its last part it is the path of the list. */
  readonly path: string
  /** What the parts of the path are, for the description. */
  readonly ids: Readonly<Record<string, string>>
  readonly keyOf: (params: unknown) => Key
  readonly parentOf?: (params: unknown) => Parent
  readonly read: (row: Row) => Reading
  /** What an answer about one record includes when `include` is not given. */
  readonly includes?: string
}

/** The key of a record whose path has one part. `what`: the record as text, for the answer that there is none. */
export function makeIdReader(what: string): (params: unknown) => Id {
  return (params) => ({ id: readId(params, what) })
}

/** What the description of an operation contains, besides that of the resource. */
type OperationText = Pick<OperationSpec, 'id' | 'summary' | 'description' | 'refusals'>

interface SimpleOperation<Input, Output> extends OperationText {
  readonly verb: ServiceFunction<Input, Output>
}

interface PageOperation<Row, Parent, Of extends Filters, Order extends string> extends OperationText {
  readonly query: Query<Of, Order>
  readonly verb: ServiceFunction<NoInfer<Parent & ReadQuery<Of, Order>>, Page<Row>>
}

interface CreateOperation<Parent, BodyInput, Created> extends OperationText {
  readonly permission?: Permission
  /** Checks the parent first: if it does not exist, that is the answer, whatever the body contains. */
  readonly before?: ServiceFunction<Parent, unknown>
  readonly body: Body<BodyInput>
  readonly verb: ServiceFunction<NoInfer<Parent & BodyInput>, Created>
}

interface SecretOperation<Parent, BodyInput, Created> extends CreateOperation<Parent, BodyInput, Created> {
  readonly read: (made: NoInfer<Created>, request: FastifyRequest) => Reading
}

interface ChangeOperation<Row, Key, Changes> extends OperationText {
  readonly get: ServiceFunction<Key, Row>
  readonly body: Body<Changes>
  /** `found`: the record as it was before the body was read. */
  readonly verb: (
    service: Service,
    context: Context,
    input: NoInfer<Key & Changes & { readonly ifCurrent: PreconditionCheck<Row> | null }>,
    found: Row,
  ) => Promise<Row>
}

/** Each adds one route. */
interface Routes<Row, Key, Parent> {
  /** All records in one answer. */
  readonly list: (of: SimpleOperation<Parent, readonly Row[]>) => void
  readonly page: <Of extends Filters, Order extends string>(of: PageOperation<Row, Parent, Of, Order>) => void
  readonly create: <BodyInput>(of: CreateOperation<Parent, BodyInput, Row>) => void
  /** Only this answer shows a secret. */
  readonly createWithSecret: <BodyInput, Created>(of: SecretOperation<Parent, BodyInput, Created>) => void
  readonly get: (of: SimpleOperation<Key, Row>) => void
  readonly change: <Changes>(of: ChangeOperation<Row, Key, Changes>) => void
  readonly remove: (of: SimpleOperation<Key, unknown>) => void
  /** The answer is the record as it was. */
  readonly removeWithAnswer: (of: SimpleOperation<Key, Row>) => void
}

export function defineResource<Row, Key extends Id, Parent extends object = object>(
  app: FastifyInstance,
  resource: Resource<Row, Key, Parent>,
): Routes<Row, Key, Parent> {
  const { type, tag, path, ids, includes } = resource
  const listPath = path.slice(0, path.lastIndexOf('/'))
  const parents = Object.entries(ids).filter(([name]) => listPath.split('/').includes(`:${name}`))
  const site: RouteContext<Row, Key, Parent> = {
    ...resource,
    app,
    query: defineQuery({ type, ...(includes === undefined ? {} : { includes }) }),
    listPath,
    ofList: { tag, ...(parents.length === 0 ? {} : { path: Object.fromEntries(parents) }) },
    ofOne: { tag, path: ids },
  }
  return {
    list: (of) => addList(site, of),
    page: (of) => addPage(site, of),
    create: (of) => addCreate(site, { ...of, read: (row) => site.read(row) }),
    createWithSecret: (of) => addCreate(site, of),
    get: (of) => addGet(site, of),
    change: (of) => addChange(site, of),
    remove: (of) => addRemove(site, of),
    removeWithAnswer: (of) => addRemoveWithAnswer(site, of),
  }
}

/** Where the routes are added, and what several of them need. */
interface RouteContext<Row, Key, Parent> extends Resource<Row, Key, Parent> {
  readonly app: FastifyInstance
  readonly query: Query<Filters, never>
  readonly listPath: string
  readonly ofList: Pick<OperationSpec, 'tag' | 'path'>
  readonly ofOne: { readonly tag: string; readonly path: Readonly<Record<string, string>> }
}

function addList<Row, Key, Parent>(
  site: RouteContext<Row, Key, Parent>,
  of: SimpleOperation<Parent, readonly Row[]>,
): void {
  const { app, listPath, ofList, query, type } = site
  const schema = describeOperation({ ...of, ...ofList, query: query.schema, answer: listAnswer(type) })
  app.get(listPath, { schema }, async (request, reply) => {
    const { service, context } = callerOf(request)
    const view = query.read(request)
    const rows = await of.verb(service, context, readParentKey(site, request))
    return sendList({ request, reply }, { data: rows.map((row) => site.read(row)), view })
  })
}

function addPage<Row, Key, Parent, Of extends Filters, Order extends string>(
  site: RouteContext<Row, Key, Parent>,
  of: PageOperation<Row, Parent, Of, Order>,
): void {
  const { app, listPath, ofList, type } = site
  const { query } = of
  const answer = pageOf(type)
  const schema = describeOperation({ ...of, ...ofList, query: query.schema, answer, refusals: [422] })
  app.get(listPath, { schema }, async (request, reply) => {
    const { service, context } = callerOf(request)
    const parameters = query.read(request)
    const page = await of.verb(service, context, { ...readParentKey(site, request), ...parameters })
    const rows = page.rows.map((row) => site.read(row))
    return sendPage({ request, reply }, { page: { ...page, rows }, pageRequest: parameters.page, view: parameters })
  })
}

function addCreate<Row, Key, Parent, BodyInput, Created>(
  site: RouteContext<Row, Key, Parent>,
  of: SecretOperation<Parent, BodyInput, Created>,
): void {
  const { app, listPath, ofList, query, type } = site
  const { body, permission } = of
  const answer = documentAnswer(type)
  const described = { ...of, ...ofList, query: query.schema, body: body.schema, status: 201, answer }
  const config = permission === undefined ? {} : { permission }
  app.post(listPath, { config, schema: describeOperation(described) }, async (request, reply) => {
    const { service, context } = callerOf(request)
    const view = query.read(request)
    const parent = readParentKey(site, request)
    await of.before?.(service, context, parent)
    const made = await of.verb(service, context, { ...parent, ...body.read(request.body, null) })
    return sendOne({ request, reply }, { data: of.read(made, request), view, status: 201 })
  })
}

function addGet<Row, Key, Parent>(site: RouteContext<Row, Key, Parent>, of: SimpleOperation<Key, Row>): void {
  const { app, path, ofOne, query, type } = site
  const schema = describeOperation({ ...of, ...ofOne, query: query.schema, answer: documentAnswer(type) })
  app.get(path, { schema }, async (request, reply) => {
    const { service, context } = callerOf(request)
    const view = query.read(request)
    const row = await of.verb(service, context, site.keyOf(request.params))
    return sendOne({ request, reply }, { data: site.read(row), view })
  })
}

function addChange<Row, Key extends Id, Parent, Changes>(
  site: RouteContext<Row, Key, Parent>,
  of: ChangeOperation<Row, Key, Changes>,
): void {
  const { app, path, ofOne, query, type } = site
  const { body } = of
  const described = { ...of, ...ofOne, query: query.schema, body: body.schema, answer: documentAnswer(type) }
  const config = { hasPrecondition: true }
  app.patch(path, { config, schema: describeOperation(described) }, async (request, reply) => {
    const { service, context } = callerOf(request)
    const view = query.read(request)
    const key = site.keyOf(request.params)
    // Reads the record first: if it does not exist, that is the answer, whatever the body contains.
    const found = await of.get(service, context, key)
    const changes = body.read(request.body, key.id)
    const isCurrent = readIfCurrent(request)
    const ifCurrent = isCurrent && ((row: Row) => isCurrent(site.read(row)))
    const row = await of.verb(service, context, { ...key, ...changes, ifCurrent }, found)
    return sendOne({ request, reply }, { data: site.read(row), view })
  })
}

function addRemove<Row, Key, Parent>(site: RouteContext<Row, Key, Parent>, of: SimpleOperation<Key, unknown>): void {
  const schema = describeOperation({ ...of, ...site.ofOne, status: 204, answer: nothingBack })
  site.app.delete(site.path, { schema }, async (request, reply) => {
    const { service, context } = callerOf(request)
    refuseParameters(request)
    await of.verb(service, context, site.keyOf(request.params))
    return sendNothing(reply)
  })
}

function addRemoveWithAnswer<Row, Key, Parent>(
  site: RouteContext<Row, Key, Parent>,
  of: SimpleOperation<Key, Row>,
): void {
  const { app, path, ofOne, query, type } = site
  const schema = describeOperation({ ...of, ...ofOne, query: query.schema, answer: documentAnswer(type) })
  app.delete(path, { schema }, async (request, reply) => {
    const { service, context } = callerOf(request)
    const view = query.read(request)
    const row = await of.verb(service, context, site.keyOf(request.params))
    return sendOne({ request, reply }, { data: site.read(row), view })
  })
}

function readParentKey<Row, Key, Parent>(site: RouteContext<Row, Key, Parent>, { params }: FastifyRequest): Parent {
  // Safe: without `parentOf` the type is that of any object.
  return site.parentOf === undefined ? ({} as Parent) : site.parentOf(params)
}
