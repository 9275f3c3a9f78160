/** `get_container`: one container, with its shipment, its terminal and its milestones when wanted. */

import { getContainerWithShipment } from '../../modules/containers/get-container.ts'
import { journeyNow } from '../../modules/service.ts'
import { listTransportEvents } from '../../modules/transport-events/list-transport-events.ts'
import { Type } from '../../platform/json-schema.ts'
import { citations, writeCitations } from '../presenters/citations.ts'
import { followUpsOf } from '../presenters/container-metadata.ts'
import {
  containerSnapshot,
  writeContainerSnapshot,
  writeShipmentOfContainer,
} from '../presenters/container-snapshot.ts'
import { customFields, writeCustomFields } from '../presenters/custom-fields.ts'
import { timelineEntry, writeTimeline } from '../presenters/timeline.ts'
import { closed, id, oneOf } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { list, object, optional } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

export const getContainer = defineTool({
  name: 'get_container',
  title: 'Get a container',
  about: 'Status, location, last free days, holds, fees and rail of one container.',
  effect: 'read',
  input: Type.Object(
    {
      id,
      include: Type.Optional(
        Type.Array(oneOf(['shipment', 'pod_terminal', 'transport_events', 'custom_fields'], 'One part'), {
          default: ['shipment'],
          description: 'Parts to add',
        }),
      ),
      cite: Type.Optional(Type.Boolean({ description: 'Add a claim for each value: who said it, in which words' })),
    },
    closed,
  ),
  ids: { id: 'container' },
  output: object({
    ...containerSnapshot,
    events: optional(list(timelineEntry)),
    custom_fields: optional(customFields),
    citations: optional(citations),
    _response_contract: responseContract,
  }),
  run: async (toolContext, input) => {
    const { service, context } = toolContext
    const include = input.include ?? ['shipment']
    const found = await getContainerWithShipment(service, context, { id: input.id })
    const now = journeyNow(service, context.account.isSandbox)
    const snapshot = writeContainerSnapshot({ ...found, now })
    const events = include.includes('transport_events')
      ? await listTransportEvents(service, context, { containerIds: [input.id] })
      : null
    return makeResult(
      {
        ...snapshot,
        ...(include.includes('shipment') ? { shipment: writeShipmentOfContainer(found.shipment) } : {}),
        ...(events === null ? {} : { events: writeTimeline(events) }),
        ...(include.includes('custom_fields') ? { custom_fields: await writeCustomFields(toolContext, input.id) } : {}),
        ...(input.cite === true
          ? { citations: await writeCitations(toolContext, { type: 'container', id: input.id }) }
          : {}),
        _response_contract: writeContract(),
      },
      {
        presentation: snapshot._metadata.presentation_guidance,
        followUps: followUpsOf(snapshot._metadata.container_state),
        tools: snapshot._metadata.suggestions,
      },
    )
  },
})
