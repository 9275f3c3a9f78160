/** A small clock: behind it a slider shows the shipment as it was known at any time of its history. */

import { useEffect, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { shipmentWords as words } from '../words/shipment.ts'
import { useChanges } from './changes-part.tsx'
import { useShipmentAddress } from './use-shipment-address.ts'

const slidePauseMs = 250

export function PastClock({ shipmentId }: { shipmentId: string }) {
  const { asOf } = useShipmentAddress()
  const [isOpen, setOpen] = useState(asOf !== null || window.location.hash === '#past')
  return (
    <details className="past" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Icon name="charges" /> {asOf === null ? words.pastNow : <Moment at={asOf} zone="reader" />}
      </summary>
      {isOpen && <Slider shipmentId={shipmentId} />}
    </details>
  )
}

function Slider({ shipmentId }: { shipmentId: string }) {
  const { asOf, change } = useShipmentAddress()
  const found = useChanges(shipmentId)
  const times = [...new Set((found.data?.data ?? []).map(({ at }) => at))].sort()
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
      change({ as_of: times[at] ?? '' })
      setAt(null)
    }, slidePauseMs)
    return () => clearTimeout(timer)
  })
  const shown = times[position] ?? null
  return (
    <div className="past-slider">
      <label htmlFor="past">{words.past}</label>
      <input
        id="past"
        type="range"
        min={0}
        max={times.length}
        value={position}
        disabled={times.length === 0}
        aria-valuetext={shown ?? words.pastNow}
        onChange={(event) => setAt(Number(event.target.value))}
      />
      <output htmlFor="past">{shown === null ? words.pastNow : <Moment at={shown} zone="reader" />}</output>
    </div>
  )
}
