// The queue of documents: it survives a crash, serves accounts in rotation, a task is repeated after a kill and given up
// after several failures.

import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { releaseLeases } from '../../../src/db/leases.ts'
import type { Context } from '../../../src/modules/access/context.ts'
import { getDocument, getRepresentations } from '../../../src/modules/documents/get-documents.ts'
import { handInDocument } from '../../../src/modules/documents/hand-in-document.ts'
import { startDocumentTasks } from '../../../src/modules/documents/reading/start-document-tasks.ts'
import { requestDocumentTask } from '../../../src/modules/documents/request-document-task.ts'
import { fileStoreOf } from '../../../src/pipeline/response-archive/file-store.ts'
import { FileStoreError } from '../../../src/platform/files/file-store.ts'
import { paper, testReaders } from '../../support/document-readers.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let test_: TestService
let account: Context
before(async () => {
  test_ = await openTestService({ env: { LANDFALL_DOCUMENTS_AT_ONCE: '2' } })
})
after(() => test_.close())
beforeEach(async () => {
  testReaders(test_.service)
  account = await test_.newAccount()
})
afterEach(async () => {
  await test_.service.pool.query('delete from document_tasks')
})

let made = 0
async function handIn(context: Context = account, ...lines: readonly string[]): Promise<string> {
  made += 1
  const result = await handInDocument(test_.service, context, {
    bytes: paper('arrival_notice', `bill=WORK${made}`, ...lines),
    fileName: 'notice.pdf',
    contentType: null,
    name: null,
    source: 'api',
    addedBy: null,
    emailSubmissionId: null,
  })
  assert.equal(result.kind, 'made')
  return result.kind === 'made' ? result.id : ''
}
const stateOf = async (id: string) => (await getDocument(test_.service, account, { id })).state
const tasks = async () =>
  (await test_.service.pool.query('select verb, attempts from document_tasks order by created_at, id')).rows
const eventsOf = async (id: string) =>
  (await test_.service.pool.query('select name from events where reference_id = $1 order by ordinal', [id])).rows.map(
    ({ name }) => name,
  )
/** Takes tasks like a process that is killed while it reads: it never finishes them. */
async function takeAndDie(): Promise<void> {
  const killed = { ...test_.service }
  testReaders(killed, { readPagesApart: () => new Promise(() => {}) })
  await startDocumentTasks(killed, 1)
}

test('reads a document once: one reading, one event, for all its shipments', async () => {
  const received: unknown[] = []
  testReaders(test_.service, {
    applyDocumentStatements: async (_, { now }) => void received.push(now?.payload),
  })
  const id = await handIn()
  await test_.drain()
  assert.equal(await stateOf(id), 'read')
  assert.deepEqual(await eventsOf(id), ['document.extracted'])
  assert.deepEqual(received, [{ bill_of_lading_number: `WORK${made}`, containers: [], references: [] }])
  assert.deepEqual(await tasks(), [])
})

test('shows and marks values read by a model only if the account has enabled it', async () => {
  const by: (readonly string[])[] = []
  const at = { page: 1, box: { left: 0, top: 0, right: 1, bottom: 1 }, confidence: 0.8 }
  testReaders(test_.service, {
    applyDocumentStatements: async (_, { now }) => void by.push(now?.fields.map((field) => field.by) ?? []),
    readByModel: async (_service, { reading }) => ({
      kind: 'answered',
      isKindByModel: false,
      reading: {
        ...reading,
        payload: { ...reading.payload, containers: [{ number: 'MSCU4000005' }] },
        fields: [
          ...reading.fields,
          { name: 'containers[0].number', value: 'MSCU4000005', text: 'MSCU4000005', ...at, by: 'model' },
        ],
      },
    }),
  })
  const off = await handIn()
  await test_.drain()
  const { setModel } = await import('../../../src/modules/documents/set-model.ts')
  await setModel(test_.service, account, { usesModel: true })
  const on = await handIn()
  await test_.drain()
  assert.deepEqual(by, [['rules'], ['rules', 'model']])
  const payloads = await Promise.all(
    [off, on].map(async (id) => {
      const { representationId } = await getDocument(test_.service, account, { id })
      const ids = [representationId ?? '']
      return (await getRepresentations(test_.service, account, { ids }))[0]?.payload['containers']
    }),
  )
  assert.deepEqual(payloads, [[], [{ number: 'MSCU4000005' }]])
  testReaders(test_.service, { readByModel: () => Promise.reject(new Error('the model is away')) })
  const without = await handIn()
  await test_.drain()
  assert.equal(await stateOf(without), 'read')
  const { rows } = await test_.service.pool.query(
    `select action, diff from audit_events where account_id = $1 and target_type = 'account'`,
    [account.account.id],
  )
  assert.deepEqual(rows, [{ action: 'account.model_switched_on', diff: { uses_model: [false, true] } }])
})

