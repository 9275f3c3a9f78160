/** Invoices that were held against the days that are counted here: hand one in, see each day, take the evidence away. */

import { useState } from 'react'
import type { InvoiceAudit } from '../../../sdk/typescript/src/description.generated.ts'
import { useConnection } from '../api/queries.ts'
import { ReadMore } from '../lists/read-more.tsx'
import { useRows } from '../lists/use-rows.ts'
import { DropZone } from '../parts/drop-zone.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { useAct } from '../parts/use-act.ts'
import { chargeWords } from '../words/charges.ts'
import { words as common } from '../words/words.ts'
import { moneyText, moneyTexts } from './charges-document.ts'
import { downloadEvidence } from './download-evidence.ts'
import './charges.css'
import './invoices.css'

const words = chargeWords.invoices
type Audited = Required<InvoiceAudit['attributes']>
type Day = Audited['days'][number]

export function InvoicesPart() {
  const connection = useConnection()
  const act = useAct()
  const found = useRows('/v2/invoices/audits')
  const [faults, setFaults] = useState<readonly string[]>([])
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    setFaults([])
    await act(
      () =>
        connection.sendTable('/v2/invoices/audits/import', file).catch((error: unknown) => {
          setFaults((error as Error).message.split(/(?<=\.) (?=Row )/))
          throw error
        }),
      words.audited,
    )
  }
  if (found.error !== null) return <ProblemNote error={found.error} again={found.again} />
  if (found.rows.length === 0 && !found.isEmpty) return <p className="quiet">{common.reading}</p>
  return (
    <>
      <Panel title={words.handIn}>
        <p className="quiet">{words.about}</p>
        <DropZone label={words.drop} choose={words.choose} accept=".csv,.xlsx" onFiles={([file]) => void take(file)} />
        {faults.length > 0 && (
          <div className="problem" role="alert">
            <h3>{words.refused}</h3>
            <ul className="plain-list">
              {faults.map((fault) => (
                <li key={fault}>{fault}</li>
              ))}
            </ul>
          </div>
        )}
      </Panel>
      {found.isEmpty && <p>{words.none}</p>}
      {found.rows.map((audit) => (
        <Audit key={audit.id} audit={audit} />
      ))}
      <ReadMore list={found} />
    </>
  )
}

function Audit({ audit: { id, attributes } }: { audit: InvoiceAudit }) {
  const connection = useConnection()
  const act = useAct()
  // safe: the list asks for all attributes
  const audit = attributes as Audited
  const missing = audit.missing_items.filter((each) => each.is_certain)
  return (
    <Panel title={words.invoice(audit.number)}>
      <p className="quiet">
        {chargeWords.kinds[audit.kind] ?? audit.kind}, {chargeWords.by[audit.charged_by]} {audit.charger_code}.{' '}
        {words.madeAt} <Moment at={audit.made_at} zone="UTC" />
      </p>
      <dl className="verdicts">
        <Verdict name={words.inDispute} amounts={audit.in_dispute} tone="disputed" />
        <Verdict name={words.agreed} amounts={audit.agreed} tone="agrees" />
        <Verdict name={words.notJudged} amounts={audit.not_judged} tone="unknown" />
      </dl>
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
      <p className="buttons">
        <button type="button" onClick={() => void act(() => downloadEvidence(connection, id, 'json'), words.saved)}>
          {words.pack}
        </button>
        <button type="button" onClick={() => void act(() => downloadEvidence(connection, id, 'pdf'), words.saved)}>
          {words.paper}
        </button>
      </p>
    </Panel>
  )
}

interface VerdictProps {
  readonly name: string
  readonly amounts: Audited['agreed']
  readonly tone: Day['finding']
}

function Verdict({ name, amounts, tone }: VerdictProps) {
  return (
    <div className={tone}>
      <dt>{name}</dt>
      <dd>{amounts.length === 0 ? words.nothing : moneyTexts(amounts)}</dd>
    </div>
  )
}

function AuditedDay({ day: { on, container, finding, sentence, billed } }: { day: Day }) {
  return (
    <li className={finding}>
      <strong>{on}</strong> {container ?? words.noContainer} {billed === null ? '' : moneyText(billed)}{' '}
      <span className="finding">{words.findings[finding]}</span>
      <span className="under">{sentence}</span>
    </li>
  )
}
