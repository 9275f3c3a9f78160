// Faults of an installation that only its operator can repair: the errors by which each is recognised, and the remedy
// in plain words. One cause may show itself in hundreds of errors, at every place that uses the database.
import { callIt } from './call-it.ts'
import type { LogEvent } from './log.ts'

/** What the text of a remedy has to name. */
export type Installation = {
  /** The private cluster in the data folder, or a server that DATABASE_URL names. */
  readonly database: 'private' | 'server'
  readonly dataFolder: string
}

type OperatorIssue = {
  readonly summary: string
  readonly remedy: (installation: Installation) => string
  /** True when the service can go on working in spite of it. */
  readonly isHint?: true
}

const placeOf = ({ database, dataFolder }: Installation): string =>
  database === 'private' ? `the disk that holds ${dataFolder}` : 'the disk of the server in DATABASE_URL'

export const operatorIssueKinds = {
  answers_changed: {
    summary: 'The answers of a line have members or codes that they did not have before, or lack some.',
    remedy: () =>
      `See the changes (${callIt} sources changes), and what is not understood because of them (${callIt} issues). Report them with the example that the reason names, so that the reader can be corrected. The issue ends by itself after a day.`,
    isHint: true,
  },
  clock_differs: {
    summary: 'The clock of this machine and the clock of the database differ.',
    remedy: () => 'Let NTP keep both clocks (timedatectl tells whether it does).',
    isHint: true,
  },
  clock_jumped: {
    summary: 'The clock of this machine jumped, or the machine slept.',
    remedy: () => 'Let NTP keep the clock (timedatectl tells whether it does). Nothing is lost by it.',
    isHint: true,
  },
  data_folder_full: {
    summary: 'The disk of the data folder is full.',
    remedy: ({ dataFolder }) =>
      `Make room on the disk that holds ${dataFolder}. A running Landfall then continues by itself.`,
  },
  database_away: {
    summary: 'The database does not answer.',
    remedy: ({ database, dataFolder }) =>
      database === 'private'
        ? `Landfall starts it again. If this takes long, read the log line database_not_started, or the log postgres.log below ${dataFolder}.`
        : 'See that the server in DATABASE_URL runs and can be reached from here. A running Landfall then continues by itself.',
  },
  database_crashed: {
    summary: 'A process of PostgreSQL was ended from outside; PostgreSQL closed all connections and recovered.',
    remedy: () =>
      'Nothing is lost. If the system ended the process because memory was short (see dmesg), give the machine more memory.',
    isHint: true,
  },
  database_damaged: {
    summary: 'Files of the database are missing or damaged.',
    remedy: (installation) => `Stop Landfall, check ${placeOf(installation)}, and restore the database from a backup.`,
  },
  database_ended: {
    summary: 'The private database has ended.',
    remedy: () => 'Landfall starts it again by itself.',
  },
  database_not_started: {
    summary: 'The private database cannot be started.',
    remedy: () => 'Repair the fault that the reason names. Landfall tries again every few seconds.',
  },
  database_programs_replaced: {
    summary: 'The programs of PostgreSQL were replaced while the database runs.',
    remedy: () => 'The database continues to run. Start Landfall again, so that it uses the new programs.',
    isHint: true,
  },
  database_read_only: {
    summary: 'The database takes no writes: it is a standby, or set to read only.',
    remedy: () => 'Let DATABASE_URL name the primary server.',
  },
  database_refuses: {
    summary: 'The database refuses the user, the password or the name of the database.',
    remedy: () => 'See that user, password and database in DATABASE_URL are right and may connect.',
  },
  database_replaced: {
    summary: 'The data of the private database were replaced or removed while Landfall runs.',
    remedy: ({ dataFolder }) =>
      `Stop Landfall, put the right data into ${dataFolder}, and start it again. What is changed meanwhile may be lost.`,
  },
  disk_fails: {
    summary: 'The disk of the database gives errors.',
    remedy: (installation) => `Check ${placeOf(installation)} (see dmesg), and have a backup ready.`,
  },
  disk_full: {
    summary: 'The disk of the database is full: nothing can be stored.',
    remedy: (installation) =>
      `Make room on ${placeOf(installation)}. Work then continues by itself; what was stored is safe.`,
  },
  disk_nearly_full: {
    summary: 'The disk of the database is nearly full.',
    remedy: (installation) => `Make room on ${placeOf(installation)}. A running Landfall then continues by itself.`,
  },
  file_store_fails: {
    summary: 'Files of documents cannot be stored or fetched.',
    remedy: () =>
      'See that the folder or bucket of LANDFALL_FILES exists, may be used and answers. Work then continues by itself; what was stored is safe.',
  },
  feed_silent: {
    summary: 'A feed of ships’ positions sends nothing, or much less than usual.',
    remedy: () =>
      'See that the receiver or the service works, and that its address and key are right (docs/positions.md). Landfall goes on trying; the issue ends by itself when positions come.',
    isHint: true,
  },
  line_misread: {
    summary: 'Landfall suddenly understands less of the answers of a line than before.',
    remedy: () =>
      `See what is lost (${callIt} issues), and how one such answer is read (${callIt} sources read). The issue ends by itself when the answers are understood again.`,
    isHint: true,
  },
  out_of_memory: {
    summary: 'There is not enough memory.',
    remedy: ({ database }) =>
      database === 'private'
        ? 'Give the machine more memory, or lower LANDFALL_WORKERS and LANDFALL_POOL_MAX.'
        : 'Give this machine and the database server more memory, or lower LANDFALL_WORKERS and LANDFALL_POOL_MAX.',
  },
  permission_denied: {
    summary: 'The database, or a file, refuses access.',
    remedy: ({ database, dataFolder }) =>
      database === 'private'
        ? `See that everything in ${dataFolder} still belongs to the user who runs Landfall.`
        : `Grant the user of DATABASE_URL the rights on its schema, and see that ${dataFolder} belongs to the user who runs Landfall.`,
  },
  too_many_connections: {
    summary: 'The database takes no more connections.',
    remedy: () =>
      'Raise max_connections of the server, or lower LANDFALL_POOL_MAX: each process uses up to five more than that, six with read replicas.',
  },
  too_many_files: {
    summary: 'This process may open no more files or connections.',
    remedy: () => 'Raise the limit of open files (ulimit -n, or LimitNOFILE of the service).',
  },
} as const satisfies Record<string, OperatorIssue>

