/** The editions in this installation's reference tables: what is shipped, and what the operator has imported since. */

import { type EditionInUse, readEditionsInUse } from '../../../store/knowing/reference-editions.ts'
import type { Service } from '../../service.ts'

/** The newest edition of each list, ordered by edition number. */
export async function listEditions(service: Service): Promise<readonly EditionInUse[]> {
  const editions = await readEditionsInUse(service.pool)
  return editions.toSorted((a, b) => a.number - b.number)
}
