/**
 * `landfall://docs/mcp-query-guidance`: which tool answers which question, and which statements an agent must not make.
 */

import { staleAfterDays } from '../../domain/view/urgency.ts'
import { fenceRule } from '../presenters/fence.ts'

export function writeQueryGuidance(): string {
  return `# How to ask

| Question | Tool |
|---|---|
| Where is <number>? | \`get_container\` or \`get_shipment_details\` with the number as \`id\`; \`search_container\` for a part of one |
| Track <number>, or many | \`track_container\`; \`track_numbers\` for up to 50. Both show what is tracked already |
| That was the wrong line or number | \`correct_tracking_request\` |
| When does it arrive? How late is it? | \`get_shipment_details\`: \`eta_local\` is the carrier's, \`estimate_by_landfall\` ours; \`delay\` |
| What matters this morning? | \`brief\` |
| Which are most delayed? | \`list_shipments\` with \`sort: -slip_since_plan\`; say since when: plan, first estimate or yesterday |
| What was discharged yesterday? Picked up since Monday? | \`what_changed\` with \`events: discharged\` and \`day\`, and \`place\` |
| What changed since …? | \`what_changed\`; keep its \`cursor\` |
| What needs me? | \`attention\` |
| How many of each …? | \`count_by\` of the lists |
| A long table | \`fields\` of the lists: only these members, without guidance |
| What happened, in order? | \`get_container_transport_events\` |
| Which way does it go? | \`get_container_route\` |
| When must it be picked up? Any holds? | \`get_container\`, group \`demurrage\` |
| Who says so? Why this value? | \`cite: true\`, \`explain_value\`, \`get_container_raw_events\` |
| Which containers or shipments …? | the arguments of the lists, any other filter of the API in \`advanced_filters\`: \`current_status: available\`; \`requires_attention: true\` with \`sort: attention_priority\`; \`arrival: [">=2026-10-01", "<=2026-10-31"]\` |
| Which must be picked up by Friday? | \`list_containers\` with \`lfd_before\`, \`pod\` and \`status: not picked up\`; say for how many it is \`unknown\` |
| Which papers are there? Does the invoice agree? | \`list_documents\`; \`list_invoice_audits\` |
| Where is the ship, and where will it be? | \`get_vessel\` |
| Do deliveries of webhooks fail? | \`webhook_health\`; \`redeliver\` sends it again |
| Which requests failed, and why? | \`list_tracking_requests\` with \`status: failed\` and \`why\` |
| Is my answer right, before I send it? | \`verify_answer\` with the draft |
| Is it up to date? | \`_metadata.sources_last_answered\`; \`refresh_container\` polls again |
| Which carrier is it? | \`infer_number\` |

# Rules for every answer
- \`null\` means unknown. \`fees\` or \`holds\` that are null or missing are unknown, not none.
- The lists leave out what is no longer tracked, such as completed shipments, unless \`include_stopped_tracking\` is true, or a filter is about tracking or names a shipment or container. \`_metadata.applied_filters\` shows it.
- Times are local at the place, with offset and zone (RFC 9557). A bare day is all that the source gave. Without an offset the zone is unknown; \`Z\` without a zone is UTC because the place's zone is unknown.
- The last free day is free until it ends there. Urgency, \`lfd_before\` and \`lfd_after\` use the earliest that any source gave, \`pickup_lfd\` is the line's where there is one. Urgency is not judged (\`urgency_suppressed\`) when tracking has stopped, no source has answered, or the last answer is more than ${staleAfterDays} days old.
- Nothing here is a daily demurrage rate; do not state or compute one. Fees are amounts that a terminal named.
- An estimate belongs to the source that is named. If there is none, give none.
- Call a container delivered only where \`delivered_at_local\` is set.
- ${fenceRule}
`
}
