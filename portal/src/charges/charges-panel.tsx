/** The clock of a container: for each terms that count, every day with its reason, what it costs and will cost. */

import { useAsk } from '../api/queries.ts'
import { Unsaid } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { chargeWords as words } from '../words/charges.ts'
import { sourceWords } from '../words/names.ts'
import './charges.css'
import {
  type Bill,
  type Charge,
  type ChargeDay,
  type ChargesDocument,
  type Money,
  moneyText,
} from './charges-document.ts'

export function ChargesPanel({ boxId, asOf }: { boxId: string; asOf: string | null }) {
  const moment = asOf === null ? '' : `?as_of=${encodeURIComponent(asOf)}`
  const found = useAsk<ChargesDocument>(`/v2/containers/${boxId}/charges${moment}`)
  const about = found.data?.data.attributes
  if (about === undefined) return null
  return (
    <Panel title={words.title}>
      {about.charges.length === 0 && <p className="quiet">{words.none}</p>}
      {about.charges.map((charge) => (
        <ChargeClock key={`${charge.terms.code} ${charge.kind}`} charge={charge} until={about.until} />
      ))}
      {about.reported.map(({ of, day, source, is_believed: isBelieved }) => (
        <p key={`${of} ${source.code} ${day}`} className={isBelieved ? '' : 'quiet'}>
          {words.lastFreeDay}: <strong>{day}</strong>,{' '}
          {words.reported(of, `${sourceWords(source.kind)} ${source.code}`)}
        </p>
      ))}
      {about.differences.map(({ terms, calculated, reported }) => (
        <p key={`${terms.code} ${reported}`} className="late">
          {words.differs(calculated, reported)}
        </p>
      ))}
    </Panel>
  )
}

function ChargeClock({ charge, until }: { charge: Charge; until: string }) {
  const { kind, charged_by: by, charger_code: code, terms, origin, missing, days, owed, forecast, avoidable } = charge
  return (
    <section className="charge">
      <h3>
        {words.kinds[kind] ?? kind}, {words.by[by] ?? by} {code}
      </h3>
      <p className="quiet">
        {words.origins[origin] ?? origin}: {words.terms(terms.code, terms.version)}
      </p>
      {missing !== null ? (
        <span className="unsaid">{words.missing[missing] ?? missing}</span>
      ) : (
        <>
          <ol className="day-strip" aria-label={words.days}>
            {days.map((day) => (
              <li
                key={day.on}
                className={day.is_ahead ? `${day.outcome} ahead` : day.outcome}
                title={`${day.on}: ${day.sentence}`}
              >
                <span className="unseen">
                  {day.on}: {words.outcomes[day.outcome]}
                </span>
              </li>
            ))}
          </ol>
          <dl className="facts">
            <div>
              <dt>
                {words.lastFreeDay}, {words.calculated}
              </dt>
              <dd>{charge.last_free_day ?? <Unsaid />}</dd>
            </div>
            <div>
              <dt>{words.owed}</dt>
              <dd>
                <Total bill={owed} />
              </dd>
            </div>
            <div>
              <dt>{words.forecast(until)}</dt>
              <dd>
                <Total bill={forecast} />
                {avoidable.some(({ minor }) => minor > 0) && (
                  <span className="under">
                    <Amounts amounts={avoidable} /> {words.avoidable}
                  </span>
                )}
              </dd>
            </div>
          </dl>
          <Days days={days} />
        </>
      )}
    </section>
  )
}

function Total({ bill: { totals, unpriced_days: unpriced, unknown_days: unknown } }: { bill: Bill }) {
  return (
    <>
      {totals.length === 0 && unpriced === 0 ? words.nothing : <Amounts amounts={totals} />}
      {unpriced > 0 && <span className="under">{words.unpriced(unpriced)}</span>}
      {unknown > 0 && <span className="under">{words.unknown(unknown)}</span>}
    </>
  )
}

function Amounts({ amounts }: { amounts: readonly Money[] }) {
  return <strong>{amounts.map(moneyText).join(' + ')}</strong>
}

function Days({ days }: { days: readonly ChargeDay[] }) {
  return (
    <details>
      <summary>{words.days}</summary>
      <table>
        <thead>
          <tr>
            {words.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.on} className={day.is_ahead ? 'ahead' : ''}>
              <th scope="row">{day.on}</th>
              <td>
                {words.outcomes[day.outcome]}
                {day.is_ahead && <span className="under">{words.ahead}</span>}
              </td>
              <td>{day.sentence}</td>
              <td>{day.amount === null ? (day.outcome === 'charged' ? words.noPrice : '') : moneyText(day.amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
