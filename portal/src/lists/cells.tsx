/** What cells of both lists, and cards on a phone, are made of. */

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { nameDay } from '../../../src/domain/view/day-count.ts'
import { Icon } from '../parts/icon.tsx'
import { Moment, Unsaid } from '../parts/moment.tsx'
import { Slip } from '../parts/slip-mark.tsx'
import { isoDayIn, localParts, todayIn } from '../parts/time.ts'
import { To } from '../parts/to.tsx'
import { listWords } from '../words/lists.ts'
import { plain } from '../words/names.ts'
import { words } from '../words/words.ts'
import type { Act } from './act.ts'
import type { Box, BoxRow, Cargo, Field } from './list-row.ts'

const { unknown } = listWords

type Maybe<Kind> = Kind | null | undefined

interface KnownProps {
  readonly children?: Maybe<string>
  readonly under?: Maybe<string>
  readonly reason?: string
}

export function Known({ children, under, reason = unknown.nobody }: KnownProps) {
  return (
    <>
      {children ? <span title={children}>{children}</span> : <Unsaid reason={reason} />}
      {under && (
        <span className="under" title={under}>
          {under}
        </span>
      )}
    </>
  )
}

/** "Clear customs hold · since Fri 27 Nov". `isBrief`: the count of days stands in another column. */
export function ActWords({ act, isBrief = false }: { act: Act | null; isBrief?: boolean }) {
  if (act === null) return null
  const { what, when, why, tone } = act
  return (
    <span className="list-act" title={why}>
      <span>{what}</span>
      {!(isBrief && what === listWords.act.pickUp) && <span className={`under ${tone}`}>{when}</span>}
    </span>
  )
}

export function Route({ shipment }: { shipment: Cargo | null }) {
  if (shipment === null) return <Unsaid reason={unknown.nobody} />
  const {
    port_of_lading_name: from,
    port_of_discharge_name: to,
    destination_name: end,
    destination_locode: endCode,
    port_of_discharge_locode: toCode,
  } = shipment
  const isInland = Boolean(end) && endCode !== toCode
  return (
    <span className="list-route" title={[from, to, isInland ? end : null].filter(Boolean).join(' → ')}>
      {from ?? <Unsaid reason={unknown.nobody} />} <To /> {to ?? <Unsaid reason={unknown.nobody} />}
      {isInland && (
        <span className="under">
          <To /> {end}
        </span>
      )}
    </span>
  )
}

export function Ship({ shipment }: { shipment: Cargo | null }) {
  return <Known under={shipment?.pod_voyage_number}>{shipment?.pod_vessel_name}</Known>
}

/** A day at its place; a tick where it has happened. */
export function Day({ at, zone, isActual = false }: { at: Maybe<string>; zone: Maybe<string>; isActual?: boolean }) {
  if (!at) return <Unsaid reason={unknown.nobody} />
  const { hour, zone: letters } = localParts(at, zone)
  return (
    <time dateTime={at} title={`${hour} ${letters ?? words.said.zoneUnknown}`} className="moment">
      {nameDay(isoDayIn(at, zone), todayIn(zone))}
      {isActual && (
        <span className="list-tick">
          <Icon name="tick" />
          <span className="unseen">{listWords.happened}</span>
        </span>
      )}
    </time>
  )
}

/** A day and an hour, with the letters of the zone. */
export function Hour({ at, zone }: { at: Maybe<string>; zone: Maybe<string> }) {
  return at ? <Moment at={at} zone={zone} /> : <Unsaid reason={unknown.nobody} />
}

interface ArrivalProps {
  readonly at: string | null
  readonly isActual: boolean
  readonly shipment: Cargo | null
  /** The words before it say whether it has happened. */
  readonly isTicked?: boolean
}

export function Arrival({ at, isActual, shipment, isTicked = isActual }: ArrivalProps) {
  return (
    <>
      <Day at={at} zone={shipment?.pod_timezone} isActual={isTicked} />
      {shipment !== null && <Slip at={at} estimates={shipment} isActual={isActual} />}
    </>
  )
}

export function Holds({ box }: { box: Box }) {
  const holds = box.holds_at_pod_terminal ?? []
  if (holds.length === 0)
    return box.availability_known === true ? (
      <span className="quiet">{listWords.noHold}</span>
    ) : (
      <Unsaid reason={unknown.terminal} />
    )
  return holds.map(({ name, status, description }) => (
    <Chip
      key={`${name} ${status}`}
      tone={status === 'hold' ? 'late' : 'soon'}
      title={description ?? listWords.holdIs(plain(name), status)}
    >
      {status === 'hold' ? plain(name) : listWords.announced(plain(name))}
    </Chip>
  ))
}

/** Nothing where there are none: holds beside them say whether anybody has spoken. */
export function Fees({ box }: { box: Box }) {
  return (box.fees_at_pod_terminal ?? []).map(({ type, amount, currency_code: currency }) => (
    <Chip key={type} tone="" title={listWords.feeIs(plain(type))}>
      {plain(type)}{' '}
      {amount.toLocaleString('en', {
        style: 'currency',
        currency,
        minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
      })}
    </Chip>
  ))
}

function Chip({ tone, title, children }: { tone: string; title: string; children: ReactNode }) {
  return (
    <span className={`list-chip ${tone}`} title={title}>
      {children}
    </span>
  )
}

/** A column of days in an exported file; `withHour`: with their hours at the place. */
export function timeField<Row>(
  head: string,
  at: (row: Row) => Maybe<string>,
  zone: (row: Row) => Maybe<string>,
  { withHour = false }: { readonly withHour?: boolean } = {},
): Field<Row> {
  return {
    head,
    value: (row) => {
      const instant = at(row)
      if (!instant) return null
      const day = isoDayIn(instant, zone(row))
      return { at: withHour ? `${day}T${localParts(instant, zone(row)).hour}` : day }
    },
  }
}

/** The number of a container, which opens its shipment. */
export function BoxNumber({ row: { box, shipmentId } }: { row: BoxRow }) {
  if (shipmentId === null) return <span className="number">{box.number}</span>
  return (
    <Link to="/shipments/$shipmentId" params={{ shipmentId }} search={{ box: box.number ?? '' }} className="number">
      {box.number}
    </Link>
  )
}

/** The way and the arrival, as lines of a card. */
export function CardWay({ shipment, arrival }: { shipment: Cargo | null; arrival: Omit<ArrivalProps, 'shipment'> }) {
  return (
    <>
      <p>
        <Route shipment={shipment} />
      </p>
      <p>
        {arrival.isActual ? listWords.arrivedOn : listWords.arrivesOn}{' '}
        <Arrival {...arrival} isTicked={false} shipment={shipment} />
      </p>
    </>
  )
}
