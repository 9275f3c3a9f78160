/** Prepares the upload of a file: notes what is to come, and gives the client an address to send it to. */

import { uuidV7 } from '../../../platform/ids.ts'
import { type Context, requireScope } from '../../access/context.ts'
import { refusedAt, ServiceError } from '../../errors.ts'
import { realNow, type Service } from '../../service.ts'
import { rateLimited } from '../../usage/acquire-quota-slot.ts'
import { cleanFileName } from '../file-name.ts'
import { signToken } from '../signed-token.ts'
import { insertUpload, type Upload } from '../uploads-sql.ts'

export interface PreparedUpload {
  readonly upload: Upload
  /** Names the upload when a document is made of it. */
  readonly signedId: string
  /** Part of the address that accepts the bytes. */
  readonly putToken: string
}

/** Announced files that an account has not sent. They are forgotten after `LANDFALL_UPLOADS_KEPT_HOURS`. */
export const unsentUploadsMax = 1_000
const unsentWaitSeconds = 3_600

export async function prepareUpload(
  service: Service,
  context: Context,
  given: {
    readonly fileName: string
    readonly contentType: string | null
    readonly byteSize: number
    /** Base64. */
    readonly checksum: string
  },
): Promise<PreparedUpload> {
  requireScope(context, 'write')
  const { acceptedTypes, mbMax, linkMinutes } = service.config.documents
  const md5 = Buffer.from(given.checksum, 'base64')
  if (md5.length !== 16 || md5.toString('base64') !== given.checksum)
    throw refusedAt('/blob/checksum', 'This must be the MD5 of the file in base64: 24 characters.')
  if (given.byteSize > mbMax * 1_048_576)
    throw new ServiceError('too_large', `A document has at most ${mbMax} MB.`, {
      source: { pointer: '/blob/byte_size' },
    })
  const contentType = stripMediaTypeParameters(given.contentType)
  const isAccepted = contentType === null || acceptedTypes.some((each) => each === contentType)
  if (!isAccepted)
    throw refusedAt('/blob/content_type', `The content type of a document must be one of ${acceptedTypes.join(', ')}.`)
  const accountId = context.account.id
  const id = uuidV7(service.clock.now())
  const upload: Upload = {
    accountId,
    id,
    fileName: cleanFileName(given.fileName),
    contentType,
    byteSize: given.byteSize,
    md5,
    createdAt: realNow(service),
    uploadedAt: null,
    usedAt: null,
  }
  if (!(await insertUpload(service.pool, upload, { unsentMax: unsentUploadsMax })))
    throw rateLimited(
      unsentWaitSeconds,
      `${unsentUploadsMax} prepared uploads have no file yet: send the files, or wait until the uploads expire.`,
    )
  const endsAtMs = service.clock.now() + linkMinutes * 60_000
  return {
    upload,
    signedId: signToken(service.encryption, 'use', { accountId, id, endsAtMs: null }),
    putToken: signToken(service.encryption, 'put', { accountId, id, endsAtMs }),
  }
}

/** Without parameters. Null if it is unknown: then the bytes decide. */
export function stripMediaTypeParameters(given: string | null): string | null {
  const type = given?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type === '' || type === 'application/octet-stream' ? null : type
}
