/**
 * `get_container_transport_events`: the milestones of a container in order, with their count for each means of
 * transport.
 */

import { getContainer } from '../../modules/containers/get-container.ts'
import { listTransportEvents } from '../../modules/transport-events/list-transport-events.ts'
import { Type } from '../../platform/json-schema.ts'
import { bytesOf, fitLastRows } from '../lists/fit-rows.ts'
import { categoryOf, eventCategories, timelineEntry, writeTimeline } from '../presenters/timeline.ts'
import { closed, id, newest } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { list, number, object, optional, text } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

export const getContainerTransportEvents = defineTool({
  name: 'get_container_transport_events',
  title: 'Get the milestones of a container',
  about: 'Everything that happened or is expected, in order, with local times.',
  effect: 'read',
  input: Type.Object({ id, page_size: newest }, closed),
  ids: { id: 'container' },
  output: object({
    total_events: number,
    event_categories: object(Object.fromEntries(eventCategories.map((category) => [`${category}_events`, number]))),
    timeline: list(timelineEntry),
    left_off: optional(number),
    milestones: Type.Unsafe({ type: 'object', additionalProperties: { type: 'string' } }),
    _metadata: object({ presentation_guidance: text }),
    _response_contract: responseContract,
  }),
  run: async ({ service, context }, input) => {
    await getContainer(service, context, input)
    const events = await listTransportEvents(service, context, { containerIds: [input.id] })
    const timeline = writeTimeline(events)
    const counts = eventCategories.map((category) => [
      `${category}_events`,
      events.filter(({ event }) => categoryOf(event) === category).length,
    ])
    const milestones = milestonesOf(timeline)
    const shown = fitLastRows(timeline, { size: input.page_size, besides: bytesOf(milestones) + 600 })
    const left = timeline.length - shown.length
    const presentation_guidance = `Tell in order of time. \`container.transport.estimated.*\` are expectations, not facts.${left === 0 ? '' : ` The ${left} earliest are left off: \`page_size\` shows them, and \`milestones\` has their times.`}`
    return makeResult(
      {
        total_events: events.length,
        event_categories: Object.fromEntries(counts),
        timeline: shown,
        ...(left === 0 ? {} : { left_off: left }),
        milestones,
        _metadata: { presentation_guidance },
        _response_contract: writeContract(),
      },
      { presentation: presentation_guidance, tools: ['get_container_raw_events', 'explain_value'] },
    )
  },
})

/** The last local time of each milestone, under names such as `vessel_arrived_at`. */
function milestonesOf(timeline: ReturnType<typeof writeTimeline>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    timeline.flatMap(({ event, local }) => {
      const name = /^container\.transport\.([a-z_]+)$/.exec(event)?.[1]
      return name === undefined || local === null ? [] : [[`${name}_at`, local]]
    }),
  )
}
