/** What changed, newest first, one sentence a change. A press on its time shows the shipment as it was then. */

import type { ReactNode } from 'react'
import { useRead } from '../api/queries.ts'
import { dayOf, Moment, readerZoneAt } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { Reading } from '../parts/reading.tsx'
import { shipmentWords as words } from '../words/shipment.ts'
import { useShipmentAddress } from './use-shipment-address.ts'

export function useChanges(shipmentId: string) {
  return useRead('/v2/changes', { query: { limit: 200, 'filter[shipment_id]': shipmentId } })
}

interface PartProps {
  readonly shipmentId: string
  /** Each line names its container. */
  readonly hasSeveral: boolean
  /** Stands below, once the changes are there. */
  readonly children: ReactNode
}

export function ChangesPart({ shipmentId, hasSeveral, children }: PartProps) {
  const { change } = useShipmentAddress()
  const found = useChanges(shipmentId)
  if (found.error !== null) return <ProblemNote error={found.error} again={() => void found.refetch()} />
  if (found.data === undefined) return <Reading />
  const lines = found.data.data
  return (
    <>
      <Panel
        title={words.changes}
        aside={lines[0] && <span className="quiet">{words.timesIn(readerZoneAt(lines[0].at))}</span>}
      >
        {lines.length === 0 && <p className="quiet">{words.changesNone}</p>}
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
      {children}
    </>
  )
}

function isSameDay(one: string | undefined, other: string): boolean {
  return one !== undefined && dayOf(one, 'reader') === dayOf(other, 'reader')
}

/** Not across a change of the clocks. */
function isSameZone(one: string | undefined, other: string): boolean {
  return one !== undefined && readerZoneAt(one) === readerZoneAt(other)
}
