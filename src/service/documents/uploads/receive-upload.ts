/**
 * Takes the bytes of an upload, and keeps them only when they are what was announced: as many, with the same MD5. Sent
 * once more they are taken once more, and nothing changes.
 */

import { createHash } from 'node:crypto'
import { findUpload, markUploaded, type Upload } from '../../../store/inbound/uploads.ts'
import { notFound, ServiceError } from '../../errors.ts'
import { keptBeside } from '../../ground/kept-beside.ts'
import { realNow, type Service } from '../../service.ts'
import { writeFile } from '../files/keep-file.ts'
import { takeQuota } from '../hand-in/quota.ts'
import { readToken } from '../signed/signed-token.ts'
import { bareType } from './prepare-upload.ts'

/** Bytes of uploads under way that this process holds in memory, of all accounts and of one. */
const heldBytesMax = { ofAll: 256 * 1_048_576, ofAccount: 128 * 1_048_576 }
const busySeconds = 5

interface Held {
  ofAll: number
  readonly ofAccount: Map<string, number>
}
const heldBy = keptBeside<Service, Held>(() => ({ ofAll: 0, ofAccount: new Map() }))

export interface SentFile {
  /** Out of the address. */
  readonly token: string
  readonly contentType: string | null
  /** Base64; null when the client does not say. */
  readonly contentMd5: string | null
  readonly body: AsyncIterable<Buffer>
}

export async function receiveUpload(service: Service, sent: SentFile): Promise<void> {
  const upload = await uploadOf(service, sent)
  const releaseRoom = holdRoom(service, upload)
  try {
    const bytes = await readExactly(upload, sent.body)
    if (upload.uploadedAt !== null) return
    const giveBack = await takeQuota(service, { accountId: upload.accountId, bytes: bytes.length })
    try {
      await writeFile(service, upload, bytes)
      const isThere = await markUploaded(service.pool, { ...upload, at: realNow(service) })
      if (!isThere) throw notFound('upload')
    } catch (error) {
      await giveBack()
      throw error
    }
  } finally {
    releaseRoom()
  }
}

async function uploadOf(service: Service, sent: SentFile): Promise<Upload> {
  const read = readToken(service.vault, { purpose: 'put', token: sent.token, nowMs: service.clock.now() })
  if (read.kind === 'ended')
    throw new ServiceError(
      'forbidden',
      'This address was good for a short time, which is over. Ask for another.',
    )
  const upload = read.kind === 'good' ? await findUpload(service.pool, read.content) : null
  if (upload === null) throw notFound('upload')
  if (upload.contentType !== null && bareType(sent.contentType) !== upload.contentType)
    throw new ServiceError(
      'invalid',
      `Send it as \`${upload.contentType}\`, with the headers of \`direct_upload\`.`,
      {
        source: { header: 'Content-Type' },
      },
    )
  if (sent.contentMd5 !== null && sent.contentMd5 !== upload.md5.toString('base64'))
    throw new ServiceError('invalid', 'This is not the MD5 that was announced as `checksum`.', {
      source: { header: 'Content-MD5' },
    })
  return upload
}

function holdRoom(service: Service, { accountId, byteSize }: Upload): () => void {
  const held = heldBy(service)
  const own = held.ofAccount.get(accountId) ?? 0
  if (held.ofAll + byteSize > heldBytesMax.ofAll || own + byteSize > heldBytesMax.ofAccount)
    throw new ServiceError('unavailable', 'Too many files are being uploaded just now. Try again soon.', {
      retryAfterSeconds: busySeconds,
    })
  held.ofAll += byteSize
  held.ofAccount.set(accountId, own + byteSize)
  return () => {
    held.ofAll -= byteSize
    const rest = (held.ofAccount.get(accountId) ?? 0) - byteSize
    if (rest > 0) held.ofAccount.set(accountId, rest)
    else held.ofAccount.delete(accountId)
  }
}

async function readExactly(upload: Upload, body: AsyncIterable<Buffer>): Promise<Buffer> {
  const { byteSize, md5 } = upload
  const parts: Buffer[] = []
  const hash = createHash('md5')
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > byteSize)
      throw new ServiceError('too_large', `The file has more than the ${byteSize} bytes that were announced.`)
    hash.update(part)
    parts.push(part)
  }
  if (size < byteSize)
    throw new ServiceError(
      'invalid',
      `The file has ${size} bytes; ${byteSize} were announced as \`byte_size\`.`,
    )
  if (!hash.digest().equals(md5))
    throw new ServiceError('invalid', 'The MD5 of the file is not the one that was announced as `checksum`.')
  return Buffer.concat(parts, size)
}
