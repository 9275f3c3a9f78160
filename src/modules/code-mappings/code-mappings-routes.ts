/** /v2/unmapped_codes and /v2/code_mappings: which codes of senders nobody knows, and what they mean. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { describeOperation, documentAnswer, pageWith } from '../../api/openapi/operation.ts'
import { booleanFilter, choiceFilter, textFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendOne, sendPage } from '../../api/responses/send.ts'
import { codeKinds } from '../../connectors/codes/code-fields.ts'
import { codeMappingChanges, newCodeMapping } from './code-mapping-input.ts'
import { meaningsMeta, readCodeMapping, readMappingResult, readUnmappedCode } from './code-mapping-resource.ts'
import { getCodeMapping, listCodeMappings, listUnmappedCodes } from './list-codes.ts'
import { changeMapping, mapCode, unmapCode } from './map-code.ts'

const tag = 'Inbound'
const path = { id: 'Id of the mapping.' }
const keyOf = makeIdReader('code mapping')
const channel = textFilter('filter[channel]', 'Name of the channel.')
const unmappedQuery = defineQuery({ type: 'unmapped_code', isPaged: true, filters: { channel } })
const mappedQuery = defineQuery({
  type: 'code_mapping',
  isPaged: true,
  filters: { channel, kind: choiceFilter('filter[kind]', codeKinds) },
})
const changeQuery = defineQuery({
  type: 'code_mapping',
  filters: {
    isDryRun: booleanFilter('dry_run', 'Nothing is changed; `meta` says what would be read again.'),
  },
})
const codeMappingAnswer = () => documentAnswer('code_mapping')
const again =
  'Earlier messages with the code are read again in the background. What changes is announced once, as corrections.'

export function codes(app: FastifyInstance): void {
  app.get(
    '/v2/unmapped_codes',
    {
      schema: describeOperation({
        id: 'listUnmappedCodes',
        tag,
        summary: 'List the codes without a known meaning, the most frequent first',
        description: 'Own codes of the senders, in messages from the channels of the account.',
        query: unmappedQuery.schema,
        answer: pageWith('unmapped_code', meaningsMeta),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const parameters = unmappedQuery.read(request)
      const { codes: listed, total, meanings } = await listUnmappedCodes(service, context, parameters.filter)
      const page = pageIn(listed.map(readUnmappedCode), parameters.page)
      const meta = { is_cut: total > listed.length, meanings }
      return sendPage({ request, reply }, { page, pageRequest: parameters.page, view: parameters, meta })
    },
  )

  const routes = defineResource(app, {
    type: 'code_mapping',
    tag,
    path: '/v2/code_mappings/:id',
    ids: path,
    keyOf,
    read: readCodeMapping,
  })
  routes.page({
    id: 'listCodeMappings',
    summary: "List what the senders' own codes mean",
    description: 'From the profiles of the channels of the account, whoever wrote them.',
    query: mappedQuery,
    verb: async (service, context, { filter, page }) => pageIn(await listCodeMappings(service, context, filter), page),
  })

  const creating = describeOperation({
    id: 'createCodeMapping',
    tag,
    summary: "Set the meaning of a sender's own code",
    description: `${again} A dry run returns 200.`,
    query: changeQuery.schema,
    body: newCodeMapping.schema,
    status: 201,
    answer: codeMappingAnswer(),
  })
  app.post(
    '/v2/code_mappings',
    { schema: { ...creating, response: { ...(creating.response as object), 200: codeMappingAnswer() } } },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = changeQuery.read(request)
      const isDryRun = view.filter.isDryRun === true
      const mapped = await mapCode(service, context, { ...newCodeMapping.read(request.body, null), isDryRun })
      const data = readMappingResult(mapped, isDryRun)
      return sendOne({ request, reply }, { data, view, status: isDryRun ? 200 : 201 })
    },
  )

  routes.get({ id: 'getCodeMapping', summary: 'Get a code mapping', verb: getCodeMapping })

  app.patch(
    '/v2/code_mappings/:id',
    {
      schema: describeOperation({
        id: 'updateCodeMapping',
        tag,
        summary: 'Give a code another meaning',
        description: again,
        path,
        query: changeQuery.schema,
        body: codeMappingChanges.schema,
        answer: codeMappingAnswer(),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = changeQuery.read(request)
      const isDryRun = view.filter.isDryRun === true
      const { id } = keyOf(request.params)
      // Checks the mapping first: if it does not exist, that is the answer, whatever the body contains.
      await getCodeMapping(service, context, { id })
      const { means } = codeMappingChanges.read(request.body, id)
      const mapped = await changeMapping(service, context, { id, means, isDryRun })
      return sendOne({ request, reply }, { data: readMappingResult(mapped, isDryRun), view })
    },
  )

  app.delete(
    '/v2/code_mappings/:id',
    {
      schema: describeOperation({
        id: 'deleteCodeMapping',
        tag,
        summary: 'Delete the meaning of a code',
        description: `${again} The answer is the deleted mapping.`,
        path,
        query: changeQuery.schema,
        answer: codeMappingAnswer(),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = changeQuery.read(request)
      const isDryRun = view.filter.isDryRun === true
      const mapped = await unmapCode(service, context, { ...keyOf(request.params), isDryRun })
      return sendOne({ request, reply }, { data: readMappingResult(mapped, isDryRun), view })
    },
  )
}

function pageIn<Row>(
  rows: readonly Row[],
  { number, size }: { readonly number: number; readonly size: number },
): { readonly rows: readonly Row[]; readonly total: number } {
  return { rows: rows.slice((number - 1) * size, number * size), total: rows.length }
}
