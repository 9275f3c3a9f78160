// Copies of the checkout, in which faults are planted: the code in front of you is never touched. All that a run makes
// lies in one folder whose name says which process made it; what a killed run left is removed by the next.

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isProcessAlive } from '../../src/platform/process-holds.ts'

export interface Copy {
  /** The root of the copied checkout. */
  readonly root: string
  /** Where what runs in the copy puts its temporary files. */
  readonly temporary: string
  readonly read: (file: string) => string
  readonly write: (file: string, text: string) => void
}

const prefix = 'landfall-mutants-'
/** What no test reads, and the packages, to which a link leads. */
const unneeded = ['node_modules', '.git', '.landfall', 'nightly-logs', 'build', 'coverage']

/** The folder of this run. */
export function makeRunFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length).split('-')[0] : 0)
    if (pid > 0 && !isProcessAlive(pid)) removeRunFolder(join(tmpdir(), name))
  }
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  chmodSync(folder, 0o711) // a PostgreSQL that a test starts as another user lies within
  return folder
}

export function removeRunFolder(folder: string): void {
  endProcessesOf(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

/** `root`: the checkout. `name`: short, because paths of sockets must be. */
export function makeCopy(root: string, folder: string, name: string): Copy {
  const copy = join(folder, name)
  // Times are copied as well: the portal is built anew when its bundle is older than its sources.
  cpSync(root, copy, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => path === root || !unneeded.includes(basename(path)),
  })
  if (existsSync(join(root, 'node_modules'))) symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const temporary = join(folder, `${name}-tmp`)
  emptyTemporary(temporary)
  return {
    root: copy,
    temporary,
    read: (file) => readFileSync(join(copy, file), 'utf8'),
    write: (file, text) => writeFileSync(join(copy, file), text),
  }
}

export function emptyTemporary(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  mkdirSync(folder)
  chmodSync(folder, 0o1777)
}

/**
 * Ends what tests started and a killed test did not end: each process that was started from this folder or for it. Only
 * where there is `/proc`; elsewhere these processes see that their parent is gone.
 */
export function endProcessesOf(folder: string): void {
  if (!existsSync('/proc/self/cmdline')) return
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid || !isOf(folder, pid)) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {} // It has ended meanwhile.
  }
}

function isOf(folder: string, pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${folder}/`)
  } catch {
    return false
  }
}
