/**
 * `get_container_raw_events`: all statements of every source about a container, verbatim, including what it withdrew.
 */

import { getContainer } from '../../modules/containers/get-container.ts'
import { listRawEvents } from '../../modules/provenance/list-raw-events.ts'
import type { RawEventReading } from '../../modules/provenance/raw-events-sql.ts'
import { Type } from '../../platform/json-schema.ts'
import { fitLastRows } from '../lists/fit-rows.ts'
import { markForeignText, markUnlessCode } from '../presenters/fence.ts'
import { writeInstant, writeTime } from '../presenters/local-time.ts'
import { placeSchema, vesselSchema, writePlace, writeVessel } from '../presenters/places.ts'
import { closed, id, newest } from '../tool/inputs.ts'
import { type Members, schemaOf, writeMembers } from '../tool/members.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { flag, list, number, object, text, textOrNull } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

const rawEvent: Members<RawEventReading> = {
  index: [number, ({ index }) => index],
  classifier: [text, ({ observation }) => observation.classifier],
  code: [textOrNull, ({ observation }) => observation.code],
  original_event: [textOrNull, ({ observation }) => markForeignText(observation.original)],
  time: [textOrNull, ({ observation: { time, place } }) => writeTime(time, place.timeZone)],
  timezone: [textOrNull, ({ observation }) => observation.place.timeZone],
  place: [placeSchema, ({ observation }) => writePlace(observation.place)],
  vessel: [vesselSchema, ({ observation }) => writeVessel(observation.vessel)],
  voyage_number: [textOrNull, ({ observation }) => markUnlessCode(observation.voyage)],
  said_by: [text, ({ sourceKind }) => sourceKind],
  source: [text, ({ sourceCode }) => markUnlessCode(sourceCode)],
  read_at: [text, ({ recordedAt }) => writeInstant(recordedAt, null)],
  withdrawn_at: [textOrNull, ({ retiredAt }) => retiredAt && writeInstant(retiredAt, null)],
}

export const getContainerRawEvents = defineTool({
  name: 'get_container_raw_events',
  title: 'Get what sources said about a container',
  about: 'Every statement of every source in its own words, also withdrawn ones.',
  effect: 'read',
  input: Type.Object(
    {
      id,
      standing_only: Type.Optional(Type.Boolean({ description: 'Leave out what was withdrawn.' })),
      page_size: newest,
    },
    closed,
  ),
  ids: { id: 'container' },
  output: object({
    total_events: number,
    is_cut: flag,
    raw_events: list(schemaOf(rawEvent)),
    _response_contract: responseContract,
  }),
  run: async ({ service, context }, input) => {
    await getContainer(service, context, input)
    const found = await listRawEvents(service, context, { containerIds: [input.id] })
    const events = found
      .map(({ event }) => event)
      .filter(({ retiredAt }) => input.standing_only !== true || retiredAt === null)
    const rows = events.map((event) => writeMembers(rawEvent, event))
    const shown = fitLastRows(rows, { size: input.page_size, besides: 300 })
    return makeResult(
      {
        total_events: rows.length,
        is_cut: rows.length > shown.length,
        raw_events: shown,
        _response_contract: writeContract(),
      },
      {
        presentation:
          'Say who said what and when it was read. ACT happened; EST and PLN are expectations. `is_cut`: only the newest; `page_size` shows more.',
        tools: ['explain_value'],
      },
    )
  },
})
