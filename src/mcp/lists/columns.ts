/** Which members of a row are shown: all but the rare ones, or those that `fields` names. */

import { ServiceError } from '../../modules/errors.ts'
import { Type } from '../../platform/json-schema.ts'
import { suggestValues } from './filter-values.ts'

export const fields = Type.Optional(Type.String({ description: 'Only these members of rows, with commas' }))

/** Null when all are shown. Names may be written with underscores; a member of a member as `portOfDischarge.name`. */
export function readFields(given: string | undefined, known: readonly string[]): readonly string[] | null {
  if (given === undefined || given.trim() === '') return null
  const names = given
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  return [...new Set(names)].map((name) => {
    const normalized = normalizeName(name)
    const found = known.find((each) => normalizeName(each) === normalized)
    if (found !== undefined) return found
    throw new ServiceError(
      'invalid',
      `\`fields\`: there is no member \`${name.slice(0, 60)}\`.${suggestValues(name, known, ` There are: ${known.join(', ')}.`)}`,
    )
  })
}

function normalizeName(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '')
}

export function pickFields<Row extends object>(
  row: Row,
  of: { readonly fields: readonly string[] | null; readonly rare: readonly string[] },
): Partial<Row> {
  const { fields: names, rare } = of
  const isShown = (name: string): boolean => (names === null ? !rare.includes(name) : names.includes(name))
  return Object.fromEntries(Object.entries(row).filter(([name]) => isShown(name))) as Partial<Row>
}
