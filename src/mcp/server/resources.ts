/**
 * The resources that can be read by address: three documents that are the same for all, and the caller's containers and
 * shipments, by id or by a number as people know it.
 */

import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import { ServiceError } from '../../modules/errors.ts'
import { readAtReplica } from '../../modules/read-at-replica.ts'
import { writeJourneyView } from '../documents/journey-view.ts'
import { writeListColumns } from '../documents/list-columns.ts'
import { writeMilestoneGlossary } from '../documents/milestone-glossary.ts'
import { writeQueryGuidance } from '../documents/query-guidance.ts'
import { readContainerPage, readShipmentPage } from '../documents/read-page.ts'
import { readSnapshotPage } from '../documents/snapshot-page.ts'
import { readId } from '../lists/read-id.ts'
import { completeNumber } from './complete-numbers.ts'
import type { McpCaller } from './mcp-caller.ts'
import { resourceUri } from './resource-uri.ts'
import { journeyViewUri, viewMimeType, viewNeeds } from './views.ts'

const hourMs = 3_600_000
const same = { cacheScope: 'public', ttlMs: hourMs } as const
const privateCache = { cacheScope: 'private', ttlMs: 0 } as const
const markdown = 'text/markdown'

const titles = {
  container: 'A container',
  shipment: 'A shipment',
  snapshot: 'The answer of a source, word for word',
} as const

const documents = [
  ['milestone-glossary', 'Milestones and statuses', markdown, writeMilestoneGlossary],
  ['mcp-query-guidance', 'Which tool answers which question', markdown, writeQueryGuidance],
  ['list-display-columns', 'Columns of the lists', 'application/json', writeListColumns],
] as const

export function registerResources(server: McpServer, caller: McpCaller): void {
  const { config } = caller.service
  for (const [name, title, mimeType, write] of documents) {
    const uri = resourceUri(config, 'docs', name)
    server.registerResource(name, uri, { title, mimeType, cacheHint: same }, async () => ({
      contents: [{ uri, mimeType, text: write() }],
    }))
  }
  server.registerResource(
    'journey-map',
    journeyViewUri,
    { title: 'The map of a journey', mimeType: viewMimeType, cacheHint: same },
    async (uri) => {
      const text = writeJourneyView()
      if (text === null) throw new ResourceNotFoundError(uri.href)
      return { contents: [{ uri: uri.href, mimeType: viewMimeType, text, _meta: { ui: viewNeeds } }] }
    },
  )
  const pages = {
    container: (id: string) => readContainerPage(caller, id),
    shipment: (id: string) => readShipmentPage(caller, id),
    snapshot: (id: string) => readSnapshotPage(caller, id),
  }
  // The answer of a source may be about more than the rows of one customer.
  const kinds =
    caller.part.limit === null ? (['container', 'shipment', 'snapshot'] as const) : (['container', 'shipment'] as const)
  for (const kind of kinds) {
    const template = new ResourceTemplate(resourceUri(config, kind, '{id}'), {
      list: undefined,
      ...(kind === 'snapshot' ? {} : { complete: { id: (typed: string) => completeNumber(caller, kind, typed) } }),
    })
    const title = titles[kind]
    server.registerResource(
      kind,
      template,
      { title, mimeType: markdown, cacheHint: privateCache },
      async (uri, { id }) => {
        const given = typeof id === 'string' ? id : ''
        const text = await (kind === 'snapshot' ? checkId(given) : readId(caller, kind, given))
          .then(async (known) => await readAtReplica(caller.service, caller.context, () => pages[kind](known)))
          .catch((error: unknown) => {
            throw isUnknown(error) ? new ResourceNotFoundError(uri.href) : error
          })
        return { contents: [{ uri: uri.href, mimeType: markdown, text }] }
      },
    )
  }
}

/** An id that is no UUID belongs to no snapshot. */
async function checkId(given: string): Promise<string> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given))
    throw new ServiceError('not_found', 'No such resource.')
  return given
}

/** A number of several containers or shipments is no address of one. */
function isUnknown(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === 'not_found' || error.code === 'invalid')
}
