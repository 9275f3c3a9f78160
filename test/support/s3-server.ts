/**
 * A real server that speaks S3 on loopback. It takes any signature of version 4, so in front of it every signature is
 * checked.
 */

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'
import { findSignatureFault } from './s3-signature.ts'

/** The only key that it knows. */
export const s3Key = { accessKey: 'S3RVER', secretKey: 'S3RVER' }

export interface S3Server {
  readonly endpoint: string
  readonly close: () => Promise<void>
}

export async function openS3Server(bucket: string): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  const front = createServer((request, response) => void pass(port, request, response))
  await once(front.listen(0, '127.0.0.1'), 'listening')
  let isOpen = true
  return {
    endpoint: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    close: async () => {
      if (!isOpen) return
      isOpen = false
      front.closeAllConnections()
      front.close()
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function pass(port: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request)
  const { method = '', url = '', headers } = request
  const signed = { method, url, headers: headers as Record<string, string>, body }
  const fault = findSignatureFault(signed, { [s3Key.accessKey]: s3Key.secretKey })
  if (fault !== null) {
    response.writeHead(403).end(`<Error><Code>${fault}</Code></Error>`)
    return
  }
  const onward = send({ host: '127.0.0.1', port, method, path: url, headers })
  onward.end(body)
  const [answer] = (await once(onward, 'response')) as [IncomingMessage]
  response.writeHead(answer.statusCode ?? 500, answer.headers)
  answer.pipe(response)
}
