/** One document: its kind, the values that were read with their place and how sure, and its shipments. */

import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Document, DocumentRepresentation } from '../../../sdk/typescript/src/description.generated.ts'
import { Joined } from '../api/joined.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Panel } from '../parts/panel.tsx'
import { useSay } from '../parts/said-line.tsx'
import { useAct } from '../parts/use-act.ts'
import { documentWords as words } from '../words/documents.ts'
import { plain } from '../words/names.ts'
import { auditPaper } from './audit-paper.ts'
import { CorrectForm } from './correct-form.tsx'
import { downloadDocument } from './download-document.ts'

const kinds = [
  'bill_of_lading',
  'sea_waybill',
  'arrival_notice',
  'delivery_order',
  'booking_confirmation',
  'commercial_invoice',
  'packing_list',
  'demurrage_invoice',
  'other',
] as const

export function DocumentPart({ documentId, onDeleted }: { documentId: string; onDeleted: () => void }) {
  const connection = useConnection()
  const act = useAct()
  const say = useSay()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const found = useRead('/v2/documents/{id}', {
    ids: [documentId],
    query: { include: 'last_document_representation,shipments' },
  })
  if (found.data === undefined) return null
  const joined = new Joined(found.data)
  const paper = found.data.data
  const read = joined.one(paper.relationships?.last_document_representation)
  const path = `/v2/documents/${documentId}`
  const change = (attributes: object): Promise<boolean> =>
    act(() => connection.ask('PATCH', path, { data: { type: 'document', id: documentId, attributes } }), words.saved)
  const refused = (error: unknown): void => say(error instanceof Error ? error.message : String(error))
  const failure = paper.meta?.failure
  const { document_type: recognised, document_type_manual: manual } = paper.attributes
  const isInvoice = read !== null && (manual ?? recognised) === 'demurrage_invoice'
  const audit = async (): Promise<void> => {
    if (await act(() => auditPaper(connection, documentId), words.audited))
      await navigate({ to: '/charges/$part', params: { part: 'invoices' } })
  }
  return (
    <Panel
      title={paper.attributes.name ?? ''}
      aside={
        <span className="actions">
          {isInvoice && (
            <button type="button" className="primary" onClick={() => void audit()}>
              {words.audit}
            </button>
          )}
          <button type="button" onClick={() => void downloadDocument(connection, documentId).catch(refused)}>
            {words.download}
          </button>
          <button
            type="button"
            onClick={() => void act(() => connection.ask('POST', `${path}/reclassify`), words.againDone)}
          >
            {words.again}
          </button>
          <button type="button" className="danger" onClick={() => setAsking(true)}>
            {words.delete}
          </button>
        </span>
      }
    >
      <KindChoice paper={paper} onChange={(kind) => void change({ document_type_manual: kind })} />
      {failure && (
        <p className="fault">
          {plain(failure.reason ?? '')}. {failure.detail}
        </p>
      )}
      {paper.meta?.state === 'waiting' ? (
        <p role="status">{words.beingRead}</p>
      ) : (
        <>
          <h3>{words.shipments}</h3>
          {joined.many(paper.relationships?.shipments).map(({ id, attributes }) => (
            <p key={id}>
              <Link to="/shipments/$shipmentId" params={{ shipmentId: id }} className="number">
                {attributes.bill_of_lading_number}
              </Link>
            </p>
          ))}
          {(paper.meta?.links ?? []).length === 0 && <p className="quiet">{words.shipmentsNone}</p>}
          <Fields read={read} />
        </>
      )}
      {read !== null && <CorrectForm read={read} onSave={(payload) => change({ extracted_data_manual: payload })} />}
      {isAsking && (
        <Confirm
          title={words.deleteAsk(paper.attributes.name ?? '')}
          about={words.deleteAbout}
          yes={words.delete}
          onYes={() => void act(() => connection.ask('DELETE', path), words.delete).then(onDeleted)}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  )
}

function KindChoice({ paper, onChange }: { paper: Document; onChange: (kind: string | null) => void }) {
  const { document_type: recognised, document_type_manual: manual, classification_notes: why } = paper.attributes
  return (
    <label className="field reference" title={why ?? ''}>
      <span>{words.kind}</span>
      <select value={manual ?? ''} onChange={(event) => onChange(event.target.value || null)}>
        <option value="">{words.automatic(plain(recognised ?? 'unknown'))}</option>
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {plain(kind)}
          </option>
        ))}
      </select>
    </label>
  )
}

function Fields({ read }: { read: DocumentRepresentation | null }) {
  const fields = read?.meta?.fields ?? []
  return (
    <>
      <h3>{words.fields}</h3>
      {read?.meta?.by_person === true && <p className="quiet">{words.byPerson}</p>}
      {fields.length === 0 && <p className="quiet">{words.fieldsNone}</p>}
      {fields.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
        <section className="scroll" aria-label={words.fields} tabIndex={0}>
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
              {fields.map(({ name, value, text, confidence, by, page }) => (
                <tr key={name}>
                  <th scope="row">{fieldName(name)}</th>
                  <td>{String(value)}</td>
                  <td>{text}</td>
                  <td>{page}</td>
                  <td>
                    {words.sure(confidence)}
                    {by === 'model' && <span className="under">{words.byModel}</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  )
}

/** "Charge 1: rate" for `charges[0].rate`. */
function fieldName(name: string): string {
  return plain(
    name
      .replace(/s\[(\d+)\]\.?/, (_, place) => ` ${Number(place) + 1}: `)
      .replace(/: $/, '')
      .replace('.', ': '),
  )
}
