/** A time as the reader sees it: the day, the hour and the zone, of the place or of the reader. */

import { nameDay } from '../../../src/domain/view/day-count.ts'
import { words } from '../words/words.ts'
import { isoDayIn, localParts, readerZone, shownZone, todayIn } from './time.ts'

interface MomentProps {
  readonly at: string | null | undefined
  /** `reader`: the zone of the person who reads. */
  readonly zone: string | null | undefined
  /** Only the day was given. */
  readonly isDay?: boolean
  readonly isEstimate?: boolean
  /** The day stands in the row above, so only screen readers get it. */
  readonly isSameDay?: boolean
  /** The zone stands above, so only screen readers get it. */
  readonly isSameZone?: boolean
}

export function Moment(props: MomentProps) {
  const { at, zone: given, isDay = false, isEstimate = false, isSameDay = false, isSameZone = false } = props
  if (!at) return <Unsaid />
  const zone = shownZone(given, isDay)
  const parts = localParts(at, zone)
  const title = isDay ? words.said.onlyDay : `${at} (UTC)${zone ? `, shown in ${zone}` : ''}`
  return (
    <time dateTime={at} title={title} className={isEstimate ? 'moment estimated' : 'moment'}>
      <span className={isSameDay && !isDay ? 'unseen' : 'day'}>{dayOf(at, zone)}</span>
      {!isDay && (
        <>
          {' '}
          <span className="hour">{parts.hour}</span>{' '}
          <span className={isSameZone ? 'unseen' : 'zone'}>{parts.zone ?? words.said.zoneUnknown}</span>
        </>
      )}
    </time>
  )
}

/** The letters of the reader's own zone at that time. */
export function readerZoneAt(at: string): string {
  return localParts(at, readerZone).zone ?? readerZone
}

/** "Fri 27 Nov", with the year if it is another than this one. */
export function dayOf(at: string, given: string | null | undefined): string {
  const zone = shownZone(given, true)
  return nameDay(isoDayIn(at, zone), todayIn(zone))
}

/** No source has given a value: a dash with the reason on hover and for screen readers. It must never look like "none". */
export function Unsaid({ reason = words.said.nobody }: { reason?: string }) {
  return (
    <span className="unsaid" title={reason}>
      <span aria-hidden="true">–</span>
      <span className="unseen">{reason}</span>
    </span>
  )
}
