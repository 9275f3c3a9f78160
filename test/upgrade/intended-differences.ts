/**
 * What may differ between a stored installation and the same one after an upgrade, and why: the only place. If you
 * change an answer on purpose, add a line here; a line that occurs in no stored installation fails the test.
 */

export interface IntendedDifference {
  /**
   * What differs, without ids: `wire shipment.attributes.pod_eta_at`, `wire shipment.relationships.ports`,
   * `row webhooks.headers`, `fold containers.projection`. A `*` at the end matches any text.
   */
  readonly what: string
  /** The reason, as users of an upgraded installation need it. */
  readonly because: string
}

export const intendedDifferences: readonly IntendedDifference[] = [
  {
    what: 'row search_entries.body',
    because:
      'A shipment is also found by the bill and the booking that its carrier names, and by the bills of its booking.',
  },
  {
    what: 'row charge_tallies.is_asked',
    because: 'Each tally is made again once, so that its container gets the last free day by the terms.',
  },
  {
    what: 'wire shipping_line.attributes.provided_data',
    because: 'It says what this installation can have of the line; it promised weights that no source tells.',
  },
  {
    what: 'wire shipping_line.attributes.bill_of_lading_tracking_support',
    because: 'Support is told for the numbers that this installation has access to ask by, not for all the line has.',
  },
  {
    what: 'wire shipping_line.attributes.booking_number_tracking_support',
    because: 'Support is told for the numbers that this installation has access to ask by, not for all the line has.',
  },
  {
    what: 'wire shipping_line.attributes.container_number_tracking_support',
    because: 'Support is told for the numbers that this installation has access to ask by, not for all the line has.',
  },
  {
    what: 'wire transport_event.attributes.data_source',
    because: 'The contract has no word for the customer; `meta.data_source` says it.',
  },
  {
    what: 'wire shipment_eta.attributes.current',
    because: "Our own estimate is withdrawn when the ship's position is older than its range allows.",
  },
  {
    what: 'wire raw_event.attributes.event',
    because: 'The receipt of a verified gross mass has its name, `vgm_received`; it had none.',
  },
  ...[
    'raw_events',
    'container.relationships.raw_events',
    'raw_event.attributes.index',
    'raw_event.attributes.invalidated_at',
  ].map((what) => ({
    what: `wire ${what}`,
    because:
      'What a source told in several ways is one raw event, which stands as long as the source says it in one of them.',
  })),
  {
    what: 'wire tracking_attempt.attributes.outcome_meaning',
    because: 'The sentence is in plainer words; `outcome` is the same.',
  },
  {
    what: 'wire inbound_message.attributes.parts',
    because: 'The shipments that used a part are in a fixed order; they came in any order.',
  },
  ...['shipments.projection', 'containers.projection'].map((column) => ({
    what: `fold ${column}`,
    because:
      'Until the repair after an upgrade has taken it over: the last ETA stays beside the arrival, with its claim.',
  })),
  ...['shipments.updated_at', 'containers.updated_at', 'tracking_requests.lifecycle'].map((column) => ({
    what: `fold ${column}`,
    because:
      'Until the repair after an upgrade has taken it over: the first statement of a last free day changes a container, also where another statement is believed.',
  })),
  ...['transport_events', 'events', 'events.ordinal'].map((table) => ({
    what: `fold ${table}`,
    because:
      'Until the repair after an upgrade has taken it over: a ship’s call at which nothing is handled is no transshipment.',
  })),
]
