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
  readonly hasReferences: boolean
  readonly onChange: (change: Partial<Row>) => void
  readonly onRemove: () => void
}

const failed = ['wrong', 'unknown', 'unanswered']

export function NumberRow({ row, item, outcome, hasReferences, onChange, onRemove }: NumberRowProps) {
  const [wasWrong, setWrong] = useState(false)
  const isFailed = outcome !== null && failed.includes(outcome.is)
  const isOpen = row.sent === null || isFailed
  // The field stays while the reader is in it.
  if (isFailed && !wasWrong) setWrong(true)
  const lines = useRead('/v2/shipping_lines').data?.data ?? []
  const line = lines.find(({ attributes }) => attributes.scac === (item?.request?.scac ?? row.scac))
  return (
    <tr className={isFailed ? 'failed' : undefined}>
      <th scope="row" className="number">
        {isOpen && wasWrong ? <NumberField row={row} onChange={onChange} /> : row.number}
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
      <td>{isOpen ? <LineField row={row} lines={lines} onChange={onChange} /> : line?.attributes.name}</td>
      {hasReferences && <td>{row.refs.join(', ')}</td>}
      <td>
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
          <button type="button" className="link" onClick={() => onChange({ number: row.suggestion ?? '' })}>
            {words.use(row.suggestion)}
          </button>
        )}
      </td>
      <td>
        {isOpen && (
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
  readonly attributes: { readonly scac?: string; readonly name?: string }
}

function LineField({ row, lines, onChange }: Pick<NumberRowProps, 'row' | 'onChange'> & { lines: readonly Line[] }) {
  const [first] = row.candidates
  const likely = row.candidates.map(({ scac }) => scac)
  return (
    <select
      aria-label={`${words.line}: ${row.number}`}
      value={row.scac}
      onChange={(event) => onChange({ scac: event.target.value })}
    >
      <option value="">
        {row.certainty === 'likely' && first !== undefined ? words.firstThenOthers(first.name) : words.byAsking}
      </option>
      {likely.length > 0 && (
        <optgroup label={words.likelyLines}>
          {row.candidates.map(({ scac, name }) => (
            <option key={scac} value={scac}>
              {name} · {scac}
            </option>
          ))}
        </optgroup>
      )}
      <optgroup label={words.allLines}>
        {lines
          .filter(({ attributes }) => !likely.includes(attributes.scac ?? ''))
          .map(({ attributes }) => (
            <option key={attributes.scac} value={attributes.scac}>
              {attributes.name} · {attributes.scac}
            </option>
          ))}
      </optgroup>
    </select>
  )
}
