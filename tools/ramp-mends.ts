/**
 * Corrections of the city and metropolitan area of ramps, where the raw list has none or treats a suburb as its own
 * area.
 */

import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'

type Row = Readonly<Record<string, string>>

/** An empty cell of ramp-mends.csv keeps the list's value. Throws for a ramp that is not in the list. */
export function mendRamps(ramps: readonly Row[]): readonly Row[] {
  const text = readFileSync(new URL('./ramp-mends.csv', import.meta.url), 'utf8')
  const mends = new Map((parse(text, { columns: true }) as readonly Row[]).map((mend) => [keyOf(mend), mend]))
  const missing = [...mends.keys()].filter((key) => !ramps.some((ramp) => keyOf(ramp) === key))
  if (missing.length > 0) throw new Error(`ramp-mends.csv names ramps that are in no list: ${missing}`)
  return ramps.map((ramp) => {
    const mend = mends.get(keyOf(ramp))
    return {
      ...ramp,
      city_locode: mend?.['city_locode'] || (ramp['city_locode'] ?? ''),
      metro_locode: mend?.['metro_locode'] || (ramp['metro_locode'] ?? ''),
    }
  })
}

function keyOf(row: Row): string {
  return `${row['rail_carrier_scac']} ${row['name']}`
}
