/** Sends documents as clients do: prepare, upload, create. */

import { createHash } from 'node:crypto'
import type { Answer, TestApi } from './api.ts'

export interface Blob {
  readonly filename: string
  readonly content_type: string | null
  readonly byte_size: number
  readonly checksum: string
}

export function blobOf(bytes: Buffer, filename = 'arrival-notice.pdf', type: string | null = 'application/pdf'): Blob {
  const checksum = createHash('md5').update(bytes).digest('base64')
  return { filename, content_type: type, byte_size: bytes.length, checksum }
}

export interface Prepared {
  readonly id: string
  readonly signed_id: string
  readonly direct_upload: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
}

export async function prepare(api: TestApi, key: string, blob: Blob): Promise<Prepared> {
  const answer = await api.call({
    method: 'POST',
    url: '/rails/active_storage/direct_uploads',
    key,
    body: { blob },
    headers: { 'content-type': 'application/json' },
  })
  return answer.body as unknown as Prepared
}

/** Sends the bytes as the client of `direct_upload` does: no key. */
export function put(api: TestApi, { direct_upload: { url, headers } }: Prepared, bytes: Buffer) {
  return api.app.inject({ method: 'PUT', url: new URL(url).pathname, headers, payload: bytes })
}

export async function upload(api: TestApi, key: string, bytes: Buffer, blob = blobOf(bytes)): Promise<string> {
  const prepared = await prepare(api, key, blob)
  const { statusCode, body } = await put(api, prepared, bytes)
  if (statusCode !== 204) throw new Error(`PUT answered ${statusCode} ${body}`)
  return prepared.signed_id
}

export function make(api: TestApi, key: string, attributes: object, relationships?: object): Promise<Answer> {
  const data = { type: 'document', attributes, ...(relationships === undefined ? {} : { relationships }) }
  return api.call({ method: 'POST', url: '/v2/documents', key, body: { data } })
}

/** Uploads the file and makes a document of it. Returns its id. */
export async function handIn(
  api: TestApi,
  key: string,
  bytes: Buffer,
  more: { readonly filename?: string; readonly type?: string; readonly name?: string } = {},
): Promise<string> {
  const signedId = await upload(api, key, bytes, blobOf(bytes, more.filename, more.type))
  const attributes = { attached_document: signedId, ...(more.name === undefined ? {} : { name: more.name }) }
  return (await make(api, key, attributes)).one().id
}
