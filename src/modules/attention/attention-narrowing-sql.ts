/** To which shipments and requests a question about exceptions is limited, and what of it is left out. */

import { type Binder, bindValues } from '../../db/listing/conditions.ts'
import { entitiesWith, type FieldCondition } from '../../db/listing/field-conditions.ts'
import { isRepeatedContainerSql, isRepeatedShipmentSql } from '../shipments/same-cargo-sql.ts'

/** Null, or left out: no condition. */
export interface AttentionNarrowing {
  readonly shipmentIds?: readonly string[] | null
  readonly requestIds?: readonly string[] | null
  readonly scac?: string | null
  readonly customerId?: string | null
  /** All of these tags. */
  readonly tags?: readonly string[] | null
  /** UN/LOCODE of the port of discharge. A failed request has none. */
  readonly pod?: string | null
  /** Terminal at the port of discharge: of the container, or of one container of the shipment. A failed request has none. */
  readonly terminalId?: string | null
  /** Values of custom fields of the shipment, all of them. */
  readonly fields?: readonly FieldCondition[] | null
  /** These containers, shipments or requests. */
  readonly subjectIds?: readonly string[] | null
  /** Leaves out what this alert rule has sent, or will send. */
  readonly untoldBy?: string | null
  /** `out` leaves out what is set aside, `only` shows nothing else. */
  readonly snoozed?: 'out' | 'only' | 'all'
}

export interface AttentionQuestion extends AttentionNarrowing {
  readonly accountId: string
  /** ISO instant on the clock of the account's journeys. */
  readonly now: string
  /** ISO instant on the real clock: until when something is set aside is counted on it. */
  readonly realNow: string
  readonly limit: number
}

interface Columns {
  readonly subject: string
  readonly shipment: string
  readonly scac: string
  readonly customer: string
  readonly tags: string
  /** Null where there is no such column, so that no row can match. */
  readonly pod: string | null
  /** The condition that its cargo is listed under its bill. */
  readonly isRepeated: string | null
  /** The condition that the terminal is this one. */
  readonly terminal: (id: string) => string
}

export const ofContainers: Columns = {
  subject: 'c.id',
  shipment: 'c.shipment_id',
  scac: 's.scac',
  customer: 's.customer_id',
  tags: 's.tags',
  pod: 's.pod',
  isRepeated: isRepeatedContainerSql('c'),
  terminal: (id) => `c.terminal_id = ${id}`,
}
export const ofShipments: Columns = {
  ...ofContainers,
  subject: 's.id',
  shipment: 's.id',
  isRepeated: isRepeatedShipmentSql('s'),
  terminal: (id) =>
    `s.id in (select b.shipment_id from containers b where b.account_id = $1 and b.terminal_id = ${id})`,
}
export const ofRequests: Columns = {
  subject: 't.id',
  shipment: 't.shipment_id',
  scac: 't.scac',
  customer: 't.customer_id',
  tags: 't.shipment_tags',
  pod: null,
  isRepeated: null,
  terminal: () => 'false',
}

/** The account is `$1`. */
export function createAttentionBinder({ accountId }: AttentionQuestion): Binder {
  return bindValues([accountId])
}

/** The conditions, each beginning with `and`. */
export function buildNarrowing(
  reason: string,
  question: AttentionQuestion,
  { columns, bind }: { readonly columns: Columns; readonly bind: Binder['bind'] },
): string {
  const texts: string[] = []
  const { shipmentIds, requestIds, subjectIds, snoozed = 'out' } = question
  const isOfRequests = columns === ofRequests
  if (columns.isRepeated !== null) texts.push(`not ${columns.isRepeated}`)
  if (shipmentIds || requestIds) {
    const byShipment = `${columns.shipment} = any(${bind(shipmentIds ?? [])}::uuid[])`
    texts.push(isOfRequests ? `(${byShipment} or t.id = any(${bind(requestIds ?? [])}::uuid[]))` : byShipment)
  }
  if (subjectIds) texts.push(`${columns.subject} = any(${bind(subjectIds)}::uuid[])`)
  if (question.scac) texts.push(`${columns.scac} = ${bind(question.scac)}`)
  if (question.customerId) texts.push(`${columns.customer} = ${bind(question.customerId)}`)
  if (question.tags?.length) texts.push(`${columns.tags} @> ${bind(question.tags)}::text[]`)
  if (question.pod) texts.push(columns.pod === null ? 'false' : `${columns.pod} = ${bind(question.pod)}`)
  if (question.terminalId) texts.push(columns.terminal(bind(question.terminalId)))
  for (const field of question.fields ?? []) texts.push(`${columns.shipment} in ${entitiesWith(field, bind)}`)
  if (question.untoldBy)
    texts.push(`not exists (select from alert_told a where a.account_id = $1 and a.rule_id = ${bind(question.untoldBy)}
                             and a.reason = ${bind(reason)} and a.subject_id = ${columns.subject})`)
  if (snoozed !== 'all')
    texts.push(`${snoozed === 'out' ? 'not ' : ''}exists (select from attention_snoozes z where z.account_id = $1
                             and z.reason = ${bind(reason)} and z.subject_id = ${columns.subject} and z.until > ${bind(question.realNow)})`)
  return texts.map((text) => `\n and ${text}`).join('')
}
