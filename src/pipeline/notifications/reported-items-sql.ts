/** Items that alert rules have reported, or will report with their next daily message. */

import type { Db } from '../../db/database.ts'
import type { AttentionItem, ItemKey } from '../../domain/view/attention-item.ts'

interface RuleKey {
  readonly accountId: string
  readonly ruleId: string
}

export interface ReportedItem extends ItemKey {
  readonly shipmentId: string | null
  readonly text: string
}

const columns = `reason, subject_id as "subjectId", shipment_id as "shipmentId", text`

/** `reportedAt`: null while they wait for the daily message. Returns the ids of those that are new to the rule. */
export async function insertReportedItems(
  db: Db,
  { accountId, ruleId }: RuleKey,
  put: {
    readonly items: readonly (Pick<AttentionItem, 'reason' | 'shipmentId' | 'text'> & ItemKey)[]
    readonly now: string
    readonly reportedAt: string | null
  },
): Promise<ReadonlySet<string>> {
  const { items } = put
  const { rows } = await db.query<ItemKey>({
    name: 'alert_told_insert',
    text: `insert into alert_told (account_id, rule_id, reason, subject_id, shipment_id, text, found_at, checked_at, told_at)
           select $1, $2, i.reason, i.subject_id, i.shipment_id, i.text, $7, $7, $8
             from unnest($3::text[], $4::uuid[], $5::uuid[], $6::text[]) as i (reason, subject_id, shipment_id, text)
           on conflict do nothing
           returning reason, subject_id as "subjectId"`,
    values: [
      accountId,
      ruleId,
      items.map(({ reason }) => reason),
      items.map(({ subjectId }) => subjectId),
      items.map(({ shipmentId }) => shipmentId),
      items.map(({ text }) => text),
      put.now,
      put.reportedAt,
    ],
  })
  return new Set(rows.map(({ reason, subjectId }) => `${reason}.${subjectId}`))
}

/** Those of these shipments and requests. */
export async function listReportedItems(
  db: Db,
  { accountId, ruleId }: RuleKey,
  of: {
    readonly shipmentIds: readonly string[]
    readonly requestIds: readonly string[]
    readonly limit: number
  },
): Promise<readonly ReportedItem[]> {
  const { rows } = await db.query<ReportedItem>({
    name: 'alert_told_of_subjects',
    text: `select ${columns} from alert_told
            where account_id = $1 and rule_id = $2
              and (shipment_id = any($3::uuid[]) or subject_id = any($4::uuid[])) limit $5`,
    values: [accountId, ruleId, of.shipmentIds, of.requestIds, of.limit],
  })
  return rows
}

/** Those whose last check is longest ago. `isWaiting`: only those that wait for the daily message. */
export async function listItemsToCheck(
  db: Db,
  { accountId, ruleId }: RuleKey,
  of: { readonly before: string; readonly isWaiting: boolean; readonly limit: number },
): Promise<readonly ReportedItem[]> {
  const { rows } = await db.query<ReportedItem>({
    name: 'alert_told_to_check',
    text: `select ${columns} from alert_told
            where account_id = $1 and rule_id = $2 and checked_at < $3 and (not $4::boolean or told_at is null)
            order by checked_at limit $5`,
    values: [accountId, ruleId, of.before, of.isWaiting, of.limit],
  })
  return rows
}

/** Deletes those that are over; the others were checked now. */
export async function resolveReportedItems(
  db: Db,
  { accountId, ruleId }: RuleKey,
  checked: {
    readonly over: readonly ItemKey[]
    readonly active: readonly ItemKey[]
    readonly now: string
  },
): Promise<void> {
  const keys = (of: readonly ItemKey[]) => [of.map(({ reason }) => reason), of.map(({ subjectId }) => subjectId)]
  await db.query({
    name: 'alert_told_settle',
    text: `with gone as (
             delete from alert_told t using unnest($3::text[], $4::uuid[]) as k (reason, subject_id)
              where t.account_id = $1 and t.rule_id = $2 and t.reason = k.reason and t.subject_id = k.subject_id)
           update alert_told t set checked_at = $7 from unnest($5::text[], $6::uuid[]) as k (reason, subject_id)
            where t.account_id = $1 and t.rule_id = $2 and t.reason = k.reason and t.subject_id = k.subject_id`,
    values: [accountId, ruleId, ...keys(checked.over), ...keys(checked.active), checked.now],
  })
}

/** Marks the items that wait for the daily message as reported, and returns them in the order of finding. */
export async function reportWaitingItems(
  db: Db,
  { accountId, ruleId }: RuleKey,
  now: string,
): Promise<readonly ReportedItem[]> {
  const { rows } = await db.query<ReportedItem & { readonly foundAt: string }>({
    name: 'alert_told_take_waiting',
    text: `update alert_told set told_at = $3 where account_id = $1 and rule_id = $2 and told_at is null
           returning ${columns}, found_at as "foundAt"`,
    values: [accountId, ruleId, now],
  })
  return rows.toSorted((a, b) => (a.foundAt < b.foundAt ? -1 : 1))
}
