/**
 * Files in a bucket of an S3 service. Requests are signed (Signature Version 4) by aws4fetch and sent by the guarded
 * client, which here reaches only the configured service. The hash of the content is signed too, so that the service
 * refuses what was changed on the way.
 */

import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { Egress, EgressResult } from '../egress.ts'
import { toHostAndPort } from '../egress-target.ts'
import { type FileRange, type FileStore, FileStoreError } from './file-store.ts'

export interface S3Place {
  /** Scheme, host and port, as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
  /** True: `endpoint/bucket/key`. False: the bucket is part of the host. */
  readonly isPathStyle: boolean
}

type Method = 'GET' | 'PUT' | 'DELETE'

/** How long one request may take, and how often it is sent when the service is busy. */
export interface S3RetryPolicy {
  readonly timeoutMs: number
  readonly attempts: number
  readonly pauseMs: number
}

const usual: S3RetryPolicy = { timeoutMs: 20_000, attempts: 3, pauseMs: 200 }
/** The bytes of a file besides its content: the overhead of the encryption. */
const overheadBytes = 1_024

/** The one place that its requests may reach, as the guarded way names places. */
export function toS3HostAndPort(place: S3Place): string {
  return toHostAndPort(baseOf(place))
}

export function openS3Files(
  place: S3Place,
  of: { readonly egress: Egress; readonly bytesMax: number; readonly patience?: S3RetryPolicy },
): FileStore {
  const { egress, bytesMax, patience = usual } = of
  const base = baseOf(place)

  const sendOnce = async (method: Method, id: string, { body, fileRange }: RequestContent): Promise<EgressResult> => {
    const signer = new AwsV4Signer({
      method,
      url: `${base}/${id}`,
      headers: {
        'x-amz-content-sha256': hash('sha256', body ?? ''),
        ...(fileRange !== undefined && {
          range: `bytes=${fileRange.at}-${fileRange.at + fileRange.bytes - 1}`,
        }),
      },
      accessKeyId: place.accessKey,
      secretAccessKey: place.secretKey,
      service: 's3',
      region: place.region,
    })
    const { url, headers } = await signer.sign()
    // The guarded way sets the host itself.
    headers.delete('host')
    return egress.request({
      url: url.href,
      method,
      headers: Object.fromEntries(headers.entries()),
      ...(body === undefined ? {} : { body }),
      timeoutMs: patience.timeoutMs,
      maxBytes: bytesMax + overheadBytes,
      tenant: 'files',
    })
  }

  /** Every verb may be repeated: a key always has the same content. */
  const send = async (method: Method, id: string, content: RequestContent = {}): Promise<Answer> => {
    for (let attempt = 1; ; attempt += 1) {
      const result = await sendOnce(method, id, content)
      const isBusy = result.kind === 'failed' || (result.kind === 'answer' && isBusyStatus(result.status))
      if (!isBusy || attempt >= patience.attempts) return answerOf(method, result)
      await pause(patience.pauseMs * 4 ** (attempt - 1))
    }
  }

  /** A service may send the whole file when a part of it is requested (RFC 9110, 14.2). */
  const read = async (id: string, fileRange: FileRange | undefined): Promise<Buffer | null> => {
    const { status, code, body, isCut } = await send('GET', id, { fileRange })
    if (status === 404 && code !== 'NoSuchBucket') return null
    // The part begins where the file has ended.
    if (status === 416) return Buffer.alloc(0)
    if (status !== 200 && status !== 206) throw refusalOf('GET', status, code)
    if (isCut) throw new FileStoreError('refused', 'The store for files sent more than was ever stored.')
    return status === 206 || fileRange === undefined
      ? body
      : body.subarray(fileRange.at, fileRange.at + fileRange.bytes)
  }

  return {
    put: async (id, bytes) => {
      const { status, code } = await send('PUT', id, { body: bytes })
      if (status !== 200) throw refusalOf('PUT', status, code)
    },
    get: (id) => read(id, undefined),
    getRange: read,
    delete: async (id) => {
      const { status, code } = await send('DELETE', id)
      const isDeleted = status === 204 || status === 200 || (status === 404 && code !== 'NoSuchBucket')
      if (!isDeleted) throw refusalOf('DELETE', status, code)
    },
    // A bucket shows nothing of an upload that was cut off.
    sweep: async () => {},
  }
}

interface RequestContent {
  readonly body?: Buffer
  readonly fileRange?: FileRange | undefined
}

interface Answer {
  readonly status: number
  /** The error code of S3. */
  readonly code: string | null
  readonly body: Buffer
  readonly isCut: boolean
}

function answerOf(method: Method, result: EgressResult): Answer {
  if (result.kind === 'refused')
    throw new FileStoreError('refused', `No request can be sent to the store for files: ${result.reason}`)
  if (result.kind === 'failed')
    throw new FileStoreError('away', `The store for files failed (${method}): ${result.message}.`)
  const { status, body, truncated } = result
  const code = status < 300 ? null : (/<Code>(\w{1,64})<\/Code>/.exec(body.toString('latin1'))?.[1] ?? null)
  return { status, code, body, isCut: truncated }
}

function isBusyStatus(status: number): boolean {
  return status === 429 || status >= 500
}

function refusalOf(method: Method, status: number, code: string | null): FileStoreError {
  const summary = `${method}: ${status}${code === null ? '' : ` ${code}`}`
  return isBusyStatus(status)
    ? new FileStoreError('away', `The store for files is busy (${summary}).`)
    : new FileStoreError('refused', `The store for files refuses us (${summary}).`)
}

function baseOf({ endpoint, bucket, isPathStyle }: S3Place): string {
  const url = new URL(endpoint)
  return isPathStyle
    ? `${url.origin}/${encodeURIComponent(bucket)}`
    : `${url.protocol}//${encodeURIComponent(bucket)}.${url.host}`
}
