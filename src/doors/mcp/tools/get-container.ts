/** `get_container`: one container, with its shipment, its terminal and its milestones when wanted. */

import { Type } from 'typebox'
import { journeyNow } from '../../../service/service.ts'
import { getContainerWithShipment } from '../../../service/tracking/containers/get-container.ts'
import { listTransportEvents } from '../../../service/tracking/transport-events/list-transport-events.ts'
import { followUpsOf } from '../container-metadata.ts'
import { containerSnapshot, writeContainerSnapshot, writeShipmentOfContainer } from '../container-snapshot.ts'
import { closed, id, oneOf } from '../inputs.ts'
import { responseContract, writeContract } from '../response-contract.ts'
import { list, maybe, object } from '../schema.ts'
import { timelineEntry, writeTimeline } from '../timeline.ts'
import { result, tool } from '../tool.ts'

export const getContainer = tool({
  name: 'get_container',
  title: 'Get a container',
  about:
    'Status, location, last free days, holds, fees and rail of one container by id (from search_container or a list).',
  effect: 'read',
  input: Type.Object(
    {
      id,
      include: Type.Optional(
        Type.Array(oneOf(['shipment', 'pod_terminal', 'transport_events'], 'One part'), {
          default: ['shipment'],
          description: 'What to show besides',
        }),
      ),
    },
    closed,
  ),
  output: object({
    ...containerSnapshot,
    events: maybe(list(timelineEntry)),
    _response_contract: responseContract,
  }),
  run: async ({ service, context }, input) => {
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
