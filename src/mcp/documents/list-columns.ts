/** `landfall://docs/list-display-columns`: which columns of each list to show to a person, and under which heading. */

const columns = {
  list_shipments: [
    ['billOfLading', 'Bill of lading'],
    ['status', 'Status'],
    ['scac', 'Line'],
    ['portOfLading.name', 'From'],
    ['portOfDischarge.name', 'To'],
    ['podEta', 'Arrival expected'],
    ['podAta', 'Arrived'],
    ['containerCount', 'Containers'],
  ],
  list_containers: [
    ['number', 'Container'],
    ['status', 'Status'],
    ['pod_terminal', 'Terminal'],
    ['pod_arrived_at', 'Arrived'],
    ['pickup_lfd', 'Last free day'],
    ['earliest_lfd', 'The earliest that a source gave'],
    ['urgency', 'Urgency'],
    ['available_for_pickup', 'Available'],
    ['shipment.bill_of_lading', 'Bill of lading'],
  ],
  'list_containers, view: full': [
    ['containerNumber', 'Container'],
    ['status', 'Status'],
    ['podTerminal.name', 'Terminal'],
    ['podArrivedAt', 'Arrived'],
    ['earliestLfd', 'Last free day'],
    ['urgency', 'Urgency'],
    ['availableForPickup', 'Available'],
  ],
  list_tracking_requests: [
    ['requestNumber', 'Number'],
    ['requestType', 'Kind'],
    ['scac', 'Line'],
    ['status', 'Status'],
    ['failedReason', 'Reason'],
    ['createdAt', 'Asked'],
  ],
  webhook_health: [
    ['event', 'Event'],
    ['lastStatusCode', 'Answer'],
    ['attempts', 'Attempts'],
    ['createdAt', 'Since'],
  ],
} as const

export function writeListColumns(): string {
  const lists = Object.entries(columns).map(([list, pairs]) => [
    list,
    pairs.map(([path, heading]) => ({ path, heading })),
  ])
  return JSON.stringify({ lists: Object.fromEntries(lists), empty: '–', unknown: 'unknown' }, null, 2)
}