test('repeats a task of a killed process after its lease, and the document is read once', async () => {
  const service = test_.service
  const id = await handIn()
  await takeAndDie()
  await test_.drain()
  assert.equal(await stateOf(id), 'waiting')
  await releaseLeases(service.pool, { holders: 'all', now: new Date(test_.clock.now()).toISOString() })
  // In a separate process: the jobs of the killed one stay busy for ever.
  const second = { ...service }
  testReaders(second)
  const jobs = await startDocumentTasks(second, 2)
  await Promise.all(jobs)
  assert.equal(await stateOf(id), 'read')
  assert.deepEqual(await eventsOf(id), ['document.extracted'])
})

test('retries the task of a killed process alone, without another task at the same time', async () => {
  await handIn()
  await takeAndDie()
  const now = new Date(test_.clock.now()).toISOString()
  await releaseLeases(test_.service.pool, { holders: 'all', now: now })
  await handIn()
  const second = { ...test_.service }
  let atOnce = 0
  let most = 0
  const { readPagesApart } = testReaders(second)
  testReaders(second, {
    readPagesApart: async (...given) => {
      atOnce += 1
      most = Math.max(most, atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce -= 1
      return readPagesApart(...given)
    },
  })
  const jobs = await startDocumentTasks(second, 2)
  assert.equal(jobs.length, 1)
  await Promise.all(jobs)
  assert.equal(most, 1)
})

test('fails a document that kills its process each time, and states the reason', async () => {
  const id = await handIn()
  for (let time = 0; time < 5; time += 1) {
    const process = { ...test_.service }
    testReaders(process, { readPagesApart: () => new Promise(() => {}) })
    assert.equal((await startDocumentTasks(process, 1)).length, 1)
    await releaseLeases(process.pool, { holders: 'all', now: new Date(test_.clock.now()).toISOString() })
  }
  const last = { ...test_.service }
  testReaders(last)
  await Promise.all(await startDocumentTasks(last, 1))
  const document = await getDocument(test_.service, account, { id })
  assert.equal(document.state, 'failed')
  assert.equal(document.failureReason, 'exhausted')
  assert.deepEqual(await eventsOf(id), ['document.extraction_failed'])
  assert.deepEqual(await tasks(), [])
})

test('after a kill, another process applies the statements of a document that was already read', async () => {
  const killed = { ...test_.service }
  testReaders(killed, { applyDocumentStatements: () => new Promise(() => {}) })
  const id = await handIn()
  await Promise.all(await startDocumentTasks(killed, 1))
  await startDocumentTasks(killed, 1)
  assert.equal(await stateOf(id), 'read')
  assert.deepEqual(
    (await tasks()).map(({ verb }) => verb),
    ['say'],
  )
  await releaseLeases(killed.pool, { holders: 'all', now: new Date(test_.clock.now()).toISOString() })
  let handedOn = 0
  const next = { ...test_.service }
  testReaders(next, {
    applyDocumentStatements: async () => {
      handedOn += 1
    },
  })
  await Promise.all(await startDocumentTasks(next, 1))
  assert.equal(handedOn, 1)
  assert.deepEqual(await tasks(), [])
  assert.deepEqual(await eventsOf(id), ['document.extracted'])
})

test('an error postpones a task, longer each time', async () => {
  const process = { ...test_.service }
  testReaders(process, { readPagesApart: () => Promise.reject(new Error('no')) })
  const id = await handIn()
  await Promise.all(await startDocumentTasks(process, 1))
  assert.equal((await startDocumentTasks(process, 1)).length, 0)
  test_.clock.advance(11_000)
  assert.equal((await Promise.all(await startDocumentTasks(process, 1))).length, 1)
  test_.clock.advance(11_000)
  assert.equal((await startDocumentTasks(process, 1)).length, 0)
  testReaders(process)
  test_.clock.advance(3_600_000)
  await Promise.all(await startDocumentTasks(process, 1))
  assert.equal(await stateOf(id), 'read')
})

test('a document waits while files cannot be fetched, and is never failed for that', async () => {
  const process = { ...test_.service }
  testReaders(process)
  const id = await handIn()
  const store = fileStoreOf(process) as { get: (id: string) => Promise<Buffer | null> }
  const { get } = store
  store.get = async () => {
    throw new FileStoreError('away', 'The store is away.')
  }
  for (let time = 0; time < 10; time += 1) {
    assert.equal((await Promise.all(await startDocumentTasks(process, 1))).length, 1)
    test_.clock.advance(61_000)
  }
  store.get = get
  await Promise.all(await startDocumentTasks(process, 1))
  assert.equal(await stateOf(id), 'read')
})

test('serves accounts in rotation, so that one with a thousand documents does not delay another', async () => {
  const [many, few] = [await test_.newAccount(), await test_.newAccount()]
  for (let time = 0; time < 5; time += 1) await handIn(many)
  account = few
  const id = await handIn(few)
  const process = { ...test_.service }
  testReaders(process)
  await Promise.all(await startDocumentTasks(process, 1))
  await Promise.all(await startDocumentTasks(process, 1))
  assert.equal(await stateOf(id), 'read')
})

test('reads kind and fields again from stored pages, and the pages again after a rotation', async () => {
  const process = { ...test_.service }
  const { readPagesApart } = testReaders(process)
  let read = 0
  testReaders(process, {
    readPagesApart: (...given) => {
      read += 1
      return readPagesApart(...given)
    },
  })
  const work = async () => {
    while ((await Promise.all(await startDocumentTasks(process, 1))).length > 0);
  }
  const id = await handIn()
  await work()
  for (const verb of ['classify', 'extract'] as const) await requestDocumentTask(process, account, { id, verb })
  await work()
  assert.equal(read, 1)
  assert.deepEqual(await eventsOf(id), Array(3).fill('document.extracted'))
  await process.pool.query(`update documents set pages_of = null where id = $1`, [id])
  await requestDocumentTask(process, account, { id, verb: 'classify' })
  await work()
  assert.equal(read, 2)
})

test('runs a task once that is requested several times before it begins', async () => {
  const id = await handIn()
  await test_.drain()
  for (let time = 0; time < 3; time += 1) await requestDocumentTask(test_.service, account, { id, verb: 'extract' })
  assert.deepEqual(
    (await tasks()).map(({ verb }) => verb),
    ['extract'],
  )
})

test('deletes a file that a killed process left behind, but never one that has a document', async () => {
  const { storeFile: keepFile } = await import('../../../src/modules/documents/store-file.ts')
  const id = await keepFile(test_.service, { accountId: account.account.id, bytes: Buffer.from('lost') })
  const document = await handIn()
  const { fileId } = await getDocument(test_.service, account, { id: document })
  await test_.pass(25)
  const store = fileStoreOf(test_.service)
  assert.equal(await store.get(id), null)
  assert.notEqual(await store.get(fileId ?? ''), null)
})
