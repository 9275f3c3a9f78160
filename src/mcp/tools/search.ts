/** `search`: the first request of a connector for documents. Each result is fetched by its id. */

import { Type } from '../../platform/json-schema.ts'
import { fitRows } from '../lists/fit-rows.ts'
import { findShown } from '../lists/row-limit.ts'
import { markUnlessCode } from '../presenters/fence.ts'
import { pageUrl } from '../presenters/page-url.ts'
import { placeName } from '../presenters/places.ts'
import { closed } from '../tool/inputs.ts'
import { list, object, text } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

export const search = defineTool({
  name: 'search',
  title: 'Search documents',
  about: 'For connectors: pages of containers and shipments by part of a number or reference, to `fetch`.',
  effect: 'read',
  input: Type.Object(
    {
      query: Type.String({ minLength: 1, maxLength: 200, description: 'Number or reference, or part of it' }),
    },
    closed,
  ),
  output: object({ results: list(object({ id: text, title: text, url: text })) }),
  run: async ({ service, context }, { query }) => {
    const { containers, shipments } = await findShown({ service, context }, query)
    return makeResult(
      {
        results: fitRows(
          [
            ...containers.map(({ id, shipmentId, status, projection }) => ({
              id: `container:${id}`,
              title: `Container ${projection.number}: ${status.replaceAll('_', ' ')}`,
              url: pageUrl(service.config, shipmentId),
            })),
            ...shipments.map(({ id, billOfLadingNumber, scac, projection: { portOfDischarge } }) => ({
              id: `shipment:${id}`,
              title: `Shipment ${markUnlessCode(billOfLadingNumber)} of ${scac}${
                portOfDischarge.place === null ? '' : ` to ${placeName(portOfDischarge.place)}`
              }`,
              url: pageUrl(service.config, id),
            })),
          ],
          20,
        ),
      },
      null,
    )
  },
})
