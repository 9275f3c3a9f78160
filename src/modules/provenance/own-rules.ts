/**
 * Where those values come from that no source states: from the request, from users, from the place, or from Landfall
 * itself.
 */

const zone = 'The time zone of that place in the reference data; null if it is unknown.'
const users = 'The last value that users of the account wrote. The history says who and when.'
const line = 'The carrier that was asked. Its names come from the reference data.'
const polledRule = 'When Landfall last asked the carrier. Every question counts, also one without new data.'
const first = 'The first announced estimate. It does not change with later statements.'
const tracking = 'Decided by the rules of tracking, or by a user. The history says which and when.'
const recorded = 'When Landfall first recorded it.'
const statedRule =
  'When it last stated something about this container: the time of writing in its message, else the time of receipt. Null if it never has.'

export const ownRules = {
  shipment: {
    bill_of_lading_number:
      'The number with which the shipment was created: as the caller sent it, or as the carrier named it.',
    normalized_number: 'The same number, without the prefix of the carrier if the prefix is not a part of it.',
    ref_numbers: users,
    tags: users,
    created_at: recorded,
    shipping_line_scac: line,
    shipping_line_name: line,
    shipping_line_short_name: line,
    customer_name: 'The party that the first request with a party named. It is shown with its present name.',
    pol_original_etd_at: first,
    pod_original_eta_at:
      'The first arrival that was predicted for this port. It does not change with later statements. Null if there was no prediction before the ship came.',
    destination_original_eta_at: first,
    line_tracking_last_attempted_at: polledRule,
    line_tracking_last_succeeded_at: polledRule,
    line_tracking_stopped_at: tracking,
    line_tracking_stopped_reason: tracking,
  },
  container: {
    number: 'As the caller sent it, or as a source named it.',
    ref_numbers: users,
    created_at: recorded,
    pod_timezone: zone,
    final_destination_timezone: zone,
    empty_terminated_timezone: zone,
    shipment_last_tracking_request_at: polledRule,
    terminal_checked_at: `Any terminal. ${statedRule}`,
    pod_last_tracking_request_at: `The terminal at the port of discharge. ${statedRule}`,
    rail_last_tracking_request_at: `Any railway. ${statedRule}`,
  },
} as const
