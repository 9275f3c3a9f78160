import type { Connection } from '../api/connection.ts'
import { saveFile } from '../parts/save-file.ts'

/** Saves the evidence of an audit as a file: the signed pack, or the paper for people. */
export async function downloadEvidence(connection: Connection, auditId: string, kind: 'json' | 'pdf'): Promise<void> {
  const path = `/v2/invoices/audits/${auditId}/evidence${kind === 'pdf' ? '.pdf' : ''}`
  saveFile(await connection.blob(path), `evidence-${auditId}.${kind}`)
}
