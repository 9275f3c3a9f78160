/** A time as the reader sees it: the day, the hour and the zone of the place. */

import { words } from '../words/words.ts'
import { localParts, zoneOfMidnight } from './time.ts'

interface MomentProps {
  readonly at: string | null | undefined
  readonly zone: string | null | undefined
  /** Only the day was given. */
  readonly isDay?: boolean
  readonly isEstimate?: boolean
}

export function Moment({ at, zone, isDay = false, isEstimate = false }: MomentProps) {
  if (!at) return <Unsaid />
  const parts = localParts(at, zone)
  const title = isDay ? words.said.onlyDay : `${at} (UTC)${zone ? `, shown in ${zone}` : ''}`
  return (
    <time dateTime={at} title={title} className={isEstimate ? 'moment estimated' : 'moment'}>
      <span className="day">{parts.day}</span>
      {!isDay && (
        <>
          {' '}
          <span className="hour">{parts.hour}</span>{' '}
          <span className="zone">{parts.zone ?? words.said.zoneUnknown}</span>
        </>
      )}
    </time>
  )
}

/** The day of a limit, in the first zone in which the given instant is midnight. */
export function LimitDay({ at, zones }: { at: string; zones: readonly (string | null | undefined)[] }) {
  return <Moment at={at} zone={zoneOfMidnight(at, zones)} isDay />
}

/** No source has given a value. It must never look like "none". */
export function Unsaid({ children = words.said.nobody }: { children?: string }) {
  return <span className="unsaid">{children}</span>
}
