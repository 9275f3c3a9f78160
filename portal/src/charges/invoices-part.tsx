/** Invoices that were compared with the days that are counted here: each with its lines, its days and its evidence. */

import { useState } from 'react'
import type { InvoiceAudit } from '../../../sdk/typescript/src/description.generated.ts'
import { nameDay } from '../../../src/domain/view/day-count.ts'
import { useConnection } from '../api/queries.ts'
import { auditPaper } from '../documents/audit-paper.ts'
import { downloadDocument } from '../documents/download-document.ts'
import { ReadMore } from '../lists/read-more.tsx'
import { useRows } from '../lists/use-rows.ts'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { Reading } from '../parts/reading.tsx'
import { todayIn } from '../parts/time.ts'
import { useAct } from '../parts/use-act.ts'
import { chargeWords } from '../words/charges.ts'
import { ChargeChoice } from './charge-choice.tsx'
import { moneyText, moneyTexts } from './charges-document.ts'
import { downloadEvidence } from './download-evidence.ts'
import { HandInInvoice } from './hand-in-invoice.tsx'
import './charges.css'
import './invoices.css'

const words = chargeWords.invoices
type Audited = Required<InvoiceAudit['attributes']>
type Day = Audited['days'][number]

export function InvoicesPart() {
  const found = useRows('/v2/invoices/audits')
  if (found.error !== null) return <ProblemNote error={found.error} again={found.again} />
  if (found.rows.length === 0 && !found.isEmpty) return <Reading />
  return (
    <>
      <HandInInvoice />
      {found.isEmpty && <p>{words.none}</p>}
      {found.rows.map((audit, place) => (
        <Audit key={audit.id} audit={audit} title={titleOf(audit, found.rows.slice(0, place))} />
      ))}
      <ReadMore list={found} />
    </>
  )
}

/** `newer`: the audits before it in the list, which may be of the same invoice. */
function titleOf({ attributes: { number = null } }: InvoiceAudit, newer: readonly InvoiceAudit[]): string {
  return words.invoice(number, newer.filter(({ attributes }) => attributes.number === number).length)
}

function Audit({ audit: { id, attributes }, title }: { audit: InvoiceAudit; title: string }) {
  const connection = useConnection()
  const act = useAct()
  // safe: the list asks for all attributes
  const audit = attributes as Audited
  const { document_id: documentId } = audit
  const missing = audit.missing_items.filter((each) => each.is_certain)
  return (
    <Panel title={title}>
      <p className="quiet">
        {[chargeWords.kinds[audit.kind] ?? audit.kind, chargeWords.by[audit.charged_by], audit.charger_code]
          .filter(Boolean)
          .join(', ')}
        . {words.madeAt} <Moment at={audit.made_at} zone="UTC" />
      </p>
      <dl className="verdicts">
        <Verdict name={words.inDispute} amounts={audit.in_dispute} tone="disputed" />
        <Verdict name={words.agreed} amounts={audit.agreed} tone="agrees" />
        <Verdict name={words.notJudged} amounts={audit.not_judged} tone="unknown" />
      </dl>
      <Lines audit={audit} title={words.lines(title)} />
      {missing.length > 0 && (
        <details>
          <summary>{words.missing(missing.length)}</summary>
          <ul className="plain-list">
            {missing.map(({ clause, item }) => (
              <li key={clause}>
                {item.replaceAll('_', ' ')} <span className="quiet">46 CFR {clause}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      <details>
        <summary>{words.days(audit.days.length)}</summary>
        <ul className="plain-list audited-days">
          {audit.days.map((day) => (
            <AuditedDay key={`${day.line} ${day.container} ${day.on}`} day={day} />
          ))}
        </ul>
      </details>
      {documentId !== null && <AuditAgain audit={audit} documentId={documentId} />}
      <p className="buttons">
        <button type="button" onClick={() => void act(() => downloadEvidence(connection, id, 'json'), words.saved)}>
          {words.pack}
        </button>
        <button type="button" onClick={() => void act(() => downloadEvidence(connection, id, 'pdf'), words.saved)}>
          {words.paper}
        </button>
        {documentId !== null && (
          <button type="button" onClick={() => void act(() => downloadDocument(connection, documentId), words.opened)}>
            {words.open}
          </button>
        )}
      </p>
    </Panel>
  )
}

/** What the invoice says, so that somebody can see whether it was read well. */
function Lines({ audit, title }: { audit: Audited; title: string }) {
  const today = todayIn(null)
  const { currency } = audit
  const day = (on: string | null) => (on === null ? <Unsaid /> : <time dateTime={on}>{nameDay(on, today)}</time>)
  const money = (minor: number | null) => (minor === null ? <Unsaid /> : moneyText({ minor, currency }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
    <section className="scroll" aria-label={title} tabIndex={0}>
      <table className="invoice-lines">
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
          {audit.lines.map((line, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and do not change
            <tr key={place}>
              <th scope="row" className="number">
                {line.container ?? <Unsaid />}
              </th>
              {[
                day(line.from),
                day(line.to),
                line.free_days ?? <Unsaid />,
                money(line.rate_minor),
                money(line.amount_minor),
              ].map((value, column) => (
                <td key={words.columns[column + 1]} data-label={words.columns[column + 1]}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Unsaid() {
  return (
    <span className="quiet" title={words.unsaid}>
      <span aria-hidden="true">–</span>
      <span className="unseen">{words.unsaid}</span>
    </span>
  )
}

/** A paper shows by its look who charges, so the audit may have taken it for another charge. */
function AuditAgain({ audit, documentId }: { audit: Audited; documentId: string }) {
  const connection = useConnection()
  const act = useAct()
  const { kind, charged_by, currency } = audit
  const [as, setAs] = useState({ kind: String(kind), charged_by: String(charged_by), currency })
  const again = (): Promise<boolean> => act(() => auditPaper(connection, documentId, {}, as), words.audited)
  return (
    <details>
      <summary>{words.again}</summary>
      <div className="filters given">
        <ChargeChoice value={as} onChange={setAs} />
        <button type="button" onClick={() => void again()}>
          {words.auditAgain}
        </button>
      </div>
    </details>
  )
}

interface VerdictProps {
  readonly name: string
  readonly amounts: Audited['agreed']
  readonly tone: Day['finding']
}

function Verdict({ name, amounts, tone }: VerdictProps) {
  return (
    <div className={amounts.length === 0 ? 'unknown' : tone}>
      <dt>{name}</dt>
      <dd>{amounts.length === 0 ? <span className="quiet">{words.nothing}</span> : moneyTexts(amounts)}</dd>
    </div>
  )
}

function AuditedDay({ day: { on, container, finding, sentence, billed } }: { day: Day }) {
  return (
    <li className={finding}>
      <strong>
        <time dateTime={on}>{nameDay(on, todayIn(null))}</time>
      </strong>{' '}
      {container ?? words.noContainer} {billed === null ? '' : moneyText(billed)}{' '}
      <span className="finding">{words.findings[finding]}</span>
      <span className="under">{sentence}</span>
    </li>
  )
}
