/** Every container on the clock, most urgent first: how long it is free, what it costs, and a bar of its days. */

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { describeDaysLeft, nameDay } from '../../../src/domain/view/day-count.ts'
import { Badge } from '../parts/badge.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { Reading } from '../parts/reading.tsx'
import { chargeWords } from '../words/charges.ts'
import { statusWords } from '../words/names.ts'
import { words as common } from '../words/words.ts'
import { ChargeTiles } from './charge-tiles.tsx'
import { ChargesPanel } from './charges-panel.tsx'
import { type Clock, type ClockState, clockStates } from './clock.ts'
import { ClockBar, ClockScale } from './clock-bar.tsx'
import './clocks.css'
import { moneyTexts } from './charges-document.ts'
import { useClocks } from './use-clocks.ts'

const words = chargeWords.clocks
const shownAtFirst = 100

export function ClocksPart() {
  const { clocks, sums, until, error, isRead, isComplete, hasMore, readMore, again } = useClocks()
  const [state, setState] = useState<ClockState | ''>('')
  const [shownMax, setShownMax] = useState(shownAtFirst)
  if (error !== null) return <ProblemNote error={error} again={again} />
  if (!isRead && clocks.length === 0) return <Reading />
  const chosen = clocks.filter((clock) => state === '' || clock.state === state)
  return (
    <>
      <ChargeTiles sums={sums} until={until} />
      {!isComplete && <p className="quiet">{words.partly}</p>}
      <fieldset className="clock-states" aria-label={common.list.status}>
        {(['', ...clockStates] as const).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={state === each}
            className={`chip ${each}`}
            onClick={() => setState(each)}
          >
            {each === '' ? words.all : words.states[each]}{' '}
            <b>{each === '' ? clocks.length : clocks.filter((clock) => clock.state === each).length}</b>
          </button>
        ))}
      </fieldset>
      {chosen.length === 0 ? (
        <p className="empty">{clocks.length === 0 ? words.none : words.noneHere}</p>
      ) : (
        <section className="clocks panel" aria-label={chargeWords.page}>
          <ClockScale />
          <ol>
            {chosen.slice(0, shownMax).map((clock) => (
              <Row key={clock.boxId} clock={clock} />
            ))}
          </ol>
        </section>
      )}
      {(chosen.length > shownMax || hasMore) && (
        <p>
          <button
            type="button"
            onClick={() => {
              setShownMax(shownMax + shownAtFirst)
              if (hasMore) readMore()
            }}
          >
            {words.more}
          </button>
        </p>
      )}
    </>
  )
}

function Row({ clock }: { clock: Clock }) {
  const [isOpen, setOpen] = useState(false)
  const { boxId, number, shipmentId, status, state, kinds } = clock
  return (
    <li className={`clock ${state}`}>
      <div className="clock-box">
        {shipmentId === null ? (
          <span className="number">{number}</span>
        ) : (
          <Link to="/shipments/$shipmentId" params={{ shipmentId }} search={{ box: number }} className="number">
            {number}
          </Link>
        )}
        <span className="under">
          {status !== null && <Badge said={statusWords(status)} />}{' '}
          {kinds.map((kind) => chargeWords.kinds[kind] ?? kind).join(', ')}
        </span>
      </div>
      <Countdown clock={clock} />
      <ClockBar clock={clock} />
      <Cost clock={clock} />
      <button
        type="button"
        className="bare clock-open"
        aria-expanded={isOpen}
        aria-label={words.details(number)}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">{isOpen ? '−' : '+'}</span>
      </button>
      {isOpen && (
        <div className="clock-days">
          <ChargesPanel boxId={boxId} asOf={null} />
        </div>
      )}
    </li>
  )
}

function Countdown({ clock: { daysLeft, named, today, unknown } }: { clock: Clock }) {
  if (daysLeft === null)
    return (
      <div className="clock-left">
        <strong>{words.states.unknown}</strong>
        <span className="under">
          {words.noDay} {unknown.map((reason) => words.reasons[reason] ?? reason).join(', ')}
        </span>
      </div>
    )
  return (
    <div className="clock-left">
      <strong>{describeDaysLeft(daysLeft)}</strong>
      <span className="under">{named.map((day) => chargeWords.freeDay(nameDay(day.on, today), day)).join('; ')}</span>
    </div>
  )
}

function Cost({ clock: { owed, avoidable, unpricedDays, state } }: { clock: Clock }) {
  const isCounted = owed.length > 0
  return (
    <div className="clock-cost">
      {isCounted ? (
        <strong>{moneyTexts(owed)}</strong>
      ) : state === 'charged' || state === 'ended' ? (
        <span className="unsaid">{words.notPriced}</span>
      ) : null}
      {unpricedDays > 0 && <span className="under">{words.unpriced(unpricedDays)}</span>}
      {avoidable.length > 0 && <span className="under">{words.saved(moneyTexts(avoidable))}</span>}
    </div>
  )
}
