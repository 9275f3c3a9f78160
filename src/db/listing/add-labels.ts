/**
 * The conditions of a list on tags and a reference number. In the list's own order the list is read along the labels
 * (migration 0122). In another order, the rows that have them are gathered when they are few; otherwise each row is
 * compared.
 */

import type { Db } from '../database.ts'
import type { ConditionsMaker } from './conditions.ts'
import { findByValues, manyMin } from './find-by-values.ts'
import { areLabelled } from './unlabelled-accounts.ts'

/** Terms have the first hundred characters of a value. Its capitals can be more than its letters. */
const wholeMax = 30

/** `owner` begins the terms of the table's rows. `at`: the column that they are sorted by. */
const labelled = {
  shipments: { owner: 's', at: 'created_at' },
  containers: { owner: 'c', at: 'updated_at' },
  tracking_requests: { owner: 'q', at: 'created_at' },
} as const

/** One of these tags, or all of them. */
export interface TagFilter {
  readonly tags: readonly string[]
  readonly areAllNeeded: boolean
}

interface LabelFilter {
  readonly refNumber?: string | null | undefined
  readonly tags?: TagFilter | null | undefined
}

/** All of these tags. */
interface LabelValues {
  readonly refNumber: string | null
  readonly tags: readonly string[]
}

export interface Labels extends LabelFilter {
  readonly table: keyof typeof labelled
  readonly alias: string
  /** The column that the list is sorted by; null where it has no order. */
  readonly sortedBy: string | null
  readonly accountId: string
}

/** Returns the column of the order that labels have: their own, when the list is read along them. */
export async function addLabels(db: Db, conditions: ConditionsMaker, filter: Labels): Promise<string> {
  const { table, alias, sortedBy, accountId } = filter
  const { owner, at } = labelled[table]
  const column = `${alias}.${at}`
  const given = filter.tags?.tags ?? []
  const isEither = filter.tags?.areAllNeeded === false && given.length > 1
  if (isEither) await addAnyTag(db, conditions, { ...filter, tags: given })
  const [refNumber, tags] = [filter.refNumber || null, isEither ? [] : given]
  if (refNumber === null && tags.length === 0) return column
  const labelValues = { refNumber, tags }
  if (!(await areLabelled(db, accountId))) {
    await addByValues(db, conditions, { ...filter, ...labelValues })
    return column
  }
  const isAlong = sortedBy === at
  if (isAlong) for (const term of termsOf(owner, conditions.bind, labelValues)) conditions.addLabel(term)
  const few = isAlong ? null : await findRowsWithLabels(db, { owner, accountId, labelValues, areAllNeeded: true })
  conditions.addFew(`${alias}.id`, few)
  const isCut = [refNumber ?? '', ...tags].some((value) => value.length > wholeMax)
  if (isCut || (!isAlong && few === null)) addLabelComparisons(conditions, { table, alias, ...labelValues })
  return isAlong ? 'l0.at' : column
}

/** As `labels_of` in the database writes them. */
function termsOf(owner: string, bind: (value: unknown) => string, { refNumber, tags }: LabelValues): readonly string[] {
  const ofTags = [...new Set(tags)].map((tag) => `('${owner}t' || left(${bind(tag)}::text, 100))`)
  return refNumber ? [`('${owner}r' || left(upper(${bind(refNumber)}::text), 100))`, ...ofTags] : ofTags
}

/** One of several tags: the rows that have one are gathered when they are few; otherwise each row is compared. */
async function addAnyTag(
  db: Db,
  conditions: ConditionsMaker,
  { table, alias, accountId, tags }: Pick<Labels, 'table' | 'alias' | 'accountId'> & Pick<LabelValues, 'tags'>,
): Promise<void> {
  const labelValues = { refNumber: null, tags }
  const of = { owner: labelled[table].owner, accountId, labelValues, areAllNeeded: false }
  const few = (await areLabelled(db, accountId)) ? await findRowsWithLabels(db, of) : null
  conditions.addFew(`${alias}.id`, few)
  const isCut = tags.some((tag) => tag.length > wholeMax)
  if (isCut || few === null) addLabelComparisons(conditions, { table, alias, ...labelValues, operator: '&&' })
}

/** Ids of the rows that have all of them, or one of them; null when many rows have them. */
async function findRowsWithLabels(
  db: Db,
  of: {
    readonly owner: string
    readonly accountId: string
    readonly labelValues: LabelValues
    readonly areAllNeeded: boolean
  },
): Promise<readonly string[] | null> {
  const values: unknown[] = [of.accountId]
  const terms = termsOf(of.owner, (value) => `$${values.push(value)}`, of.labelValues)
  const [first, ...others] = of.areAllNeeded ? terms : [`any(array[${terms.join()}])`]
  const also = others.map(
    (term) => `and exists (select from labels m where m.account_id = $1 and m.id = l.id and m.term = ${term})`,
  )
  const { rows } = await db.query<{ ids: readonly string[] | null }>({
    text: `select case when count(*) < ${manyMin} then coalesce(array_agg(id), '{}') end as ids
             from (select ${of.areAllNeeded ? '' : 'distinct '}l.id from labels l where l.account_id = $1 and l.term = ${first} ${also.join(' ')}
                    limit ${manyMin}) as few`,
    values,
  })
  return rows[0]?.ids ?? null
}

type LabelComparison = Pick<Labels, 'table' | 'alias'> & LabelValues & { readonly operator?: '@>' | '&&' }

function addLabelComparisons(
  { add, addText, bind }: ConditionsMaker,
  { table, alias, refNumber, tags, operator = '@>' }: LabelComparison,
): void {
  const numbers = `exists (select from unnest(${alias}.ref_numbers) as n(number) where upper(n.number) = upper(`
  add({ texts: [numbers, '))'], parameters: [refNumber] })
  if (tags.length === 0) return
  const found = `${operator} ${bind(tags)}::text[]`
  if (table === 'containers')
    addText(`exists (select from shipments s where s.account_id = $1 and s.id = c.shipment_id and s.tags ${found})`)
  else addText(table === 'shipments' ? `s.tags ${found}` : `r.shipment_tags ${found}`)
}

/** By the indexes of values. Containers have no tags of their own there. */
async function addByValues(
  db: Db,
  conditions: ConditionsMaker,
  { table, alias, accountId, refNumber, tags }: Omit<Labels, keyof LabelFilter> & LabelValues,
): Promise<void> {
  const [ownTags, ofShipment] = table === 'containers' ? [[], tags] : [tags, []]
  const ownLabels = { refNumber, tags: ownTags }
  const few = await findByValues(db, table, { accountId, ...ownLabels })
  const tagged = await findByValues(db, 'shipments', { accountId, tags: ofShipment })
  conditions.addFew(`${alias}.id`, few)
  conditions.addFew('c.shipment_id', tagged)
  if (few === null) addLabelComparisons(conditions, { table, alias, ...ownLabels })
  if (tagged === null) addLabelComparisons(conditions, { table, alias, refNumber: null, tags: ofShipment })
}
