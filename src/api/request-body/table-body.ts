/** Bodies that are tables. They are read as bytes, up to the maximum size of a table. Other media types are refused. */

import type { FastifyInstance } from 'fastify'
import { tableBounds } from '../../connectors/spreadsheets/table.ts'
import { headerFault, Problem } from '../errors/problem.ts'
import { csv } from '../http/media-type.ts'

export const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
export const tableTypes = [csv, 'text/tab-separated-values', xlsx, 'application/octet-stream'] as const

/** Routes whose bodies are tables. `add` gets an own scope, so the parsers here do not apply to other routes. */
export function tableRoutes(app: FastifyInstance, add: (routes: FastifyInstance) => void): void {
  app.register(async (routes) => {
    routes.removeAllContentTypeParsers()
    routes.addContentTypeParser([...tableTypes], (request, payload, done) => {
      if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? '')) {
        done(headerFault415('Content-Encoding', 'Send the body as it is, without Content-Encoding.'))
        return
      }
      readBytes(payload).then((bytes) => done(null, bytes), done)
    })
    routes.addContentTypeParser('*', (_request, _payload, done) => {
      done(headerFault415('Content-Type', `Send the table itself, as ${tableTypes.join(', ')}.`))
    })
    add(routes)
  })
}

/** The media type only decides whether the body is accepted. Its bytes show which kind of table it is. */
async function readBytes(payload: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of payload) {
    size += chunk.length
    if (size > tableBounds.fileBytes)
      throw new Problem('too_large', {
        detail: `A table has at most ${tableBounds.fileBytes / 1_048_576} MB.`,
      })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function headerFault415(header: string, detail: string): Problem {
  const { faults } = headerFault('invalid', header, detail)
  return new Problem('unsupported_media_type', faults)
}
