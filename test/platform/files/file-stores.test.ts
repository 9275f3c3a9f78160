// Files on disk and in a bucket behave alike. The bucket is that of a real server that checks signatures.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createEgress } from '../../../src/platform/egress.ts'
import { openDiskFiles } from '../../../src/platform/files/disk-files.ts'
import { type FileFault, type FileStore, FileStoreError } from '../../../src/platform/files/file-store.ts'
import { openS3Files, type S3Place, toS3HostAndPort } from '../../../src/platform/files/s3-files.ts'
import { openS3Server, type S3Server, s3Key } from '../../support/s3-server.ts'
import { findSignatureFault } from '../../support/s3-signature.ts'

const bucket = 'landfall-files'
let s3: S3Server
let folder: string
before(async () => {
  s3 = await openS3Server(bucket)
  folder = mkdtempSync(join(tmpdir(), 'landfall-disk-'))
})
after(async () => {
  await s3.close()
  rmSync(folder, { recursive: true, force: true })
})

const patience = { timeoutMs: 300, attempts: 2, pauseMs: 1 }

function inBucket(over: Partial<S3Place> = {}): FileStore {
  const place: S3Place = {
    endpoint: s3.endpoint,
    bucket,
    region: 'us-east-1',
    isPathStyle: true,
    ...s3Key,
    ...over,
  }
  const egress = createEgress({ allowedNetworks: [], allowLoopback: true, only: [toS3HostAndPort(place)] })
  return openS3Files(place, { egress, bytesMax: 2_000_000, patience: { ...patience, timeoutMs: 3_000 } })
}

const faultIs = (fault: FileFault, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof FileStoreError, String(error))
  assert.equal(error.fault, fault, error.message)
  assert.match(error.message, words)
  assert.doesNotMatch(`${error.message} ${error.stack}`, /a-wrong-secret/)
  return true
}

for (const [name, open] of [
  ['on disk', () => openDiskFiles(folder)],
  ['in a bucket', () => inBucket()],
] as const)
  describe(`a store ${name}`, () => {
    test('returns the stored bytes, of any size and content', async () => {
      const store = open()
      for (const size of [0, 1, 65_536, 1_500_000]) {
        const [id, bytes] = [randomUUID(), randomBytes(size)]
        await store.put(id, bytes)
        assert.deepEqual(await store.get(id), bytes, String(size))
      }
    })

    test('returns a byte range, cut off at the end of the file', async () => {
      const [store, id, bytes] = [open(), randomUUID(), randomBytes(70_000)]
      await store.put(id, bytes)
      for (const [at, size] of [
        [0, 10],
        [12_345, 50_000],
        [69_990, 100],
        [70_000, 1],
      ] as const)
        assert.deepEqual(await store.getRange(id, { at, bytes: size }), bytes.subarray(at, at + size), `${at} ${size}`)
      assert.equal(await store.getRange(randomUUID(), { at: 0, bytes: 1 }), null)
    })

    test('returns nothing for an unknown id, and deletes a missing file without an error', async () => {
      const store = open()
      assert.equal(await store.get(randomUUID()), null)
      await store.delete(randomUUID())
    })

    test('replaces a file that is stored again, and has none that was deleted', async () => {
      const [store, id] = [open(), randomUUID()]
      await store.put(id, Buffer.from('one'))
      await store.put(id, Buffer.from('two'))
      assert.equal(String(await store.get(id)), 'two')
      await store.delete(id)
      assert.equal(await store.get(id), null)
    })

    test('keeps one complete file when several are written at once', async () => {
      const [store, id] = [open(), randomUUID()]
      const all = Array.from({ length: 8 }, (_, at) => Buffer.alloc(100_000, at))
      await Promise.all(all.map((bytes) => store.put(id, bytes)))
      const stored = await store.get(id)
      assert.ok(all.some((bytes) => bytes.equals(stored ?? Buffer.alloc(0))))
    })
  })

describe('a store on disk', () => {
  test('can be read only by its owner, and leaves no unfinished file', async () => {
    const [store, id] = [openDiskFiles(folder), randomUUID()]
    await store.put(id, Buffer.from('x'))
    const shard = join(folder, id.slice(-2), id.slice(-4, -2))
    assert.equal(statSync(join(shard, id)).mode & 0o777, 0o600)
    assert.equal(statSync(shard).mode & 0o777, 0o700)
    assert.deepEqual(readdirSync(join(folder, 'unfinished')), [])
  })

  test('removes the files of a killed process, but not a file that is being written', async () => {
    const unfinished = join(folder, 'unfinished')
    mkdirSync(unfinished, { recursive: true })
    writeFileSync(join(unfinished, 'old'), 'half')
    writeFileSync(join(unfinished, 'new'), 'half')
    utimesSync(join(unfinished, 'old'), 0, 0)
    await openDiskFiles(folder).sweep(new Date('2020-01-01'))
    assert.deepEqual(readdirSync(unfinished), ['new'])
    rmSync(join(unfinished, 'new'))
  })

  test('refuses an id that would be a path', async () => {
    for (const id of ['../../etc/passwd', `${randomUUID()}/x`, ''])
      await assert.rejects(openDiskFiles(folder).put(id, Buffer.from('x')))
  })

  test('reports that its folder cannot be used', async () => {
    const file = join(folder, 'no-folder')
    writeFileSync(file, '')
    await assert.rejects(openDiskFiles(file).put(randomUUID(), Buffer.from('x')), faultIs('refused', /folder/))
  })
})

