/** What changed last in all shipments, one sentence a change. */

import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '../api/connection.ts'
import { useRead } from '../api/queries.ts'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { words } from '../words/words.ts'

const shownMax = 20

export function LatestChanges() {
  // Several events may be one change.
  const found = useRead('/v2/changes', { query: { limit: 80 } })
  const groups = groupsOf(found.data?.data.slice(0, shownMax) ?? [])
  return (
    <Panel title={words.overview.latest}>
      {found.error !== null && <p className="quiet">{found.error.message}</p>}
      {found.data?.data.length === 0 && <p className="quiet">{words.overview.latestNone}</p>}
      <ol className="latest">
        {groups.map(({ first, texts }) => (
          <li key={first.sequence}>
            <span>
              <Subject line={first} />
              <span className="quiet">
                <Moment at={first.at} zone="reader" />
              </span>
            </span>
            {texts.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </li>
        ))}
      </ol>
    </Panel>
  )
}

type Line = AnswerOf<'/v2/changes'>['data'][number]
interface Group {
  readonly first: Line
  readonly texts: string[]
}

/** Consecutive changes of one container or shipment stand under its number. */
function groupsOf(lines: readonly Line[]): readonly Group[] {
  const groups: Group[] = []
  for (const line of lines) {
    const last = groups.at(-1)
    const isSame = last?.first.number === line.number && last.first.shipment_id === line.shipment_id
    if (last !== undefined && isSame) last.texts.push(line.text)
    else groups.push({ first: line, texts: [line.text] })
  }
  return groups
}

function Subject({ line: { number, shipment_id: shipmentId, container_number: box } }: { line: Line }) {
  if (shipmentId === null) return <span className="number">{number}</span>
  return (
    <Link to="/shipments/$shipmentId" params={{ shipmentId }} search={box === null ? {} : { box }} className="number">
      {number}
    </Link>
  )
}
