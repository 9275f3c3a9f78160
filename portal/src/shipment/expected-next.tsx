/** What should happen next to a container, and how long that usually takes. Nothing where nobody can say. */

import { useRead } from '../api/queries.ts'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { eventWords } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'

interface ExpectedProps {
  readonly shipmentId: string
  readonly boxId: string
  readonly zone: string | null | undefined
}

export function ExpectedNext({ shipmentId, boxId, zone }: ExpectedProps) {
  const found = useRead('/v2/shipments/{id}/expectations', { ids: [shipmentId], query: { 'page[size]': 100 } })
  const next = found.data?.data.find(({ id }) => id === boxId)?.attributes
  if (next === undefined) return null
  const isOverdue = Boolean(next.overdue_since)
  return (
    <Panel title={words.next}>
      <p className={isOverdue ? 'late' : ''}>
        <strong>{eventWords(next.expected ?? '')}</strong> {isOverdue ? words.overdueSince : words.expectedUntil}{' '}
        <Moment at={next.due_at} zone={zone} />
      </p>
      <p className="quiet">{next.sentence}</p>
    </Panel>
  )
}
