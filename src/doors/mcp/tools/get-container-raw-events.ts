/** `get_container_raw_events`: what every source said about a container, word for word, including what it withdrew. */

import { Type } from '../../../platform/json-schema.ts'
import { listRawEvents } from '../../../service/proving/raw-events/list-raw-events.ts'
import { getContainer } from '../../../service/tracking/containers/get-container.ts'
import { closed, id } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { flag, list, number, object, text, textOrNull } from '../tool/schema.ts'
import { result, tool } from '../tool/tool.ts'
import { fence, fenceUnlessCode } from '../words/fence.ts'
import { writeInstant, writeTime } from '../words/local-time.ts'
import { placeSchema, vesselSchema, writePlace, writeVessel } from '../words/places.ts'

const eventsMax = 200

export const getContainerRawEvents = tool({
  name: 'get_container_raw_events',
  title: 'Get what sources said of a container',
  about: 'Every statement of every source in its own words, also withdrawn ones.',
  effect: 'read',
  input: Type.Object(
    {
      id,
      standing_only: Type.Optional(Type.Boolean({ description: 'Leave out what was withdrawn.' })),
    },
    closed,
  ),
  ids: { id: 'container' },
  output: object({
    total_events: number,
    is_cut: flag,
    raw_events: list(
      object({
        index: number,
        classifier: text,
        code: textOrNull,
        original_event: textOrNull,
        time: textOrNull,
        timezone: textOrNull,
        place: placeSchema,
        vessel: vesselSchema,
        voyage_number: textOrNull,
        said_by: text,
        source: text,
        read_at: text,
        withdrawn_at: textOrNull,
      }),
    ),
    _response_contract: responseContract,
  }),
  run: async ({ service, context }, input) => {
    await getContainer(service, context, input)
    const found = await listRawEvents(service, context, { containerIds: [input.id] })
    const events = found
      .map(({ event }) => event)
      .filter(({ retiredAt }) => input.standing_only !== true || retiredAt === null)
    return result(
      {
        total_events: events.length,
        is_cut: events.length > eventsMax,
        raw_events: events.slice(-eventsMax).map(({ observation, ...event }) => ({
          index: event.index,
          classifier: observation.classifier,
          code: observation.code,
          original_event: fence(observation.original),
          time: writeTime(observation.time, observation.place.timeZone),
          timezone: observation.place.timeZone,
          place: writePlace(observation.place),
          vessel: writeVessel(observation.vessel),
          voyage_number: fenceUnlessCode(observation.voyage),
          said_by: event.sourceKind,
          source: fenceUnlessCode(event.sourceCode),
          read_at: writeInstant(event.recordedAt, null),
          withdrawn_at: event.retiredAt === null ? null : writeInstant(event.retiredAt, null),
        })),
        _response_contract: writeContract(),
      },
      {
        presentation: 'Say who said what and when it was read. ACT happened; EST and PLN are expectations.',
        tools: ['explain_value'],
      },
    )
  },
})
