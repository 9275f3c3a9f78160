// One cause produces hundreds of errors. The log names it once, with what to do, counts the errors, and states when the
// fault is over.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createLog } from '../../src/platform/log.ts'
import {
  describeOperatorIssue,
  findOperatorIssue,
  type OperatorIssueKind,
  operatorIssueKinds,
} from '../../src/platform/operator-issue-kinds.ts'
import { createOperatorIssues, type OperatorIssuesOptions } from '../../src/platform/operator-issues.ts'

const installation = { database: 'private', dataFolder: '/srv/landfall' } as const

function hear(options: Partial<OperatorIssuesOptions> & { readonly level?: 'debug' | 'info' } = {}) {
  const texts: string[] = []
  const { level = 'info', ...rest } = options
  const log = createLog({ level, destination: { write: (line: string) => void texts.push(line) } })
  return {
    troubles: createOperatorIssues({ log, installation, ...rest }),
    lines: () => texts.map((text) => JSON.parse(text) as Record<string, unknown>),
  }
}

const fault = (code: string, message = 'no'): Error => Object.assign(new Error(message), { code })

test('recognizes an operator issue by its error', () => {
  const refused = Object.assign(fault('ECONNREFUSED'), { syscall: 'connect' })
  const cases: readonly (readonly [unknown, OperatorIssueKind | null])[] = [
    [fault('53100', 'could not extend file'), 'disk_full'],
    [new Error('could not write block 7: No space left on device'), 'disk_full'],
    [fault('ENOSPC'), 'data_folder_full'],
    [fault('53200'), 'out_of_memory'],
    [fault('53300', 'sorry, too many clients already'), 'too_many_connections'],
    [fault('EMFILE'), 'too_many_files'],
    [fault('57P01', 'terminating connection due to administrator command'), 'database_away'],
    [fault('57P03', 'the database system is starting up'), 'database_away'],
    [fault('08006'), 'database_away'],
    [refused, 'database_away'],
    [new AggregateError([refused], 'all failed'), 'database_away'],
    [new Error('a look failed', { cause: refused }), 'database_away'],
    [new Error('Connection terminated unexpectedly'), 'database_away'],
    [Object.assign(fault('ENOENT'), { syscall: 'connect' }), 'database_away'],
    [fault('28P01', 'password authentication failed'), 'database_refuses'],
    [fault('3D000', 'database "x" does not exist'), 'database_refuses'],
    [fault('42501', 'permission denied for table shipments'), 'permission_denied'],
    [fault('EACCES'), 'permission_denied'],
    [fault('25006', 'cannot execute INSERT in a read-only transaction'), 'database_read_only'],
    [fault('58030', 'Input/output error'), 'disk_fails'],
    [fault('58P01', 'could not open file "base/1/2"'), 'database_damaged'],
    [fault('57014', 'canceling statement due to statement timeout'), null],
    [fault('23505', 'duplicate key'), null],
    [Object.assign(fault('ENOENT'), { syscall: 'open' }), null],
    [new TypeError('x is not a function'), null],
    ['nothing', null],
  ]
  for (const [thrown, cause] of cases) assert.equal(findOperatorIssue(thrown), cause, String(thrown))
})

test('does not attribute an error of another server (mail, issuer, Valkey) to the database', () => {
  const refused = Object.assign(fault('ECONNREFUSED'), { syscall: 'connect' })
  assert.equal(findOperatorIssue(refused, 'job.failed'), 'database_away')
  assert.equal(findOperatorIssue(refused, 'limits.store_failed'), null)
  assert.equal(findOperatorIssue(refused, 'oauth.issuer_failed'), null)
  assert.equal(findOperatorIssue(fault('ENOSPC'), 'mail.postponed'), 'data_folder_full')
})

test('logs six hundred errors of a full disk as one line with the remedy, and one line when the fault is over', () => {
  let now = 0
  const told: string[] = []
  const { troubles, lines } = hear({ nowMs: () => now, print: (sentence) => void told.push(sentence) })
  for (let n = 0; n < 600; n += 1) {
    now += 40
    troubles.log.error('job.failed', { job: n % 2 ? 'tasks' : 'looks', error: fault('53100') })
  }
  const [first, ...more] = lines()
  assert.deepEqual(more, [])
  assert.deepEqual(
    [first?.['event'], first?.['level'], first?.['cause'], first?.['during'], first?.['job']],
    ['trouble.began', 'error', 'disk_full', 'job.failed', 'looks'],
  )
  assert.match(String(first?.['says']), /disk .* is full/)
  assert.match(String(first?.['remedy']), /Make room on the disk that holds \/srv\/landfall/)
  assert.deepEqual(troubles.active(), ['disk_full'])
  troubles.end('disk_full')
  const over = lines().at(-1)
  assert.deepEqual([over?.['event'], over?.['repeats'], over?.['lastedMs']], ['trouble.over', 599, 599 * 40])
  assert.deepEqual(troubles.active(), [])
  assert.equal(told.length, 2)
  troubles.log.error('job.failed', { job: 'looks', error: fault('53100') })
  assert.equal(lines().at(-1)?.['event'], 'trouble.began', 'it is told anew when it comes again')
})

test('logs a lasting fault again every five minutes, and sooner when its reason changes', () => {
  let now = 0
  const { troubles, lines } = hear({ nowMs: () => now })
  for (; now < 660_000; now += 1_000) troubles.raise('database_not_started', { reason: 'the disk is full' })
  assert.deepEqual(
    lines().map(({ event }) => event),
    ['trouble.began', 'trouble.lasts', 'trouble.lasts'],
  )
  now += 60_000
  troubles.raise('database_not_started', { reason: 'no rights' })
  assert.deepEqual([lines().at(-1)?.['event'], lines().at(-1)?.['reason']], ['trouble.lasts', 'no rights'])
})

test('a fault without errors for half a minute is over', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let now = 0
  const { troubles, lines } = hear({ nowMs: () => now })
  troubles.raise('clock_jumped')
  now = 20_000
  t.mock.timers.tick(20_000)
  assert.deepEqual(troubles.active(), ['clock_jumped'])
  now = 31_000
  t.mock.timers.tick(11_000)
  assert.deepEqual(troubles.active(), [])
  assert.equal(lines().at(-1)?.['event'], 'trouble.over')
})

test('logs an internal error each time, and at the level debug every line', () => {
  const { troubles, lines } = hear()
  for (let n = 0; n < 3; n += 1) troubles.log.error('job.failed', { job: 'looks', error: new TypeError('no') })
  troubles.log.warn('sandbox.ended', { code: 1 })
  assert.equal(lines().length, 4)
  const chatty = hear({ level: 'debug' })
  for (let n = 0; n < 3; n += 1) chatty.troubles.log.error('job.failed', { job: 'x', error: fault('53100') })
  assert.deepEqual(
    chatty.lines().map(({ event }) => event),
    ['trouble.began', 'job.failed', 'job.failed'],
  )
})

test('every operator issue states what is wrong and what to do, with either kind of database, and is in the docs', () => {
  const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')
  for (const name of Object.keys(operatorIssueKinds) as OperatorIssueKind[])
    for (const database of ['private', 'server'] as const) {
      assert.ok(page.includes(`\`${name}\``), `docs/operating.md has ${name}`)
      const { summary: says, remedy } = describeOperatorIssue(name, { database, dataFolder: '/srv/landfall' })
      assert.match(says, /^[A-Z].*\.$/, name)
      assert.match(remedy, /^[A-Z].*\.$/, name)
    }
})
