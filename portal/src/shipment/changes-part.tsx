/** What changed, newest first, one sentence a change. A press on its time shows the shipment as it was then. */

import { useRead } from '../api/queries.ts'
import { dayOf, Moment, readerZoneAt } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { shipmentWords as words } from '../words/shipment.ts'
import { useShipmentAddress } from './use-shipment-address.ts'

export function useChanges(shipmentId: string) {
  return useRead('/v2/changes', { query: { limit: 200, 'filter[shipment_id]': shipmentId } })
}

export function ChangesPart({ shipmentId, hasSeveral }: { shipmentId: string; hasSeveral: boolean }) {
  const { change } = useShipmentAddress()
  const found = useChanges(shipmentId)
  const lines = found.data?.data ?? []
  return (
    <Panel
      title={words.changes}
      aside={lines[0] && <span className="quiet">{words.timesIn(readerZoneAt(lines[0].at))}</span>}
    >
      {found.error !== null && <p className="quiet">{found.error.message}</p>}
      {found.data !== undefined && lines.length === 0 && <p className="quiet">{words.changesNone}</p>}
      <ol className="changes">
        {lines.map(({ sequence, at, text, container_number: number }, index) => (
          <li key={`${sequence} ${text}`}>
            <button type="button" className="link" title={words.pastShow} onClick={() => change({ as_of: at })}>
              <Moment
                at={at}
                zone="reader"
                isSameDay={isSameDay(lines[index - 1]?.at, at)}
                isSameZone={isSameZone(lines[0]?.at, at)}
              />
            </button>
            <span>
              {text}
              {hasSeveral && number !== null && <span className="code"> {number}</span>}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function isSameDay(one: string | undefined, other: string): boolean {
  return one !== undefined && dayOf(one, 'reader') === dayOf(other, 'reader')
}

/** Not across a change of the clocks. */
function isSameZone(one: string | undefined, other: string): boolean {
  return one !== undefined && readerZoneAt(one) === readerZoneAt(other)
}
