/** What changed, newest first: the old value, the new one, and by what. A press shows the shipment as it was then. */

import { useRead } from '../api/queries.ts'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { To } from '../parts/to.tsx'
import { plain } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'
import { useShipmentAddress } from './use-shipment-address.ts'

const shownMax = 30

export function HistoryPart({ shipmentId }: { shipmentId: string }) {
  const { change } = useShipmentAddress()
  const found = useRead('/v2/shipments/{id}/history', { ids: [shipmentId], query: { 'page[size]': 100 } })
  const entries = (found.data?.data ?? []).filter(({ attributes }) => (attributes.changes ?? []).length > 0)
  return (
    <Panel title={words.changes}>
      {found.error !== null && <p className="quiet">{found.error.message}</p>}
      {found.data !== undefined && entries.length === 0 && <p className="quiet">{words.changesNone}</p>}
      <ol className="changes">
        {entries.slice(0, shownMax).map(({ id, attributes }) => (
          <li key={id}>
            <button type="button" className="link" onClick={() => change({ as_of: attributes.recorded_at ?? '' })}>
              <Moment at={attributes.recorded_at} zone="UTC" />
            </button>{' '}
            <span className="quiet">{plain(attributes.cause ?? '')}</span>
            <ul>
              {(attributes.changes ?? []).slice(0, 6).map((each) => (
                <li key={`${each.resource_id} ${each.attribute}`}>
                  {plain(each.attribute)}: <s>{short(each.before)}</s> <To /> {short(each.after)}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

const lengthMax = 60

function short(value: unknown): string {
  if (value === null || value === undefined) return '–'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text
}
