/** `/shipments/find?q=<number>`: the address for links from other programs. Leads to the one shipment that fits. */

import { Link, Navigate, useSearch } from '@tanstack/react-router'
import { useRead } from '../api/queries.ts'
import { ProblemNote } from '../parts/problem.tsx'
import { Reading } from '../parts/reading.tsx'
import { To } from '../parts/to.tsx'
import { words } from '../words/words.ts'

export function FindPage() {
  const { q = '' }: Readonly<Record<string, string>> = useSearch({ strict: false })
  const found = useRead('/v2/search', { query: { query: q }, isOn: q !== '' })
  if (found.error !== null) return <ProblemNote error={found.error} again={() => void found.refetch()} />
  if (q !== '' && found.data === undefined) return <Reading />
  const results = found.data?.data ?? []
  const ids = [...new Set(results.flatMap(({ attributes }) => attributes.shipment_id ?? []))]
  const [only] = ids
  if (only !== undefined && ids.length === 1)
    return <Navigate to="/shipments/$shipmentId" params={{ shipmentId: only }} replace />
  return (
    <>
      <h1>{q}</h1>
      {results.length === 0 && <p>{words.search.none}</p>}
      <ul>
        {results.map(({ id, attributes }) => (
          <li key={id}>
            {attributes.shipment_id ? (
              <Link to="/shipments/$shipmentId" params={{ shipmentId: attributes.shipment_id }}>
                {attributes.number}
              </Link>
            ) : (
              attributes.number
            )}{' '}
            <span className="quiet">
              {attributes.scac} {attributes.port_of_lading_name} <To /> {attributes.port_of_discharge_name}
            </span>
          </li>
        ))}
      </ul>
      {q !== '' && (
        <p>
          <Link to="/track" search={{ numbers: q }}>
            {words.search.track(q)}
          </Link>
        </p>
      )}
    </>
  )
}
