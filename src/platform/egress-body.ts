// An answer's body, read up to a limit and unpacked while it arrives. The limit counts unpacked bytes, so that a small
// answer that unpacks to gigabytes costs no more than any other. Bytes after the limit are not read.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'

export type Body =
  | { readonly kind: 'body'; readonly bytes: Buffer; readonly isTruncated: boolean }
  | { readonly kind: 'unreadable'; readonly message: string }

export const acceptedEncodings = 'gzip, deflate, br'

/** Rejects only when the connection breaks. A body longer than the limit is cut there, and the connection is ended. */
export function readBody(response: IncomingMessage, bytesMax: number): Promise<Body> {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const unpacked = decompressBody(response, encoding)
  if (unpacked === null) {
    response.destroy()
    const message = `the body's content-encoding is ${JSON.stringify(encoding.slice(0, 40))}; ${acceptedEncodings} were asked for`
    return Promise.resolve({ kind: 'unreadable', message })
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    unpacked.on('data', (chunk: Buffer) => {
      chunks.push(chunk.subarray(0, bytesMax - length))
      length += chunk.length
      if (length <= bytesMax) return
      resolve({ kind: 'body', bytes: Buffer.concat(chunks), isTruncated: true })
      response.destroy()
      unpacked.destroy()
    })
    unpacked.once('end', () => resolve({ kind: 'body', bytes: Buffer.concat(chunks), isTruncated: false }))
    response.on('error', reject)
    response.once('close', () => {
      if (!response.complete) reject(Object.assign(new Error('the answer ended too early'), { code: 'ECONNRESET' }))
    })
    if (unpacked !== response) {
      unpacked.on('error', (error) => {
        resolve({ kind: 'unreadable', message: `the ${encoding} body cannot be unpacked: ${error.message}` })
        response.destroy()
      })
    }
  })
}

function decompressBody(response: IncomingMessage, encoding: string): Readable | null {
  if (encoding === 'identity' || encoding === '') return response
  // createUnzip recognises gzip and deflate by their first bytes.
  if (encoding === 'gzip' || encoding === 'x-gzip' || encoding === 'deflate') return response.pipe(createUnzip())
  return encoding === 'br' ? response.pipe(createBrotliDecompress()) : null
}
