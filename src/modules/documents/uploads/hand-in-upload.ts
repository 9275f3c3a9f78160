/** Makes a document of a file that was uploaded before, named by its signed id. */

import type { DocumentType } from '../../../connectors/papers/document.ts'
import type { Db } from '../../../db/database.ts'
import { type Context, requireScope } from '../../access/context.ts'
import { refusedAt } from '../../errors.ts'
import { realNow, type Service } from '../../service.ts'
import {
  type DocumentToHandIn,
  FileInUseError,
  type HandInResult,
  handInDocument,
  makeDocument,
} from '../hand-in-document.ts'
import type { LinkChanges } from '../set-links.ts'
import { readToken } from '../signed-token.ts'
import { readFile } from '../store-file.ts'
import { acquireUploadedFile, findUpload, type Upload } from '../uploads-sql.ts'

/** `at`: the place of the signed id in the body. */
export async function handInUpload(
  service: Service,
  context: Context,
  given: {
    readonly signedId: string
    readonly at: string
    readonly name: string | null
    readonly documentTypeManual: DocumentType | null
    readonly id?: string | undefined
  } & LinkChanges,
): Promise<HandInResult> {
  requireScope(context, 'write')
  const upload = await uploadOf(service, context, given)
  const found = await readFile(service, upload)
  if (found.kind === 'lost') throw refusedAt(given.at, 'The file of this upload is gone. Upload it again.')
  const handedIn: DocumentToHandIn = {
    bytes: found.bytes,
    fileName: upload.fileName,
    contentType: upload.contentType,
    name: given.name,
    source: 'api',
    addedBy: null,
    emailSubmissionId: null,
    documentTypeManual: given.documentTypeManual,
    links: given,
    id: given.id,
  }
  if (upload.usedAt === null) {
    try {
      const at = realNow(service)
      const acquireFile = (db: Db) => acquireUploadedFile(db, { ...upload, at })
      return await makeDocument(service, context, handedIn, { fileId: upload.id, take: acquireFile })
    } catch (error) {
      if (!(error instanceof FileInUseError)) throw error
    }
  }
  // The first document of this upload has the file. Another one gets a copy.
  return handInDocument(service, context, handedIn)
}

/** An upload of another account answers like none. */
async function uploadOf(
  service: Service,
  context: Context,
  { signedId, at }: { readonly signedId: string; readonly at: string },
): Promise<Upload> {
  const read = readToken(service.encryption, { purpose: 'use', token: signedId, nowMs: service.clock.now() })
  const isOwn = read.kind === 'good' && read.content.accountId === context.account.id
  const upload = isOwn ? await findUpload(service.pool, read.content) : null
  if (upload === null)
    throw refusedAt(at, 'This is no `signed_id` of an upload of this account, or the upload has expired.')
  if (upload.uploadedAt === null)
    throw refusedAt(at, 'The file has not been uploaded yet: send it to `direct_upload.url` first.')
  return upload
}
