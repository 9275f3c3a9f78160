/** Uploads a file: prepares the upload, sends the bytes, and creates the document. */

import { md5 } from '@noble/hashes/legacy.js'
import type { Connection } from '../api/connection.ts'

interface Prepared {
  readonly signed_id: string
  readonly direct_upload: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
}

export async function uploadDocument(connection: Connection, file: File): Promise<void> {
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
  await connection.ask('POST', '/v2/documents', { data: { type: 'document', attributes } })
}
