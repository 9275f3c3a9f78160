/** `fetch`: the page of one result of `search`, as a connector for documents wants it. */

import { Type } from '../../../platform/json-schema.ts'
import { ServiceError } from '../../../service/errors.ts'
import { getContainer } from '../../../service/tracking/containers/get-container.ts'
import { readContainerPage, readShipmentPage } from '../documents/read-page.ts'
import { readId } from '../lists/known-id.ts'
import { closed } from '../tool/inputs.ts'
import { object, text } from '../tool/schema.ts'
import { result, tool } from '../tool/tool.ts'
import { fenceRule } from '../words/fence.ts'
import { pageUrl } from '../words/page-url.ts'

export const fetchPage = tool({
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
  run: async (asking, { id: given }) => {
    const { service, context } = asking
    const { kind, id } = await read(asking, given)
    const shipmentId = kind === 'shipment' ? id : (await getContainer(service, context, { id })).shipmentId
    const page =
      kind === 'container' ? await readContainerPage(asking, id) : await readShipmentPage(asking, id)
    const [title = kind] = page.split('\n')
    return result(
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

async function read(asking: Parameters<typeof readId>[0], given: string) {
  const [, named, rest] = /^(container|shipment):(.+)$/.exec(given.trim()) ?? []
  const kind = named === 'shipment' ? 'shipment' : 'container'
  if (named !== undefined && rest !== undefined)
    return { kind, id: await readId(asking, kind, rest) } as const
  try {
    return { kind: 'container', id: await readId(asking, 'container', given) } as const
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const id = await readId(asking, 'shipment', given).catch(() => {
      throw error
    })
    return { kind: 'shipment', id } as const
  }
}
