// The process in which a document is read can do nothing but read it, and ends in time. Shown by programs that are
// planted in its place.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isolationOf } from '../../../src/sources/documents/pages/apart/isolation.ts'
import { type Ending, type Limits, runApart } from '../../../src/sources/documents/pages/apart/run-apart.ts'
import { pagesLimits } from '../../../src/sources/documents/pages/pages-program.ts'

const tryEverything = new URL('./planted/try-everything.ts', import.meta.url)
const takeMemory = new URL('./planted/take-memory.ts', import.meta.url)
const neverEnd = new URL('./planted/never-end.ts', import.meta.url)

async function runPlanted(
  file: URL,
  parameters: readonly string[],
  limits: Partial<Limits> = {},
): Promise<{ readonly ending: Ending; readonly lines: readonly string[]; readonly tookMs: number }> {
  const lines: string[] = []
  const startedAt = performance.now()
  const program = {
    file: fileURLToPath(file),
    parameters,
    mayRead: [],
    firstLoad: null,
    hasThreads: false,
  }
  const ending = await runApart(program, Buffer.from('x'), {
    limits: { ...pagesLimits, ...limits },
    onLine: (line) => void lines.push(line),
  })
  return { ending, lines, tookMs: performance.now() - startedAt }
}

test('it sees no environment, no file and no network, and can start and write nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-secret-'))
  const file = join(folder, 'secret.txt')
  writeFileSync(file, 'secret')
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    const { ending, lines } = await runPlanted(tryEverything, [file, String(address.port)])
    assert.deepEqual(ending, { kind: 'ended' })
    const came = new Map(
      lines.map((line) => {
        const told = JSON.parse(line) as { readonly what: string; readonly came: string }
        return [told.what, told.came] as const
      }),
    )
    for (const what of [
      'read a file',
      'read the passwords',
      'read the environment of others',
      'write a file',
      'start a program',
    ])
      assert.equal(came.get(what), 'ERR_ACCESS_DENIED', what)
    assert.equal(came.get('load machine code'), 'ERR_DLOPEN_DISABLED')
    assert.equal(came.get('make code of text'), 'failed')
    assert.doesNotMatch(came.get('environment') ?? 'none', /[A-Z]{3,}=|LANDFALL|DATABASE|PATH|HOME/)
    if (isolationOf().hasNoNetwork) {
      assert.equal(came.get('open a socket'), 'ENETUNREACH')
      assert.equal(connections, 0)
    }
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
})

test('the log can say how far this machine shuts it in', () => {
  const { hasNoNetwork, sentence } = isolationOf()
  assert.equal(/without a network/.test(sentence), hasNoNetwork)
})

for (const way of ['heap', 'buffers'])
  test(`one that takes memory without end (${way}) is ended by its limit, and we are not`, async () => {
    const { ending, lines, tookMs } = await runPlanted(takeMemory, [way])
    assert.deepEqual(lines, ['started'])
    assert.equal(ending.kind, 'failed')
    assert.ok(tookMs < 30_000, `${tookMs} ms`)
  })

test('one that never ends is killed when its time is up', async () => {
  const { ending, lines, tookMs } = await runPlanted(neverEnd, [], { timeoutMs: 700, moreMs: 300 })
  assert.deepEqual(ending, { kind: 'killed', why: 'time' })
  assert.deepEqual(lines, ['started'])
  assert.ok(tookMs < 5_000, `${tookMs} ms`)
})

test('one that answers for ever gets no more time by it, and is killed by what it answers', async () => {
  const { ending, tookMs } = await runPlanted(neverEnd, ['talk'], { answerBytesMax: 4_000_000 })
  assert.deepEqual(ending, { kind: 'killed', why: 'answer' })
  assert.ok(tookMs < 20_000, `${tookMs} ms`)
})
