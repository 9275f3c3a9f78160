// A run of the tests that is aborted leaves no process and no folder behind. What a run leaves that is killed with all its
// processes goes when the next one starts.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hasProcesses, listPids, readProcess, readVariable } from '../../tools/test/processes.ts'
import { eventually } from '../support/eventually.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let parent: string
before(() => {
  parent = mkdtempSync(join(tmpdir(), 'landfall-aborted-'))
  chmodSync(parent, 0o711)
})
after(() => rmSync(parent, { recursive: true, force: true }))

interface Begun {
  readonly child: ChildProcess
  readonly pid: number
  /** Its processes besides the one that was started, by what their environment says. */
  readonly processes: () => readonly string[]
  readonly folders: () => readonly string[]
  /** Its folder for temporary files. */
  readonly temporary: string
}

async function begin(t: TestContext): Promise<Begun> {
  const folder = mkdtempSync(join(parent, 'run-'))
  const child = start(folder, 'test/runner/leaves-much.ts')
  t.after(() => child.kill())
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  await eventually(() => said.includes('It has begun.') || (child.exitCode !== null && assert.fail(said)), {
    late: () => said,
  })
  const pid = child.pid ?? 0
  return {
    child,
    pid,
    temporary: folder,
    processes: () =>
      listPids()
        .filter((each) => readVariable(each, 'RUN_OF_TESTS')?.startsWith(`${pid}-`) === true)
        .flatMap((each) => readProcess(each) ?? [])
        .map(({ name, pid: id }) => `${name} (${id})`),
    folders: () => [
      ...readdirSync(folder),
      ...readdirSync('/dev/shm').filter((name) => name.startsWith(`landfall-test-${pid}-`)),
    ],
  }
}

/** As `npm test` does, in an own folder for temporary files, and not as a part of the run that this test belongs to. */
function start(folder: string, file: string): ChildProcess {
  chmodSync(folder, 0o711) // A database that root starts belongs to another user, who must get through.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^LANDFALL_|^NODE_TEST|_OF_TESTS$/.test(name)),
  )
  return spawn(process.execPath, ['tools/test.ts', file], {
    cwd: root,
    env: { ...env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

const isSkipped = !hasProcesses && 'processes are found by /proc, which is not here'

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`a run that ends by ${signal} leaves no process and no folder`, { skip: isSkipped }, async (t) => {
    const run = await begin(t)
    await eventually(() => run.processes().length >= 5, { late: () => run.processes().join() })
    assert.ok(run.folders().length > 0)
    run.child.kill(signal)
    await once(run.child, 'exit')
    await eventually(() => run.processes().length === 0 && run.folders().length === 0, {
      late: () => [...run.processes(), ...run.folders()].join(', '),
    })
  })

test('the next run removes the processes and folders of a run that was killed with SIGKILL', {
  skip: isSkipped,
}, async (t) => {
  const run = await begin(t)
  // The workers first stop, so that none of them sees the end of the run.
  const workers = listPids().filter(
    (pid) => readProcess(pid)?.parent === run.pid && readProcess(pid)?.name !== 'postgres',
  )
  for (const pid of workers) process.kill(pid, 'SIGSTOP')
  run.child.kill('SIGKILL')
  await once(run.child, 'exit')
  for (const pid of workers) process.kill(pid, 'SIGKILL')
  assert.ok(run.processes().length >= 3, run.processes().join())
  assert.ok(run.folders().length > 0)
  const next = start(run.temporary, 'test/domain/tracking-requests/kind-search.test.ts')
  next.stdout?.resume()
  next.stderr?.resume()
  const [code] = await once(next, 'exit')
  assert.equal(code, 0)
  assert.deepEqual([...run.processes(), ...run.folders()], [])
})
