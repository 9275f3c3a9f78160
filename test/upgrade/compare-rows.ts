/** Compares the rows of an upgraded database with the stored ones: none lost, none new, none changed. */

import type { Difference } from './differences.ts'
import { byKey, type Dump } from './rows.ts'

/** Written by the migrations: an upgrade adds to it. */
const ofTheRunner: ReadonlySet<string> = new Set(['pgmigrations', 'migration_hashes'])

/** New columns and tables are no difference; removed ones are. */
export function compareRows(then: Dump, now: Dump): readonly Difference[] {
  const differences: Difference[] = []
  for (const table of then.tables) {
    const today = now.tables.find(({ name }) => name === table.name)
    if (today === undefined) {
      differences.push({
        what: `row ${table.name}`,
        where: 'the table',
        was: table.rows.length,
        now: undefined,
      })
      continue
    }
    const columns = table.columns.filter((column) => today.columns.includes(column))
    for (const column of table.columns)
      if (!today.columns.includes(column))
        differences.push({
          what: `row ${table.name}.${column}`,
          where: 'the table',
          was: 'a column',
          now: undefined,
        })
    // By the old key: a table with a new key still has the columns of the old one.
    const [before, after] = [byKey(table), byKey({ ...today, key: table.key })]
    for (const [key, was] of before) {
      const is = after.get(key)
      if (is === undefined) {
        differences.push({
          what: `row ${table.name}`,
          where: key,
          was: Object.fromEntries(was),
          now: undefined,
        })
        continue
      }
      for (const column of columns)
        if (was.get(column) !== is.get(column))
          differences.push({
            what: `row ${table.name}.${column}`,
            where: key,
            was: was.get(column),
            now: is.get(column),
          })
    }
    for (const [key, is] of after)
      if (!before.has(key) && !ofTheRunner.has(table.name))
        differences.push({
          what: `row ${table.name}`,
          where: key,
          was: undefined,
          now: Object.fromEntries(is),
        })
  }
  for (const { name, last } of then.sequences) {
    const today = now.sequences.find((each) => each.name === name)
    if (today === undefined || BigInt(today.last) < BigInt(last))
      differences.push({ what: `row sequence ${name}`, where: name, was: last, now: today?.last })
  }
  return differences
}
