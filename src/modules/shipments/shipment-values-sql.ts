/** The values of a shipment, a row `s`, on which the filters of the v2 API make demands. */

import type { FilterableValues } from '../../db/listing/demands.ts'

const callTimeSql = (name: 'portOfDischarge' | 'destination', time: 'eta' | 'ata'): string =>
  `moment_of(s.projection #> '{${name},${time}}', s.projection #>> '{${name},place,timeZone}')`
const atPod = `coalesce(${callTimeSql('portOfDischarge', 'ata')}, ${callTimeSql('portOfDischarge', 'eta')})`
const atEnd = `coalesce(${callTimeSql('destination', 'ata')}, ${callTimeSql('destination', 'eta')})`
const isOnDaySql = (moment: string): string => `(${moment} at time zone 'UTC')::date = $`

export const shipmentValues = {
  created_at: { kind: 'moments', sql: 's.created_at' },
  actively_tracked: {
    kind: 'flag',
    ifTrue: 's.tracking_stopped_at is null',
    ifFalse: 's.tracking_stopped_at is not null',
  },
  voyage_status: {
    kind: 'codes',
    sql: `case when s.projection #>> '{portOfDischarge,ata,kind}' is not null then 'arrived'
               when s.projection ->> 'podVoyage' is not null then 'on_ship' end`,
  },
  arriving_today: { kind: 'selector', ifTrue: `(${isOnDaySql(atPod)} or ${isOnDaySql(atEnd)})` },
  pod_ata_at: { kind: 'momentDays', sql: callTimeSql('portOfDischarge', 'ata') },
  pod_arrival: { kind: 'momentDays', sql: atPod },
  pod_code: { kind: 'codes', sql: 's.pod' },
  pol_code: { kind: 'codes', sql: 's.pol' },
  pod_terminal_id: {
    kind: 'codes',
    sql: `array(select c.terminal_id from containers c where c.account_id = s.account_id and c.shipment_id = s.id)`,
    isArray: true,
  },
  creator_id: { kind: 'names', sql: 's.account_id::text' },
  customer_id: { kind: 'names', sql: 'coalesce(s.customer_id, s.account_id)::text', present: 's.customer_id' },
} as const satisfies FilterableValues
