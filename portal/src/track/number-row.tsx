/** One number with its kind, its line and its state. Whatever can be sent, or sent again, can be changed here. */

import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { useRead } from '../api/queries.ts'
import { Badge } from '../parts/badge.tsx'
import { trackWords as words } from '../words/track.ts'
import type { Item, Kind, outcomeOf, Row } from './rows.ts'

interface NumberRowProps {
  readonly row: Row
  readonly item: Item | undefined
  readonly outcome: ReturnType<typeof outcomeOf>
  readonly onChange: (change: Partial<Row>) => void
  readonly onRemove: () => void
}

const failed = ['wrong', 'unknown', 'unanswered']

export function NumberRow({ row, item, outcome, onChange, onRemove }: NumberRowProps) {
  const [wasWrong, setWrong] = useState(false)
  const isFailed = outcome !== null && failed.includes(outcome.is)
  const isOpen = isFailed || (row.sent === null && outcome === null)
  // The field stays while the reader is in it.
  if (isFailed && !wasWrong) setWrong(true)
  const lines = (useRead('/v2/shipping_lines').data?.data ?? []).map(({ attributes }) => ({
    scac: attributes.scac ?? '',
    name: attributes.short_name ?? attributes.name ?? '',
  }))
  const line = lines.find(({ scac }) => scac === (item?.request?.scac ?? row.scac))
  return (
    <tr className={isFailed ? `failed ${outcome.is}` : undefined}>
      <th scope="row" className="number">
        {isOpen && wasWrong ? <NumberField row={row} onChange={onChange} /> : row.number}
        {row.refs.length > 0 && <span className="under">{row.refs.join(', ')}</span>}
        {row.times > 1 && <span className="under">{words.times(row.times)}</span>}
      </th>
      <td>
        {isOpen ? (
          <select
            aria-label={`${words.kind}: ${row.number}`}
            value={row.kind ?? ''}
            onChange={(event) => onChange({ kind: (event.target.value || null) as Kind | null })}
          >
            <option value="">{words.kindByAsking}</option>
            {Object.entries(words.kinds).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        ) : (
          row.kind !== null && words.kinds[row.kind]
        )}
      </td>
      <td>{isOpen ? <LineField row={row} lines={lines} onChange={onChange} /> : line?.name}</td>
      <td className="state">
        <State row={row} outcome={outcome} />
        {item?.request?.shipment_id != null && (
          <Link to="/shipments/$shipmentId" params={{ shipmentId: item.request.shipment_id }}>
            {words.open} <span className="unseen">{row.number}</span>
          </Link>
        )}
        {outcome?.is === 'already' && (
          <a href={`/shipments/find?q=${encodeURIComponent(row.number)}`}>
            {words.open} <span className="unseen">{row.number}</span>
          </a>
        )}
        {isOpen && row.suggestion !== null && (
          <button
            type="button"
            className="link"
            onClick={(event) => {
              event.currentTarget.closest('tr')?.querySelector('input')?.focus()
              onChange({ number: row.suggestion ?? '' })
            }}
          >
            {words.use(row.suggestion)}
          </button>
        )}
      </td>
      <td className="remove">
        {(isOpen || row.sent === null) && (
          <button type="button" className="bare" aria-label={words.remove(row.number)} onClick={onRemove}>
            ×
          </button>
        )}
      </td>
    </tr>
  )
}

function State({ row, outcome }: Pick<NumberRowProps, 'row' | 'outcome'>) {
  if (outcome !== null)
    return (
      <>
        <Badge said={words.outcomes[outcome.is]} />
        {outcome.why !== '' && <span className="under">{outcome.why}</span>}
      </>
    )
  if (row.isReading) return <span className="quiet">{words.reading}</span>
  return (
    <>
      {row.certainty === null ? words.ready : words.certainties[row.certainty]}
      {row.note !== '' && <span className="under">{row.note}</span>}
    </>
  )
}

/** A change counts when the reader leaves the field or presses Enter. */
function NumberField({ row, onChange }: Pick<NumberRowProps, 'row' | 'onChange'>) {
  const [typed, setTyped] = useState({ of: row.number, text: row.number })
  if (typed.of !== row.number) setTyped({ of: row.number, text: row.number })
  const commit = (): void => {
    const number = typed.text.trim()
    if (number !== row.number) onChange({ number, times: 1 })
  }
  const commitByKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') commit()
  }
  return (
    <input
      aria-label={`${words.number}: ${row.number}`}
      value={typed.text}
      maxLength={100}
      spellCheck={false}
      autoCapitalize="characters"
      onChange={(event) => setTyped({ of: row.number, text: event.target.value })}
      onBlur={commit}
      onKeyDown={commitByKey}
    />
  )
}

interface Line {
  readonly scac: string
  readonly name: string
}

function LineField({ row, lines, onChange }: Pick<NumberRowProps, 'row' | 'onChange'> & { lines: readonly Line[] }) {
  const likely = row.candidates.map((candidate) => lines.find(({ scac }) => scac === candidate.scac) ?? candidate)
  const others = lines.filter((line) => !likely.includes(line))
  const [first] = likely
  return (
    <select
      aria-label={`${words.line}: ${row.number}`}
      value={row.scac}
      onChange={(event) => onChange({ scac: event.target.value })}
    >
      <option value="">
        {row.certainty === 'likely' && first !== undefined ? words.firstThenOthers(first.name) : words.byAsking}
      </option>
      {[
        { label: words.likelyLines, of: likely },
        { label: words.allLines, of: others },
      ]
        .filter(({ of }) => of.length > 0)
        .map(({ label, of }) => (
          <optgroup key={label} label={label}>
            {of.map(({ scac, name }) => (
              <option key={scac} value={scac}>
                {name} · {scac}
              </option>
            ))}
          </optgroup>
        ))}
    </select>
  )
}
