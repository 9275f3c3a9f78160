/**
 * Receives the bytes of an upload, and stores them only when they match the announcement: the same size and the same
 * MD5. Bytes that are sent once more are accepted once more, and nothing changes.
 */

import { createHash } from 'node:crypto'
import { memoizePerOwner } from '../../../platform/memoize-per-owner.ts'
import { notFound, ServiceError } from '../../errors.ts'
import { realNow, type Service } from '../../service.ts'
import { readToken } from '../signed-token.ts'
import { writeFile } from '../store-file.ts'
import { findUpload, markUploaded, type Upload } from '../uploads-sql.ts'
import { useQuota } from '../use-quota.ts'
import { stripMediaTypeParameters } from './prepare-upload.ts'

/** Bytes of uploads under way that this process holds in memory, of all accounts and of one. */
const heldBytesMax = { ofAll: 256 * 1_048_576, ofAccount: 128 * 1_048_576 }
const busySeconds = 5

interface ReservedBytes {
  ofAll: number
  readonly ofAccount: Map<string, number>
}
const heldBy = memoizePerOwner<Service, ReservedBytes>(() => ({ ofAll: 0, ofAccount: new Map() }))

export interface SentFile {
  /** Out of the address. */
  readonly token: string
  readonly contentType: string | null
  /** Base64; null when the client does not state it. */
  readonly contentMd5: string | null
  readonly body: AsyncIterable<Buffer>
}

export async function receiveUpload(service: Service, sent: SentFile): Promise<void> {
  const upload = await uploadOf(service, sent)
  const releaseBytes = reserveBytes(service, upload)
  try {
    const bytes = await readExactly(upload, sent.body)
    if (upload.uploadedAt !== null) return
    const giveBack = await useQuota(service, { accountId: upload.accountId, bytes: bytes.length })
    try {
      await writeFile(service, upload, bytes)
      const isThere = await markUploaded(service.pool, { ...upload, at: realNow(service) })
      if (!isThere) throw notFound('upload')
    } catch (error) {
      await giveBack()
      throw error
    }
  } finally {
    releaseBytes()
  }
}

async function uploadOf(service: Service, sent: SentFile): Promise<Upload> {
  const read = readToken(service.encryption, {
    purpose: 'put',
    token: sent.token,
    nowMs: service.clock.now(),
  })
  if (read.kind === 'ended') throw new ServiceError('forbidden', 'This address has expired. Request a new one.')
  const upload = read.kind === 'good' ? await findUpload(service.pool, read.content) : null
  if (upload === null) throw notFound('upload')
  if (upload.contentType !== null && stripMediaTypeParameters(sent.contentType) !== upload.contentType)
    throw new ServiceError('invalid', `Send it as \`${upload.contentType}\`, with the headers of \`direct_upload\`.`, {
      source: { header: 'Content-Type' },
    })
  if (sent.contentMd5 !== null && sent.contentMd5 !== upload.md5.toString('base64'))
    throw new ServiceError('invalid', 'This is not the MD5 that was announced as `checksum`.', {
      source: { header: 'Content-MD5' },
    })
  return upload
}

function reserveBytes(service: Service, { accountId, byteSize }: Upload): () => void {
  const held = heldBy(service)
  const ofThisAccount = held.ofAccount.get(accountId) ?? 0
  if (held.ofAll + byteSize > heldBytesMax.ofAll || ofThisAccount + byteSize > heldBytesMax.ofAccount)
    throw new ServiceError('unavailable', 'Too many files are being uploaded just now. Try again soon.', {
      retryAfterSeconds: busySeconds,
    })
  held.ofAll += byteSize
  held.ofAccount.set(accountId, ofThisAccount + byteSize)
  return () => {
    held.ofAll -= byteSize
    const remaining = (held.ofAccount.get(accountId) ?? 0) - byteSize
    if (remaining > 0) held.ofAccount.set(accountId, remaining)
    else held.ofAccount.delete(accountId)
  }
}

async function readExactly(upload: Upload, body: AsyncIterable<Buffer>): Promise<Buffer> {
  const { byteSize, md5 } = upload
  const chunks: Buffer[] = []
  const hash = createHash('md5')
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > byteSize)
      throw new ServiceError('too_large', `The file has more than the ${byteSize} bytes that were announced.`)
    hash.update(chunk)
    chunks.push(chunk)
  }
  if (size < byteSize)
    throw new ServiceError('invalid', `The file has ${size} bytes; ${byteSize} were announced as \`byte_size\`.`)
  if (!hash.digest().equals(md5))
    throw new ServiceError('invalid', 'The MD5 of the file is not the one that was announced as `checksum`.')
  return Buffer.concat(chunks, size)
}
