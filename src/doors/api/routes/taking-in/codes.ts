/** /v2/unmapped_codes and /v2/code_mappings: which codes of senders nobody knows, and what they mean. */

import type { FastifyInstance } from 'fastify'
import {
  getCodeMapping,
  listCodeMappings,
  listUnmappedCodes,
} from '../../../../service/hearing/codes/list-codes.ts'
import { changeMapping, mapCode, unmapCode } from '../../../../service/hearing/codes/map-code.ts'
import { codeKinds } from '../../../../sources/codes/code-fields.ts'
import {
  meaningsMeta,
  readCodeMapping,
  readMapped,
  readUnmappedCode,
} from '../../../documents/resources/taking-in/code-mapping.ts'
import { readId } from '../../../http/path-id.ts'
import { sendOne, sendPage } from '../../answering/answer.ts'
import { booleanFilter, choiceFilter, textFilter } from '../../asking/filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, operation, pageOf, pageWith } from '../../description/operation.ts'
import {
  codeMappingBody,
  codeMappingChangesBody,
  readCodeMappingChanges,
  readNewCodeMapping,
} from '../../inputs/code-mapping.ts'

const tag = 'Inbound'
const path = { id: 'Id of the mapping.' }
const channel = textFilter('filter[channel]', 'Name of the channel.')
const unmappedQuery = defineQuery({ type: 'unmapped_code', isPaged: true, filters: { channel } })
const mappedQuery = defineQuery({
  type: 'code_mapping',
  isPaged: true,
  filters: { channel, kind: choiceFilter('filter[kind]', codeKinds) },
})
const oneQuery = defineQuery({ type: 'code_mapping' })
const changeQuery = defineQuery({
  type: 'code_mapping',
  filters: {
    isDryRun: booleanFilter('dry_run', 'Nothing is changed; `meta` says what would be read again.'),
  },
})
const answer = documentOf('code_mapping')
const again =
  'What was said with the code before is read again in the background. What changes is announced once, as corrections.'

export function codes(app: FastifyInstance): void {
  app.get(
    '/v2/unmapped_codes',
    {
      schema: operation({
        id: 'listUnmappedCodes',
        tag,
        summary: 'List the codes that nobody has said the meaning of, the most frequent first',
        description: "Codes of senders' own in what came through the channels of the account.",
        query: unmappedQuery.schema,
        answer: pageWith('unmapped_code', meaningsMeta),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = unmappedQuery.read(request)
      const { codes: listed, total, meanings } = await listUnmappedCodes(service, context, asked.filter)
      const page = pageIn(listed.map(readUnmappedCode), asked.page)
      const meta = { is_cut: total > listed.length, meanings }
      return sendPage({ request, reply }, { page, asked: asked.page, view: asked, meta })
    },
  )

  app.get(
    '/v2/code_mappings',
    {
      schema: operation({
        id: 'listCodeMappings',
        tag,
        summary: "List what the senders' own codes mean",
        description: 'As the profiles of the channels of the account say, whoever wrote them.',
        query: mappedQuery.schema,
        answer: pageOf('code_mapping'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = mappedQuery.read(request)
      const mappings = await listCodeMappings(service, context, asked.filter)
      const page = pageIn(mappings.map(readCodeMapping), asked.page)
      return sendPage({ request, reply }, { page, asked: asked.page, view: asked })
    },
  )

  const creating = operation({
    id: 'createCodeMapping',
    tag,
    summary: "Say what a sender's own code means",
    description: `${again} A dry run is answered with 200.`,
    query: changeQuery.schema,
    body: codeMappingBody,
    status: 201,
    answer,
  })
  app.post(
    '/v2/code_mappings',
    { schema: { ...creating, response: { ...(creating.response as object), 200: answer } } },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = changeQuery.read(request)
      const isDryRun = view.filter.isDryRun === true
      const mapped = await mapCode(service, context, { ...readNewCodeMapping(request.body), isDryRun })
      const data = readMapped(mapped, isDryRun)
      return sendOne({ request, reply }, { data, view, status: isDryRun ? 200 : 201 })
    },
  )

  app.get(
    '/v2/code_mappings/:id',
    {
      schema: operation({
        id: 'getCodeMapping',
        tag,
        summary: 'Get a code mapping',
        path,
        query: oneQuery.schema,
        answer,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = oneQuery.read(request)
      const mapping = await getCodeMapping(service, context, { id: readId(request.params, 'code mapping') })
      return sendOne({ request, reply }, { data: readCodeMapping(mapping), view })
    },
  )

  app.patch(
    '/v2/code_mappings/:id',
    {
      schema: operation({
        id: 'updateCodeMapping',
        tag,
        summary: 'Give a code another meaning',
        description: again,
        path,
        query: changeQuery.schema,
        body: codeMappingChangesBody,
        answer,
        never: [409],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = changeQuery.read(request)
      const isDryRun = view.filter.isDryRun === true
      const id = readId(request.params, 'code mapping')
      // Checks the mapping first: if it does not exist, that is the answer, whatever the body contains.
      await getCodeMapping(service, context, { id })
      const { means } = readCodeMappingChanges(request.body, id)
      const mapped = await changeMapping(service, context, { id, means, isDryRun })
      return sendOne({ request, reply }, { data: readMapped(mapped, isDryRun), view })
    },
  )

  app.delete(
    '/v2/code_mappings/:id',
    {
      schema: operation({
        id: 'deleteCodeMapping',
        tag,
        summary: 'Take back what a code means',
        description: `${again} The answer is the mapping that ended.`,
        path,
        query: changeQuery.schema,
        answer,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = changeQuery.read(request)
      const isDryRun = view.filter.isDryRun === true
      const mapped = await unmapCode(service, context, {
        id: readId(request.params, 'code mapping'),
        isDryRun,
      })
      return sendOne({ request, reply }, { data: readMapped(mapped, isDryRun), view })
    },
  )
}

function pageIn<Row>(
  rows: readonly Row[],
  { number, size }: { readonly number: number; readonly size: number },
): { readonly rows: readonly Row[]; readonly total: number } {
  return { rows: rows.slice((number - 1) * size, number * size), total: rows.length }
}
