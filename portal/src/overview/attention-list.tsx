/** The most urgent exceptions on the overview; all of them are in the inbox. */

import { Link } from '@tanstack/react-router'
import { useRead } from '../api/queries.ts'
import { AttentionItems, UnknownCounts } from '../attention/attention-items.tsx'
import { Panel } from '../parts/panel.tsx'
import { attentionWords } from '../words/attention.ts'
import { words } from '../words/words.ts'

const shownMax = 12

export function useAttention() {
  return useRead('/v2/attention', {
    query: { include: 'shipment,container,tracking_request', 'page[size]': shownMax },
  })
}

export function AttentionList() {
  const found = useAttention()
  return (
    <Panel title={words.overview.attention} aside={<Link to="/attention">{attentionWords.open}</Link>}>
      {found.error !== null && <p className="quiet">{found.error.message}</p>}
      {found.data !== undefined && (
        <>
          <AttentionItems answer={found.data} />
          <UnknownCounts answer={found.data} />
        </>
      )}
    </Panel>
  )
}
