/**
 * A slider over the history: it shows the shipment as it was known then, computed again from everything received until
 * then.
 */

import { useEffect, useState } from 'react'
import type { Shipment } from '../../../sdk/typescript/src/description.generated.ts'
import { useRead } from '../api/queries.ts'
import { localParts } from '../parts/time.ts'
import { shipmentWords as words } from '../words/shipment.ts'
import { useShipmentAddress } from './use-shipment-address.ts'

const slidePauseMs = 250

export function PastSlider({ shipment }: { shipment: Shipment }) {
  const { asOf, change } = useShipmentAddress()
  const history = useRead('/v2/shipments/{id}/history', { ids: [shipment.id], query: { 'page[size]': 100 } })
  const times = [
    ...new Set((history.data?.data ?? []).flatMap(({ attributes }) => attributes.recorded_at ?? [])),
  ].sort()
  const given =
    asOf === null
      ? times.length
      : Math.max(
          0,
          times.findLastIndex((each) => each <= asOf),
        )
  const [at, setAt] = useState<number | null>(null)
  const position = at ?? given
  useEffect(() => {
    if (at === null) return
    const timer = setTimeout(() => {
      change({ as_of: at >= times.length ? '' : (times[at] ?? '') })
      setAt(null)
    }, slidePauseMs)
    return () => clearTimeout(timer)
  })
  const shown = position >= times.length ? null : (times[position] ?? null)
  const said = shown === null ? words.pastNow : textOf(shown)
  return (
    <div className={asOf === null ? 'past' : 'past then'}>
      <label htmlFor="past">{words.past}</label>
      <input
        id="past"
        type="range"
        min={0}
        max={times.length}
        value={position}
        disabled={times.length === 0}
        aria-valuetext={said}
        onChange={(event) => setAt(Number(event.target.value))}
      />
      <output htmlFor="past">{said}</output>
      {asOf === null ? (
        <span className="quiet">{words.pastAbout}</span>
      ) : (
        <span role="status">
          {words.pastAt(textOf(asOf))}{' '}
          <button type="button" onClick={() => change({ as_of: '' })}>
            {words.pastBack}
          </button>
        </span>
      )}
    </div>
  )
}

function textOf(at: string): string {
  const { day, hour } = localParts(at, 'UTC')
  return `${day} ${hour} UTC`
}
