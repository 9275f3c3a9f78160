/** Uploads a file: prepares the upload, sends the bytes, and creates the document. */

import { md5 } from '@noble/hashes/legacy.js'
import { type Connection, Refusal } from '../api/connection.ts'

interface Prepared {
  readonly signed_id: string
  readonly direct_upload: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
}

/** Resolves to the id of the document. */
export async function uploadDocument(connection: Connection, file: File): Promise<string> {
  const checksum = btoa(String.fromCharCode(...md5(new Uint8Array(await file.arrayBuffer()))))
  const blob = {
    filename: file.name,
    content_type: file.type || 'application/octet-stream',
    byte_size: file.size,
    checksum,
  }
  const prepared = (await connection.ask('POST', '/rails/active_storage/direct_uploads', {
    blob,
  })) as Prepared
  const { url, headers } = prepared.direct_upload
  const sent = await fetch(url, { method: 'PUT', body: file, headers: { ...headers } })
  if (!sent.ok) throw new Error(`The upload answered ${sent.status}.`)
  const attributes = { name: file.name, attached_document: prepared.signed_id }
  const made = await connection.ask('POST', '/v2/documents', { data: { type: 'document', attributes } })
  return (made as { readonly data: { readonly id: string } }).data.id
}

/** The same, but the same file that is there already is no error. */
export async function uploadOrFind(connection: Connection, file: File): Promise<string> {
  return uploadDocument(connection, file).catch((error: unknown) => {
    const known = error instanceof Refusal ? error.faults[0]?.meta?.['existing_document_id'] : undefined
    if (typeof known === 'string') return known
    throw error
  })
}
