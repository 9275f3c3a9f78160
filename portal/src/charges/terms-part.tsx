/** The terms on record with all their versions; new ones by a form or a table, tried before they are recorded. */

import { useState } from 'react'
import type { ChargeTerms } from '../../../sdk/typescript/src/description.generated.ts'
import { useRead } from '../api/queries.ts'
import { Table } from '../operate/table.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { Reading } from '../parts/reading.tsx'
import { chargeWords } from '../words/charges.ts'
import { plain } from '../words/names.ts'
import { moneyText } from './charges-document.ts'
import './terms.css'
import { TakeTable } from './table-import.tsx'
import { TermsForm, type TermsVersion } from './terms-form.tsx'

const words = chargeWords.termsPage

export function TermsPart() {
  const found = useRead('/v2/charge_terms')
  const [start, setStart] = useState<ChargeTerms | null>(null)
  if (found.error !== null) return <ProblemNote error={found.error} again={() => void found.refetch()} />
  if (found.data === undefined) return <Reading />
  const all = found.data.data
  return (
    <>
      <Panel title={chargeWords.parts['terms'] ?? ''}>
        <p className="quiet">{words.about}</p>
        {all.length === 0 ? (
          <p>{words.none}</p>
        ) : (
          <Table label={chargeWords.parts['terms'] ?? ''} columns={words.columns}>
            {all.map((terms) => (
              <Row key={terms.id} terms={terms} onStart={() => setStart(terms)} />
            ))}
          </Table>
        )}
      </Panel>
      <div className="two-columns">
        <Panel title={words.new}>
          <TermsForm key={start?.id ?? ''} start={start} />
        </Panel>
        <Panel title={chargeWords.import.title}>
          <TakeTable kind="charge_terms" />
        </Panel>
      </div>
    </>
  )
}

function Row({ terms: { attributes }, onStart }: { terms: ChargeTerms; onStart: () => void }) {
  const { code = '', versions = [] } = attributes
  const [newest] = versions
  if (newest === undefined) return null
  return (
    <tr>
      <th scope="row">
        <code>{code}</code>
        {newest.withdrawn && <span className="under late">{words.withdrawn}</span>}
      </th>
      <td>
        {chargeWords.kinds[newest.kind] ?? newest.kind}
        <span className="under">
          {chargeWords.origins[newest.origin] ?? newest.origin}, {chargeWords.by[newest.charged_by]}{' '}
          {newest.charger_code}
        </span>
      </td>
      <td>
        {newest.free} {words.units[newest.free_unit] ?? newest.free_unit}
        {newest.calendar !== null && <span className="under">{newest.calendar}</span>}
      </td>
      <td>
        <Tiers terms={newest} />
      </td>
      <td>
        {words.events[newest.start] ?? newest.start}
        <span className="under">… {newest.stop.map((event) => words.events[event] ?? event).join(', ')}</span>
      </td>
      <td>{newest.stops_for.map((each) => plain(each.replace(':', ' '))).join(', ') || '–'}</td>
      <td>
        <details>
          <summary>{words.versions(versions.length)}</summary>
          <ol reversed className="plain-list">
            {versions.map((version) => (
              <li key={version.version}>
                <strong>{version.version}</strong> <Moment at={version.recorded_at} zone="UTC" />
                <span className="under">
                  {words.valid(version.valid_from, version.valid_to)}; {version.free} {words.units[version.free_unit]}
                </span>
                <Tiers terms={version} />
                {version.source !== null && <span className="under">{version.source}</span>}
              </li>
            ))}
          </ol>
        </details>
        <button type="button" className="link" onClick={onStart}>
          {words.from}
          <span className="unseen">: {code}</span>
        </button>
      </td>
    </tr>
  )
}

function Tiers({ terms: { tiers, currency } }: { terms: TermsVersion }) {
  return (
    <ul className="plain-list tiers">
      {tiers.map(({ from, to, rate_minor: minor }) => (
        <li key={from}>
          {words.days(from, to)}:{' '}
          {minor === null ? (
            <span className="unsaid">{words.noRate}</span>
          ) : (
            <strong>{moneyText({ minor, currency })}</strong>
          )}
        </li>
      ))}
    </ul>
  )
}
