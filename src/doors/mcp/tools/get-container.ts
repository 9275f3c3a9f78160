/** `get_container`: one container, with its shipment, its terminal and its milestones when wanted. */

import { Type } from '../../../platform/json-schema.ts'
import { journeyNow } from '../../../service/service.ts'
import { getContainerWithShipment } from '../../../service/tracking/containers/get-container.ts'
import { listTransportEvents } from '../../../service/tracking/transport-events/list-transport-events.ts'
import { closed, id, oneOf } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { list, maybe, object } from '../tool/schema.ts'
import { result, tool } from '../tool/tool.ts'
import { citations, writeCitations } from '../words/citations.ts'
import { followUpsOf } from '../words/container-metadata.ts'
import {
  containerSnapshot,
  writeContainerSnapshot,
  writeShipmentOfContainer,
} from '../words/container-snapshot.ts'
import { timelineEntry, writeTimeline } from '../words/timeline.ts'

export const getContainer = tool({
  name: 'get_container',
  title: 'Get a container',
  about: 'Status, location, last free days, holds, fees and rail of one container.',
  effect: 'read',
  input: Type.Object(
    {
      id,
      include: Type.Optional(
        Type.Array(oneOf(['shipment', 'pod_terminal', 'transport_events'], 'One part'), {
          default: ['shipment'],
          description: 'Parts to add',
        }),
      ),
      cite: Type.Optional(
        Type.Boolean({ description: 'Add a claim for each value: who said it, in which words' }),
      ),
    },
    closed,
  ),
  ids: { id: 'container' },
  output: object({
    ...containerSnapshot,
    events: maybe(list(timelineEntry)),
    citations: maybe(citations),
    _response_contract: responseContract,
  }),
  run: async (asking, input) => {
    const { service, context } = asking
    const include = input.include ?? ['shipment']
    const found = await getContainerWithShipment(service, context, { id: input.id })
    const now = journeyNow(service, context.account.isFiction)
    const snapshot = writeContainerSnapshot({ ...found, now })
    const events = include.includes('transport_events')
      ? await listTransportEvents(service, context, { containerIds: [input.id] })
      : null
    return result(
      {
        ...snapshot,
        ...(include.includes('shipment') ? { shipment: writeShipmentOfContainer(found.shipment) } : {}),
        ...(events === null ? {} : { events: writeTimeline(events) }),
        ...(input.cite === true
          ? { citations: await writeCitations(asking, { type: 'container', id: input.id }) }
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