test('the check of S3 signatures accepts the example that the service publishes', () => {
  const request = {
    method: 'GET',
    url: '/test.txt',
    body: Buffer.alloc(0),
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    },
  }
  const keys = { AKIAIOSFODNN7EXAMPLE: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
  assert.equal(findSignatureFault(request, keys), null)
  assert.equal(findSignatureFault({ ...request, url: '/test.txd' }, keys), 'SignatureDoesNotMatch')
})

describe('a store in a bucket', () => {
  test('reports a wrong key, a wrong secret and a missing bucket', async () => {
    const id = randomUUID()
    const wrong = inBucket({ secretKey: 'a-wrong-secret' })
    await assert.rejects(wrong.put(id, Buffer.from('x')), faultIs('refused', /403 SignatureDoesNotMatch/))
    const stranger = inBucket({ accessKey: 'STRANGER', secretKey: 'a-wrong-secret' })
    await assert.rejects(stranger.get(id), faultIs('refused', /403 InvalidAccessKeyId/))
    const nowhere = inBucket({ bucket: 'another-bucket' })
    await assert.rejects(nowhere.put(id, Buffer.from('x')), faultIs('refused', /404 NoSuchBucket/))
    await assert.rejects(nowhere.get(id), faultIs('refused', /404 NoSuchBucket/))
    await assert.rejects(nowhere.delete(id), faultIs('refused', /404 NoSuchBucket/))
  })

  test('connects only to the allowed address', async () => {
    const egress = createEgress({ allowedNetworks: [], allowLoopback: true, only: ['127.0.0.1:1'] })
    const place = { endpoint: s3.endpoint, bucket, region: 'us-east-1', isPathStyle: true, ...s3Key }
    const store = openS3Files(place, { egress, bytesMax: 1_000, patience })
    await assert.rejects(store.get(randomUUID()), faultIs('refused', /No request can be sent/))
  })

  test('may have the bucket in the host name', () => {
    const place = { bucket, region: 'eu', ...s3Key, isPathStyle: false }
    assert.equal(toS3HostAndPort({ ...place, endpoint: 'https://s3.example.com' }), 'landfall-files.s3.example.com:443')
    assert.equal(
      toS3HostAndPort({ ...place, endpoint: 'http://s3.example.com:9000' }),
      'landfall-files.s3.example.com:9000',
    )
    const inPath = { ...place, isPathStyle: true }
    assert.equal(toS3HostAndPort({ ...inPath, endpoint: 'http://[::1]:9000' }), '::1:9000')
  })
})

/** A server without a file store behind it; the test sets its answers. */
async function openFaulty(answer: Parameters<typeof createServer>[1]): Promise<[FileStore, Server]> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const place: S3Place = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket,
    region: 'us-east-1',
    isPathStyle: true,
    ...s3Key,
  }
  const egress = createEgress({ allowedNetworks: [], allowLoopback: true, only: [toS3HostAndPort(place)] })
  return [openS3Files(place, { egress, bytesMax: 10_000, patience }), server]
}

describe('a faulty S3 service', () => {
  test('is retried when it is busy', async () => {
    let requested = 0
    const [store, server] = await openFaulty((request, response) => {
      requested += 1
      request.resume()
      response.writeHead(requested === 1 ? 503 : 200).end(requested === 1 ? '<Error><Code>SlowDown</Code></Error>' : '')
    })
    await store.put(randomUUID(), Buffer.from('x'))
    assert.equal(requested, 2)
    server.close()
  })

  test('counts as unavailable when it stays busy, is too slow or breaks off, and no partial file is used', async () => {
    const cases: readonly (readonly [string, Parameters<typeof createServer>[1], RegExp])[] = [
      [
        'busy',
        (_request, response) => response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>'),
        /busy \(GET: 503 SlowDown\)/,
      ],
      ['slow', () => {}, /no complete answer in time/],
      [
        'cut off',
        (_request, response) => {
          response.writeHead(200, { 'content-length': '1000' })
          response.write('x'.repeat(500), () => response.destroy())
        },
        /ended too early|ECONNRESET|hang up|aborted/i,
      ],
    ]
    for (const [name, answer, words] of cases) {
      const [store, server] = await openFaulty(answer)
      await assert.rejects(store.get(randomUUID()), faultIs('away', words), name)
      server.closeAllConnections()
      server.close()
    }
  })

  test('is refused when it sends more than any stored file', async () => {
    const [store, server] = await openFaulty((_request, response) => response.end('x'.repeat(20_000)))
    await assert.rejects(store.get(randomUUID()), faultIs('refused', /more than was ever stored/))
    server.close()
  })

  test('counts as unavailable when it is not running', async () => {
    const [store, server] = await openFaulty(() => {})
    server.close()
    await once(server, 'close')
    await assert.rejects(store.get(randomUUID()), faultIs('away', /GET/))
  })
})
