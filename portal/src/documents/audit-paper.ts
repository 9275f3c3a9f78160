/** Audits the invoice that was read of a document. */

import { type Connection, Refusal } from '../api/connection.ts'

/** What an invoice does not say, by the names of the API. */
export type GivenForInvoice = Readonly<Partial<Record<'kind' | 'charged_by' | 'currency', string>>>

/** `given` is used only where the paper does not say it, `as` instead of what it says. */
export async function auditPaper(
  connection: Connection,
  documentId: string,
  given: GivenForInvoice = {},
  as: GivenForInvoice = {},
): Promise<unknown> {
  const send = (more: GivenForInvoice): Promise<unknown> => {
    const attributes = { document_id: documentId, ...more }
    return connection.ask('POST', '/v2/invoices/audits', { data: { type: 'invoice_audit', attributes } })
  }
  return send(as).catch((error: unknown) => {
    const unsaid = error instanceof Refusal ? error.faults.map(({ source }) => source?.pointer?.split('/').at(-1)) : []
    const more = Object.fromEntries(Object.entries(given).filter(([name]) => unsaid.includes(name)))
    if (Object.keys(more).length === 0) throw error
    return send({ ...more, ...as })
  })
}

const everyMs = 1_000
const waitMs = 180_000

/** Resolves once the document was read; throws the reason when it cannot be. */
export async function waitUntilRead(connection: Connection, documentId: string): Promise<void> {
  for (const until = Date.now() + waitMs; ; ) {
    const { data } = await connection.read('/v2/documents/{id}', { ids: [documentId] })
    const { state, failure } = data.meta ?? {}
    if (state === 'read') return
    if (state === 'failed') throw new Error(failure?.detail ?? failure?.reason ?? state)
    if (Date.now() > until) throw new Error('')
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
