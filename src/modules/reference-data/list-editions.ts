/** What this installation's reference tables were loaded from: what is shipped, and what the operator imported since. */

import type { Service } from '../service.ts'
import { type EditionInUse, readEditionsInUse } from './reference-editions-sql.ts'

/** The newest edition of each list, ordered by edition number. */
export async function listEditions(service: Service): Promise<readonly EditionInUse[]> {
  const editions = await readEditionsInUse(service.pool)
  return editions.toSorted((a, b) => a.number - b.number)
}
