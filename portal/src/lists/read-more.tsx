/** Under a list: why it could not be read; or how much of it is shown, and more when asked. */

import { ProblemNote } from '../parts/problem.tsx'
import { words } from '../words/words.ts'
import type { Rows } from './use-rows.ts'

export function ReadMore({ list }: { list: Rows<unknown> }) {
  if (list.error !== null) return <ProblemNote error={list.error} again={list.again} />
  if (!list.hasMore) return null
  return (
    <p className="quiet">
      {words.shown(list.rows.length, list.total)}{' '}
      <button type="button" onClick={list.readMore} disabled={list.isReading}>
        {list.isReading ? words.more : words.showMore}
      </button>
    </p>
  )
}
