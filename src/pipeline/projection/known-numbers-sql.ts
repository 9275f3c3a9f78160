/** By which numbers shipments and requests are known. Used to find the shipments of a message. */

import type { Db } from '../../db/database.ts'

export type DocumentKind = 'bill_of_lading' | 'booking'

export interface ShipmentDocument {
  readonly shipmentId: string
  readonly kind: DocumentKind
  readonly number: string
}

/**
 * Notes the numbers by which shipments and requests are known now. If any channel sends messages, or the account has documents, a search for messages and documents
 * of these numbers is planned for after the commit. So of this transaction and that of a message, the one
 * that commits second sees the other. Returns how many searches were planned.
 */
export async function noteNumbers(
  db: Db,
  of: {
    readonly accountId: string
    readonly documents: readonly ShipmentDocument[]
    readonly shipmentIds: readonly string[]
    readonly requestIds: readonly string[]
    readonly at: string
  },
): Promise<number> {
  if (of.documents.length + of.shipmentIds.length + of.requestIds.length === 0) return 0
  const { rowCount } = await db.query({
    name: 'known_numbers_note',
    text: `with documents as (
             insert into shipment_documents (account_id, number, kind, shipment_id)
             select $1, d.number, d.kind, d.shipment_id
               from unnest($2::text[], $3::text[], $4::uuid[]) as d (number, kind, shipment_id)
             on conflict do nothing
           )
           insert into joins (account_id, id, kind, noted_at)
           select $1, j.id, j.kind, $7
             from (select unnest($5::uuid[]), 'shipment' union all select unnest($6::uuid[]), 'request') as j (id, kind)
            where exists (select 1 from channels where is_told)
               or exists (select 1 from document_references where account_id = $1)
           on conflict do nothing`,
    values: [
      of.accountId,
      of.documents.map(({ number }) => number),
      of.documents.map(({ kind }) => kind),
      of.documents.map(({ shipmentId }) => shipmentId),
      of.shipmentIds,
      of.requestIds,
      of.at,
    ],
  })
  return rowCount ?? 0
}
