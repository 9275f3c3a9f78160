/**
 * The tools that may be answered from a read replica: those that write nothing and decide nothing by what they read.
 * The meaning of a number, and which lines can be tracked, is needed before a change, so it is read at the primary
 * (docs/decisions/0043).
 */
export const replicaTools: ReadonlySet<string> = new Set([
  'attention',
  'explain_value',
  'fetch',
  'get_charges',
  'get_container',
  'get_container_raw_events',
  'get_container_route',
  'get_container_transport_events',
  'get_scorecard',
  'get_shipment_details',
  'get_vessel',
  'list_containers',
  'list_documents',
  'list_invoice_audits',
  'list_parties',
  'list_shipments',
  'list_tracking_requests',
  'search',
  'search_container',
  'search_docs',
  'summarize_containers',
  'verify_answer',
  'webhook_health',
  'what_changed',
  'whoami',
])
