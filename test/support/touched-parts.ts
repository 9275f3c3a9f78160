/** Which partitions a statement reads: its plan is run, as it would be for its values and as it would be for any. */

import pg from 'pg'

type Statement = { readonly text: string; readonly values?: readonly unknown[] | undefined }

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Loops': number
  readonly Plans?: readonly Plan[]
}

/** By `custom` for these values; by `generic` as a prepared statement that was planned for any. Nothing is changed. `first` is done before. */
export async function touchedParts(
  client: pg.Client,
  { text, values = [] }: Statement,
  { mode, first = 'select' }: { readonly mode: 'custom' | 'generic'; readonly first?: string },
): Promise<{ readonly parts: ReadonlySet<string>; readonly plan: Plan }> {
  await client.query(`begin; set local plan_cache_mode = force_${mode}_plan`)
  try {
    await client.query(first)
    await client.query(`prepare touched as ${text}`)
    const written = values.map(writeValue)
    const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
      `explain (analyze, format json) execute touched${written.length > 0 ? `(${written.join(', ')})` : ''}`,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    if (plan === undefined) throw new Error('the statement has no plan')
    return { parts: new Set(relationsOf(plan)), plan }
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

function relationsOf(plan: Plan): readonly string[] {
  // What a statement writes to has been read before.
  const isRead = plan['Actual Loops'] > 0 && /Scan/.test(plan['Node Type'])
  const own = isRead && plan['Relation Name'] !== undefined ? [plan['Relation Name']] : []
  return [...own, ...(plan.Plans ?? []).flatMap(relationsOf)]
}

function writeValue(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(writeElement).join(',')}}`)
  return pg.escapeLiteral(String(value))
}

function writeElement(value: unknown): string {
  return value === null || value === undefined ? 'NULL' : `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`
}
