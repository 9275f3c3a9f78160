/** All ships and containers under way on one map, with the same filters as the list of shipments, and as a list. */

import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { written } from '../api/connection.ts'
import { useAsk } from '../api/queries.ts'
import { ChoiceFilter, LineFilter } from '../lists/filters.tsx'
import { useListState } from '../lists/list-state.ts'
import { FreeDay } from '../parts/box-facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { fleetWords as words } from '../words/fleet.ts'
import { statusWords } from '../words/names.ts'
import { words as common } from '../words/words.ts'
import './fleet.css'
import { type FleetDocument, type FleetFeature, isShip, nameOf } from './fleet-document.ts'

const FleetMap = lazy(() => import('./fleet-map.tsx').then(({ FleetMap }) => ({ default: FleetMap })))
const shownMax = 5
const statuses = ['in_transit', 'arrived'] as const

export function FleetPage() {
  const state = useListState()
  const found = useAsk<FleetDocument>(`/v2/fleet${written(state.query)}`)
  const features = found.data?.features ?? []
  return (
    <div>
      <header className="page-head">
        <h1>{words.title}</h1>
        <p className="quiet">{words.about}</p>
      </header>
      <form className="filters" aria-label={common.list.filter}>
        <ChoiceFilter
          state={state}
          name="status"
          label={common.list.status}
          choices={statuses.map((each) => [each, statusWords(each)[0]])}
        />
        <LineFilter state={state} />
      </form>
      {found.error !== null && <ProblemNote error={found.error} again={() => void found.refetch()} />}
      <Suspense fallback={<p className="fleet-map quiet">{words.loading}</p>}>
        {found.data === undefined ? (
          <p className="fleet-map quiet" aria-busy="true">
            {words.loading}
          </p>
        ) : (
          <FleetMap document={found.data} />
        )}
      </Suspense>
      {found.data !== undefined && features.length === 0 && <p>{words.none}</p>}
      {(found.data?.meta.unplaced_containers ?? 0) > 0 && (
        <p className="quiet">{words.unplaced(found.data?.meta.unplaced_containers ?? 0)}</p>
      )}
      <div className="two-columns">
        <FleetList title={words.ships} features={features.filter(isShip)} />
        <FleetList title={words.ashore} features={features.filter((each) => !isShip(each))} />
      </div>
    </div>
  )
}

function FirstFreeDay({ day }: { day: FleetFeature['properties']['free_until'] }) {
  if (day === null) return null
  const { shipment_id: shipmentId, container_number: box } = day
  return (
    <span className="under">
      {words.freeUntil} <FreeDay day={day} /> ·{' '}
      <Link to="/shipments/$shipmentId" params={{ shipmentId }} search={{ box }}>
        {box}
      </Link>
    </span>
  )
}

function FleetList({ title, features }: { title: string; features: readonly FleetFeature[] }) {
  if (features.length === 0) return null
  return (
    <Panel title={title}>
      <ul className="plain-list fleet-list">
        {features.map((feature) => (
          <li key={JSON.stringify([feature.geometry.coordinates, nameOf(feature)])}>
            <strong>{nameOf(feature)}</strong> <span>{words.boxes(feature.properties.container_count)}</span>
            {isShip(feature) && (
              <span className="under">
                {words.positions[feature.properties.position]}
                {feature.properties.next_port_name && (
                  <>
                    {' '}
                    · {words.next} {feature.properties.next_port_name}{' '}
                    {feature.properties.next_port_eta && (
                      <Moment at={feature.properties.next_port_eta} zone="UTC" isEstimate />
                    )}
                  </>
                )}
              </span>
            )}
            <FirstFreeDay day={feature.properties.free_until} />
            <span className="under">
              {feature.properties.shipment_ids.slice(0, shownMax).map((shipmentId, index) => (
                <span key={shipmentId}>
                  {index > 0 && ' · '}
                  <Link to="/shipments/$shipmentId" params={{ shipmentId }}>
                    {feature.properties.shipment_numbers[index]}
                  </Link>
                </span>
              ))}
              {feature.properties.shipment_count > shownMax &&
                ` ${words.more(feature.properties.shipment_count - shownMax)}`}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
