/** `fetch`: the page of one result of `search`, as a connector for documents wants it. */

import { getContainer } from '../../modules/containers/get-container.ts'
import { ServiceError } from '../../modules/errors.ts'
import { Type } from '../../platform/json-schema.ts'
import { readContainerPage, readShipmentPage } from '../documents/read-page.ts'
import { readId } from '../lists/read-id.ts'
import { fenceRule } from '../presenters/fence.ts'
import { pageUrl } from '../presenters/page-url.ts'
import { closed } from '../tool/inputs.ts'
import { object, text } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

export const fetchPage = defineTool({
  name: 'fetch',
  title: 'Fetch a document',
  about: 'For connectors: the page of one result of `search`, as text.',
  effect: 'read',
  input: Type.Object(
    { id: Type.String({ minLength: 1, maxLength: 120, description: 'An id from search, or a number' }) },
    closed,
  ),
  output: object({
    id: text,
    title: text,
    text,
    url: text,
    metadata: object({ kind: text, note: text }),
  }),
  run: async (toolContext, { id: given }) => {
    const { service, context } = toolContext
    const { kind, id } = await resolveReference(toolContext, given)
    const shipmentId = kind === 'shipment' ? id : (await getContainer(service, context, { id })).shipmentId
    const page =
      kind === 'container' ? await readContainerPage(toolContext, id) : await readShipmentPage(toolContext, id)
    const [title = kind] = page.split('\n')
    return makeResult(
      {
        id: `${kind}:${id}`,
        title: title.replace(/^#+\s*/, ''),
        text: page,
        url: pageUrl(service.config, shipmentId),
        metadata: { kind, note: fenceRule },
      },
      null,
    )
  },
})

async function resolveReference(caller: Parameters<typeof readId>[0], given: string) {
  const [, named, reference] = /^(container|shipment):(.+)$/.exec(given.trim()) ?? []
  const kind = named === 'shipment' ? 'shipment' : 'container'
  if (named !== undefined && reference !== undefined)
    return { kind, id: await readId(caller, kind, reference) } as const
  try {
    return { kind: 'container', id: await readId(caller, 'container', given) } as const
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const id = await readId(caller, 'shipment', given).catch(() => {
      throw error
    })
    return { kind: 'shipment', id } as const
  }
}
