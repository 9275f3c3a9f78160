/** What needs somebody: one line for each container, shipment or request, under the day of action. */

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AttentionEntry } from '../../../sdk/typescript/src/description.generated.ts'
import { describeDaysLeft, nameDay } from '../../../src/domain/view/day-count.ts'
import { moneyTexts } from '../charges/charges-document.ts'
import { todayIn } from '../parts/time.ts'
import { attentionWords as words } from '../words/attention.ts'
import './attention.css'

const groups = ['overdue', 'today', 'tomorrow', 'this_week', 'waiting'] as const
type Group = (typeof groups)[number]

/** Numbers of the whole list, as the server counts them. */
export interface AttentionMeta {
  readonly counts?: Readonly<Record<Group, number>>
  readonly done_today?: number
  readonly is_cut?: boolean
  readonly unknown?: Readonly<Record<string, number | null>>
}

interface EntriesProps {
  readonly entries: readonly AttentionEntry[]
  readonly meta: AttentionMeta
  /** Left out: nothing can be done in this place. */
  readonly actions?: (entry: AttentionEntry) => ReactNode
}

export function AttentionEntries({ entries, meta, actions }: EntriesProps) {
  // On the overview they are within a panel that has a heading.
  const Heading = actions === undefined ? 'h3' : 'h2'
  return groups.map((group) => {
    const of = entries.filter(({ attributes }) => attributes.group === group)
    if (of.length === 0) return null
    return (
      <section key={group} className="inbox" aria-label={words.groups[group]}>
        <Heading>
          {words.groups[group]} <span className="quiet">{meta.counts?.[group] ?? of.length}</span>
        </Heading>
        <ul className="plain-list">
          {of.map((entry) => (
            <Entry key={entry.id} entry={entry}>
              {actions?.(entry)}
            </Entry>
          ))}
        </ul>
      </section>
    )
  })
}

const tones: Readonly<Record<string, string>> = { overdue: 'late', today: 'soon', tomorrow: 'soon' }

function Entry({ entry, children }: { entry: AttentionEntry; children: ReactNode }) {
  const { attributes } = entry
  const { group = '', reasons = [], customer_name: customer, ref_numbers: references = [] } = attributes
  const port = attributes.port_of_discharge_name ?? attributes.port_of_discharge_locode
  return (
    <li className={`entry ${tones[group] ?? ''}`}>
      <div className="entry-subject">
        <Subject entry={entry} />
        <span className="under">
          {[attributes.scac, attributes.bill_of_lading_number]
            .filter((each) => each && each !== attributes.number)
            .join(' · ')}
        </span>
      </div>
      <div className="entry-where">
        {[customer, ...references.slice(0, 1)].filter(Boolean).join(' · ')}
        {port && <span className="quiet">{port}</span>}
      </div>
      <ul className="entry-reasons">
        {reasons.map(({ id, short, text, severity, done, snoozed_until: snoozed }) => (
          <li key={id} title={text} className={done || snoozed ? 'past' : severity}>
            {short}
          </li>
        ))}
      </ul>
      <ActBy entry={entry} />
      <Cost entry={entry} />
      {children}
    </li>
  )
}

function ActBy({ entry: { attributes } }: { entry: AttentionEntry }) {
  const { last_day: day, days_left: left, group = '' } = attributes
  if (!day || left === null || left === undefined) return <div className="entry-when" />
  return (
    <div className={`entry-when ${tones[group] ?? ''}`}>
      <time dateTime={day}>{nameDay(day, todayIn(null))}</time>
      <span>{describeDaysLeft(left)}</span>
    </div>
  )
}

function Cost({ entry: { attributes } }: { entry: AttentionEntry }) {
  const { owed = [], per_day: perDay = [], fees = [] } = attributes.money ?? {}
  const lines = [
    owed.length > 0 && words.owed(moneyTexts(owed)),
    perDay.length > 0 && words.perDay(moneyTexts(perDay)),
    fees.length > 0 && words.fees(moneyTexts(fees)),
  ].filter((each) => each !== false)
  return (
    <div className="entry-cost">
      {lines.map((line, index) => (
        <span key={line} className={index === 0 ? '' : 'under'}>
          {line}
        </span>
      ))}
    </div>
  )
}

function Subject({ entry: { attributes, relationships } }: { entry: AttentionEntry }) {
  const shipmentId = relationships?.shipment?.data?.id
  const { number = '' } = attributes
  if (shipmentId === undefined || relationships?.tracking_request?.data)
    return (
      <Link to="/track" search={{ numbers: number }} className="number">
        {number}
      </Link>
    )
  return (
    <Link
      to="/shipments/$shipmentId"
      params={{ shipmentId }}
      search={relationships?.container?.data ? { box: number } : {}}
      className="number"
    >
      {number}
    </Link>
  )
}

/** Of what nothing is known, since unknown is not the same as none. */
export function UnknownCounts({ meta: { unknown = {} } }: { meta: AttentionMeta }) {
  const counted = Object.entries(unknown).filter(([, count]) => count !== 0)
  if (counted.length === 0) return null
  return (
    <details className="quiet">
      <summary>{words.unknown}</summary>
      <ul>
        {counted.map(([reason, count]) => (
          <li key={reason}>{words.unknowns(words.reasons[reason] ?? reason, count)}</li>
        ))}
      </ul>
    </details>
  )
}