export type OperatorIssueKind = keyof typeof operatorIssueKinds

/** The texts of a cause, for the log and for the person at the terminal. */
export function describeOperatorIssue(
  name: OperatorIssueKind,
  installation: Installation,
): { readonly summary: string; readonly remedy: string; readonly isHint: boolean } {
  const issue: OperatorIssue = operatorIssueKinds[name]
  return { summary: issue.summary, remedy: issue.remedy(installation), isHint: issue.isHint === true }
}

const bySqlState: readonly (readonly [RegExp, OperatorIssueKind])[] = [
  [/^53100$/, 'disk_full'],
  [/^53200$/, 'out_of_memory'],
  [/^53300$/, 'too_many_connections'],
  [/^(08...|57P0[123])$/, 'database_away'],
  [/^(28...|3D000)$/, 'database_refuses'],
  [/^42501$/, 'permission_denied'],
  [/^25006$/, 'database_read_only'],
  [/^58030$/, 'disk_fails'],
  [/^(58P01|XX001|XX002)$/, 'database_damaged'],
]

const bySystem: Readonly<Record<string, OperatorIssueKind>> = {
  ENOSPC: 'data_folder_full',
  EDQUOT: 'data_folder_full',
  ENOMEM: 'out_of_memory',
  EMFILE: 'too_many_files',
  ENFILE: 'too_many_files',
}

const byMessage: readonly (readonly [RegExp, OperatorIssueKind])[] = [
  [/No space left on device|Disk quota exceeded/, 'disk_full'],
  [/Connection terminated|connection error and is not queryable|timeout exceeded when trying/, 'database_away'],
]

/**
 * Socket errors of these events come from the database. Those of other events come from mail servers, issuers, Valkey
 * or carriers.
 */
const ofDatabase = new Set<LogEvent>(['database.unreachable', 'delivery.not_recorded', 'job.failed', 'request.crashed'])
const awayCodes = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** Null when the operator can do nothing: the error is a bug, or another system's fault. */
export function findOperatorIssue(thrown: unknown, event: LogEvent = 'database.unreachable'): OperatorIssueKind | null {
  if (!(thrown instanceof Error)) return null
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
  const known =
    bySqlState.find(([pattern]) => pattern.test(code))?.[1] ??
    bySystem[code] ??
    byMessage.find(([pattern]) => pattern.test(thrown.message))?.[1]
  if (known !== undefined) return known
  const ofSocket = ofDatabase.has(event) ? findSocketIssue(thrown, code) : null
  if (ofSocket !== null) return ofSocket
  // The error is in another one, either because several addresses were tried or because code wrapped it.
  const within = thrown instanceof AggregateError ? thrown.errors[0] : thrown.cause
  return within === undefined ? null : findOperatorIssue(within, event)
}

function findSocketIssue(thrown: Error, code: string): OperatorIssueKind | null {
  if (code === 'EACCES' || code === 'EPERM') return 'permission_denied'
  if (awayCodes.test(code)) return 'database_away'
  const isOfSocket = 'syscall' in thrown && thrown.syscall === 'connect'
  return code === 'ENOENT' && isOfSocket ? 'database_away' : null
}
