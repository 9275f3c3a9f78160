/** What people know a container, shipment or request by, for a line of the list of entries. */

import type { Db } from '../../db/database.ts'
import { customerNameSql } from '../../db/listing/customer-name.ts'

export interface EntrySubject {
  readonly id: string
  /** Of the container, the bill of lading or the request. */
  readonly number: string
  readonly scac: string | null
  /** Null for a request. */
  readonly billOfLadingNumber: string | null
  readonly refNumbers: readonly string[]
  readonly customerName: string | null
  /** UN/LOCODE of the port of discharge. */
  readonly pod: string | null
}

export async function listEntrySubjects(
  db: Db,
  { accountId, ids }: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly EntrySubject[]> {
  const { rows } = await db.query<EntrySubject>({
    name: 'attention_entry_subjects',
    text: `select c.id, c.number, s.scac, s.bill_of_lading_number as "billOfLadingNumber", s.ref_numbers as "refNumbers",
                  ${customerNameSql('s')} as "customerName", s.pod
             from containers c join shipments s on s.account_id = $1 and s.id = c.shipment_id
            where c.account_id = $1 and c.id = any($2::uuid[])
           union all
           select s.id, s.bill_of_lading_number, s.scac, s.bill_of_lading_number, s.ref_numbers, ${customerNameSql('s')}, s.pod
             from shipments s where s.account_id = $1 and s.id = any($2::uuid[])
           union all
           select t.id, t.request_number, t.scac, null, t.ref_numbers, ${customerNameSql('t')}, null
             from tracking_requests t where t.account_id = $1 and t.id = any($2::uuid[])`,
    values: [accountId, ids],
  })
  return rows
}
