/** A place for an invoice, as a paper or as a table: it is read and audited at once. */

import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Connection, type Fault, Refusal, written } from '../api/connection.ts'
import { useConnection } from '../api/queries.ts'
import { auditPaper, type GivenForInvoice, waitUntilRead } from '../documents/audit-paper.ts'
import { uploadOrFind } from '../documents/upload.ts'
import { DropZone } from '../parts/drop-zone.tsx'
import { Panel } from '../parts/panel.tsx'
import { useSay } from '../parts/said-line.tsx'
import { chargeWords } from '../words/charges.ts'
import { ChargeChoice } from './charge-choice.tsx'
import { TableFaults } from './table-faults.tsx'

const words = chargeWords.invoices
const papers = '.pdf,.jpg,.jpeg,.png,.tif,.tiff,.webp'
const tables = '.csv,.tsv,.txt,.xlsx'
const usual = { kind: 'demurrage', charged_by: 'line', currency: 'USD' }

type Step = { readonly file: string } & (
  | { readonly kind: 'sending' | 'reading' }
  | { readonly kind: 'refused'; readonly faults: readonly Fault[]; readonly isPaper: boolean }
)

export function HandInInvoice() {
  const connection = useConnection()
  const queries = useQueryClient()
  const say = useSay()
  const [given, setGiven] = useState<Required<GivenForInvoice>>(usual)
  const [step, setStep] = useState<Step | null>(null)
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    const isPaper = papers.split(',').some((end) => file.name.toLowerCase().endsWith(end))
    const show = (kind: 'sending' | 'reading') => setStep({ file: file.name, kind })
    show('sending')
    try {
      const ignored = isPaper
        ? await takePaper(connection, file, { given, onSent: () => show('reading') })
        : await takeTable(connection, file, given)
      setStep(null)
      say(ignored.length === 0 ? words.audited : words.auditedBut(ignored.join(', ')))
      await queries.invalidateQueries()
    } catch (error) {
      const detail = (error instanceof Error && error.message) || words.notReadYet
      setStep({
        file: file.name,
        kind: 'refused',
        isPaper,
        faults: error instanceof Refusal ? error.faults : [{ status: '', detail }],
      })
    }
  }
  return (
    <Panel title={words.handIn}>
      <p className="quiet">{words.about}</p>
      <fieldset className="filters given">
        <legend>{words.given}</legend>
        <ChargeChoice value={given} onChange={setGiven} hasCurrency />
      </fieldset>
      <DropZone
        label={words.drop}
        choose={words.choose}
        accept={`${papers},${tables}`}
        onFiles={([file]) => void take(file)}
      />
      <p className="said" role="status">
        {step !== null && step.kind !== 'refused' && words[step.kind](step.file)}
      </p>
      {step?.kind === 'refused' && (
        <TableFaults title={words.refused(step.file)} faults={step.faults}>
          {step.isPaper && (
            <p>
              <Link to="/documents">{words.toPaper}</Link>
            </p>
          )}
        </TableFaults>
      )}
    </Panel>
  )
}

/** Both resolve to the columns that were not read. */
async function takePaper(
  connection: Connection,
  file: File,
  { given, onSent }: { readonly given: GivenForInvoice; readonly onSent: () => void },
): Promise<readonly string[]> {
  const id = await uploadOrFind(connection, file)
  onSent()
  await waitUntilRead(connection, id)
  await auditPaper(connection, id, given)
  return []
}

async function takeTable(connection: Connection, file: File, given: GivenForInvoice): Promise<readonly string[]> {
  const made = await connection.sendTable(`/v2/invoices/audits/import${written(given)}`, file)
  const { meta } = made as { readonly meta?: { readonly ignored_columns?: readonly string[] } }
  return meta?.ignored_columns ?? []
}
