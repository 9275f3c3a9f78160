/**
 * The rows that the ledger yields, as they are written: complete, with the names of the columns, into whatever tables
 * the session sees.
 */

export const foldColumns = {
  shipments: `id, scac, bill_of_lading_number, normalized_number, ref_numbers, tags, customer_id, projection,
              tracking_stopped_at, tracking_stopped_reason, timer_at, rules, created_at, updated_at, container_ids,
              container_statuses`,
  tracking_requests: `id, request_type, request_number, number, scac, subject_id, shipment_id, status, failed_reason, lifecycle,
              is_retrying, retry_count, ref_numbers, shipment_tags, customer_id, has_initial_fields, timer_at,
              created_at, updated_at`,
  containers: `id, shipment_id, scac, number, trip, status, ref_numbers, projection, created_at, updated_at`,
  claims: `id, subject_id, shipment_id, source_kind, source_code, source_key, equipment, observation,
              first_snapshot_id, gone_snapshot_id, reader, read_at, recorded_at, stands_at, hand,
              delivery_key, missing_since, retired_at`,
  issues: `id, subject_id, shipment_id, snapshot_id, kind, detail, claim_id, times, first_at, last_at, scac,
              tracking_request_id, page, path, lost`,
  transport_events: `id, shipment_id, container_id, event, call_key, occurs_at, time_zone, unlocode, terminal_id, vessel_imo,
              vessel_name, voyage_number, data_source, value, source_claim_id, previous_version_id, milestone,
              created_at, invalidated_at`,
  events: `id, name, reference_type, reference_id, tracking_request_id, shipment_id, container_id, payload, created_at`,
} as const

export type FoldTableName = keyof typeof foldColumns

/** The same with the names of columns: `refNumbers` becomes `ref_numbers`. */
export function toColumnRecord(row: object): Readonly<Record<string, unknown>> {
  const record: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) record[columnOf(name)] = value
  return record
}

const columns = new Map<string, string>()

function columnOf(name: string): string {
  const known = columns.get(name)
  if (known !== undefined) return known
  const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columns.set(name, column)
  return column
}
