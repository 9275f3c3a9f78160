/**
 * /rails/active_storage/direct_uploads: prepares the upload of a file, as clients of Active Storage know it. The
 * address in the answer accepts the bytes without a key: it is signed, for this one file and a short time.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { Problem } from '../../api/errors/problem.ts'
import { readPathParameter } from '../../api/http/path-parameters.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { refuseParameters } from '../../api/query/query.ts'
import { originOfRequest, sendNothing, sendPlain } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { writeTime } from '../../api/shape/whole-times.ts'
import { Type } from '../../platform/json-schema.ts'
import type { Service } from '../service.ts'
import { readUpload, uploadBody } from './document-input.ts'
import { type PreparedUpload, prepareUpload } from './uploads/prepare-upload.ts'
import { receiveUpload } from './uploads/receive-upload.ts'

const answer = schema.object(
  {
    id: schema.id(),
    key: schema.text(),
    filename: schema.text(),
    content_type: schema.textOrNull(),
    metadata: Type.Unsafe({ type: 'object' }),
    service_name: schema.text(),
    byte_size: Type.Integer(),
    checksum: schema.text(),
    created_at: schema.instant(),
    signed_id: schema.text({ description: 'Names the file in `attached_document` of a new document.' }),
    direct_upload: schema.object({
      url: schema.text({ format: 'uri', description: 'Send the bytes to this URL by PUT.' }),
      headers: Type.Unsafe({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Headers that must be sent with the bytes.',
      }),
    }),
  },
  { description: 'The file can be uploaded.' },
)

export function directUploads(app: FastifyInstance, service: Service): void {
  app.post(
    '/rails/active_storage/direct_uploads',
    {
      schema: describeOperation({
        id: 'createDirectUpload',
        tag: 'Documents',
        summary: 'Prepare the upload of a file',
        description:
          'Send the bytes by PUT to `direct_upload.url`, with `direct_upload.headers`. Then create a document with `signed_id`.',
        body: uploadBody,
        answer,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      const prepared = await prepareUpload(service, context, readUpload(request.body))
      return sendPlain({ request, reply }, writePrepared(request, prepared))
    },
  )
  receiveBytes(app, service)
}

function writePrepared(request: FastifyRequest, { upload, signedId, putToken }: PreparedUpload): object {
  return {
    id: upload.id,
    key: upload.id,
    filename: upload.fileName,
    content_type: upload.contentType,
    metadata: {},
    service_name: 'landfall',
    byte_size: upload.byteSize,
    checksum: upload.md5.toString('base64'),
    created_at: writeTime(upload.createdAt),
    signed_id: signedId,
    direct_upload: {
      url: `${originOfRequest(request)}/rails/active_storage/disk/${putToken}`,
      headers: upload.contentType === null ? {} : { 'Content-Type': upload.contentType },
    },
  }
}

/** In a scope of its own, because its body is a file of any media type. */
function receiveBytes(app: FastifyInstance, service: Service): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // The bytes are read by the verb, which knows how many are to come.
    scope.addContentTypeParser('*', (_request: FastifyRequest, body: AsyncIterable<Buffer>, done: ParserDone) =>
      done(null, body),
    )
    scope.put(
      '/rails/active_storage/disk/:token',
      { config: { isOpen: true }, schema: { hide: true } },
      async (request, reply) => {
        const { headers } = request
        if (!/^(identity)?$/i.test(headers['content-encoding'] ?? ''))
          throw new Problem('unsupported_media_type', {
            detail: 'Send the file as it is, without Content-Encoding.',
          })
        const md5 = headers['content-md5']
        await receiveUpload(service, {
          token: readPathParameter(request.params, 'token'),
          contentType: headers['content-type'] ?? null,
          contentMd5: typeof md5 === 'string' ? md5 : null,
          body: (request.body as AsyncIterable<Buffer> | undefined) ?? noBytes(),
        })
        return sendNothing(reply)
      },
    )
  })
}

type ParserDone = (error: Error | null, body?: unknown) => void

async function* noBytes(): AsyncGenerator<Buffer> {}
