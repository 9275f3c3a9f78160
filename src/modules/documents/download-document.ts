/** The file of a document: a short-lived address that opens this one file, and what is behind it. */

import type { Context } from '../access/context.ts'
import { notFound, ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { findDocument } from './documents-sql.ts'
import { getDocument } from './get-documents.ts'
import { readToken, signToken } from './signed-token.ts'
import { readFile } from './store-file.ts'

/** `token`: part of the address. */
export async function createDownloadToken(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<{ readonly token: string; readonly endsAt: string }> {
  const { id } = await getDocument(service, context, input)
  const endsAtMs = service.clock.now() + service.config.documents.linkMinutes * 60_000
  const content = { accountId: context.account.id, id, endsAtMs }
  return { token: signToken(service.encryption, 'get', content), endsAt: new Date(endsAtMs).toISOString() }
}

export interface Download {
  readonly bytes: Buffer
  readonly fileName: string
  readonly contentType: string | null
}

/** A token that is altered, of another purpose, or of a document that is deleted answers like none. */
export async function openDownload(service: Service, token: string): Promise<Download> {
  const read = readToken(service.encryption, { purpose: 'get', token, nowMs: service.clock.now() })
  if (read.kind === 'ended') throw new ServiceError('forbidden', 'This address has expired. Request a new one.')
  const document = read.kind === 'good' ? await findDocument(service.pool, read.content) : null
  if (document === null || document.discardedAt !== null || document.fileId === null) throw notFound('file')
  const { accountId, fileId, fileName, fileContentType } = document
  const found = await readFile(service, { accountId, id: fileId })
  if (found.kind === 'lost') throw notFound('file')
  return { bytes: found.bytes, fileName, contentType: fileContentType }
}
