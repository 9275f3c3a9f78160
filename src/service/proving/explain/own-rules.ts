/**
 * Where those values come from that no source states: from the request, from users, from the place, or from Landfall
 * itself.
 */

const zone = 'The zone of that place in the reference data; null where it is unknown.'
const users = 'What users of the account last wrote; the history says who and when.'
const line = 'The line that was asked; its names are reference data.'
const looked = 'When Landfall last asked the line; every look counts, also one that brought nothing new.'
const first = 'The first estimate that was ever announced stays, whatever is said later.'
const tracking = 'Decided by the rules of tracking, or by a user; the history says which and when.'
const recorded = 'When Landfall first recorded it.'
const spoke =
  'When it last spoke of this container: as its message says that it was written, else when it came. Null when it never has.'

export const ownRules = {
  shipment: {
    bill_of_lading_number:
      'The number under which the shipment was made: as it was asked for, or as the line named it.',
    normalized_number: 'The same number, without the prefix of the line where that is no part of it.',
    ref_numbers: users,
    tags: users,
    created_at: recorded,
    shipping_line_scac: line,
    shipping_line_name: line,
    shipping_line_short_name: line,
    customer_name: 'The party that the first request with one named; its name is as it is now.',
    pol_original_etd_at: first,
    pod_original_eta_at:
      'The first arrival that was ever foretold for this port stays, whatever is said later; null when none was while the ship was awaited.',
    destination_original_eta_at: first,
    line_tracking_last_attempted_at: looked,
    line_tracking_last_succeeded_at: looked,
    line_tracking_stopped_at: tracking,
    line_tracking_stopped_reason: tracking,
  },
  container: {
    number: 'As it was asked for, or as a source named it.',
    ref_numbers: users,
    created_at: recorded,
    pod_timezone: zone,
    final_destination_timezone: zone,
    empty_terminated_timezone: zone,
    shipment_last_tracking_request_at: looked,
    terminal_checked_at: `Any terminal. ${spoke}`,
    pod_last_tracking_request_at: `The terminal at the port of discharge. ${spoke}`,
    rail_last_tracking_request_at: `Any railway. ${spoke}`,
  },
} as const
