/** Issues of last free days that differ. They do not come from the ledger: a row is there while the days differ. */

import type { Db } from '../../db/database.ts'

export interface ChargeIssue {
  readonly id: string
  readonly containerId: string
  readonly shipmentId: string
  readonly scac: string
  readonly kind: string
  readonly claimId: string
  readonly detail: string
}

/**
 * Afterwards these containers have exactly these issues. An issue that existed already keeps the time when it was first
 * seen.
 */
export async function replaceChargeIssues(
  db: Db,
  of: {
    readonly accountId: string
    readonly containerIds: readonly string[]
    readonly issues: readonly ChargeIssue[]
    readonly at: string
  },
): Promise<void> {
  const { accountId, containerIds, issues, at } = of
  await db.query({
    name: 'charge_issues_settle',
    text: `with said as (
             select * from jsonb_to_recordset($3::jsonb)
               as t (id uuid, "containerId" uuid, "shipmentId" uuid, scac text, kind text, "claimId" uuid, detail text)
           ), over as (
             delete from charge_issues g
              where g.account_id = $1 and g.container_id = any($2::uuid[]) and g.id not in (select id from said)
             returning g.id
           ), closed as (
             delete from issues i using over where i.account_id = $1 and i.id = over.id
           ), noted as (
             insert into charge_issues (account_id, container_id, id)
             select $1, "containerId", id from said
             on conflict (account_id, container_id, id) do nothing
           )
           insert into issues (account_id, id, shipment_id, scac, kind, claim_id, detail, lost, first_at, last_at)
           select $1, id, "shipmentId", scac, kind, "claimId", detail, 'nothing', $4, $4 from said
           on conflict (account_id, id) do update set detail = excluded.detail, last_at = excluded.last_at
            where issues.detail <> excluded.detail`,
    values: [accountId, containerIds, JSON.stringify(issues), at],
  })
}
