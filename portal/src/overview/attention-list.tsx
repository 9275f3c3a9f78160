/** The most urgent entries of the inbox on the overview, and how many there are in all. */

import { Link } from '@tanstack/react-router'
import { totalOf, useRead } from '../api/queries.ts'
import { AttentionEntries, type AttentionMeta, UnknownCounts } from '../attention/attention-items.tsx'
import { Panel } from '../parts/panel.tsx'
import { attentionWords } from '../words/attention.ts'
import { words } from '../words/words.ts'

const shownMax = 12

export function useAttention() {
  return useRead('/v2/attention_entries', { query: { 'page[size]': shownMax } })
}

export function AttentionList() {
  const found = useAttention()
  const total = totalOf(found.data)
  const meta = (found.data?.meta ?? {}) as AttentionMeta
  return (
    <Panel
      title={words.overview.attention}
      aside={<Link to="/attention">{total ? attentionWords.openAll(total) : attentionWords.open}</Link>}
    >
      {found.error !== null && <p className="quiet">{found.error.message}</p>}
      {found.data !== undefined && (
        <>
          {found.data.data.length === 0 && <p className="quiet">{attentionWords.none}</p>}
          <AttentionEntries entries={found.data.data} meta={meta} />
          <UnknownCounts meta={meta} />
        </>
      )}
    </Panel>
  )
}
