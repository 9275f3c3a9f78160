// The same documents with their files in a bucket: they are encrypted there, and the work waits while the bucket cannot
// be reached.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileStoreOf } from '../../../src/pipeline/response-archive/file-store.ts'
import { readConfig } from '../../../src/platform/config.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { paper, testReaders } from '../../support/document-readers.ts'
import { blobOf, handIn, make, prepare, put } from '../../support/hand-in.ts'
import { openS3Server, type S3Server, s3Key } from '../../support/s3-server.ts'

let s3: S3Server
let api: TestApi
before(async () => {
  s3 = await openS3Server('papers')
  api = await openTestApi({
    env: {
      LANDFALL_FILES: 's3',
      LANDFALL_S3_ENDPOINT: s3.endpoint,
      LANDFALL_S3_BUCKET: 'papers',
      LANDFALL_S3_ACCESS_KEY: s3Key.accessKey,
      LANDFALL_S3_SECRET_KEY: s3Key.secretKey,
    },
  })
  testReaders(api.service)
})
after(async () => {
  await api.close()
  await s3.close()
})

test('stores a document encrypted in the bucket, reads it from there, and downloads it through Landfall', async () => {
  const bytes = paper('arrival_notice', 'bill=BUCKET1')
  const id = await handIn(api, api.key, bytes)
  const { rows } = await api.service.pool.query<{ fileId: string }>(
    'select file_id as "fileId" from documents where id = $1',
    [id],
  )
  const stored = await fileStoreOf(api.service).get(rows[0]?.fileId ?? '')
  assert.ok(stored !== null && stored.length > bytes.length)
  assert.equal(stored.includes('BUCKET1'), false)
  await api.drain()
  const document = await api.call({ url: `/v2/documents/${id}` })
  assert.equal(document.one().attributes['document_type'], 'arrival_notice')
  const { body } = await api.call({ url: `/v2/documents/${id}/download_url` })
  const file = await api.app.inject({ url: new URL(String(body['download_url'])).pathname })
  assert.deepEqual(file.rawPayload, bytes)
})

test('keeps stored documents and answers 503 to uploads while the bucket is unreachable', async () => {
  const bytes = paper('arrival_notice', 'bill=BUCKET2')
  const id = await handIn(api, api.key, bytes)
  await s3.close()
  const later = paper('arrival_notice', 'bill=BUCKET3')
  const prepared = await prepare(api, api.key, blobOf(later))
  const refused = await put(api, prepared, later)
  assert.equal(refused.statusCode, 503)
  assert.equal(refused.headers['retry-after'], '60')
  assert.doesNotMatch(refused.body, /127\.0\.0\.1|papers|S3RVER/)
  assert.ok(api.service.operatorIssues.active().includes('file_store_fails'))
  await api.drain()
  const waits = await api.call({ url: `/v2/documents/${id}` })
  assert.equal((waits.one() as unknown as { meta: { state: string } }).meta.state, 'waiting')
  assert.equal((await make(api, api.key, { attached_document: prepared.signed_id })).status, 422)
})

test('refuses to start with an incomplete bucket configuration, naming the missing setting', () => {
  const config = readConfig({ LANDFALL_FILES: 's3', LANDFALL_S3_BUCKET: 'papers' })
  assert.throws(() => fileStoreOf({ ...api.service, config }), /LANDFALL_S3_ENDPOINT/)
})
