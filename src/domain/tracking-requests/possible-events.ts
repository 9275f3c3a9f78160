/** For each kind of event of a request: the statuses in which it can happen. In any other status it changes nothing. */

const searched = ['pending', 'awaiting_manifest'] as const
const unended = ['pending', 'awaiting_manifest', 'created'] as const

export const possibleIn = {
  retry_scheduled: searched,
  line_ruled_out: searched,
  line_put_off: searched,
  line_passed_over: searched,
  last_resort_asked: searched,
  line_detected: searched,
  other_kinds_tried: searched,
  kind_ruled_out: searched,
  kind_found: searched,
  kinds_exhausted: searched,
  manifest_awaited: searched,
  manifest_asked_again: searched,
  message_awaited: searched,
  created: searched,
  failed: searched,
  line_asked: unended,
  facts_noted: ['created', 'tracking_stopped'],
  tracking_stopped: ['created'],
  tracking_resumed: ['tracking_stopped'],
} as const
