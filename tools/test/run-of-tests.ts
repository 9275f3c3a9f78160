/**
 * One run of the tests, so that nothing of it is left when it ends, however it ends. All that its processes start carries
 * the run's id in the environment; all folders that they make lie in one, or are named after the run's process. What a run
 * left that was killed with all its processes goes when the next one starts.
 */

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { stopAbandonedCluster } from '../../src/platform/postgres-cluster.ts'
import { isProcessAlive, markProcess } from '../../src/platform/process-holds.ts'
import {
  listPids,
  type Process,
  readCommand,
  readProcess,
  readVariable,
  sharesPids,
  withDescendants,
} from './processes.ts'

export interface RunOfTests {
  /** Its process: the pid, and the moment of its start where the system says it. */
  readonly id: string
  /** Where its processes make their folders. */
  readonly folder: string
}

/** Not LANDFALL_…: the program refuses settings that it does not know, and tests take such settings away from it. */
const runVariable = 'RUN_OF_TESTS'
const fileVariable = 'FILE_OF_TESTS'
const memory = '/dev/shm'

/** Removes what killed runs have left, makes the folder, and marks what this process starts from now on. */
export async function beginRun(): Promise<RunOfTests> {
  const parent = tmpdir()
  await sweepDeadRuns()
  const folder = mkdtempSync(join(parent, `landfall-test-${process.pid}-`))
  chmodSync(folder, 0o711) // A database that root starts belongs to another user, who must get through.
  linkUnpacked(parent, folder)
  const id = idOf(process.pid) ?? ''
  Object.assign(process.env, { [runVariable]: id, TMPDIR: folder })
  return { id, folder }
}

/** Which run this process belongs to; null when none has started it. */
export function findRun(): RunOfTests | null {
  const id = process.env[runVariable]
  return id === undefined ? null : { id, folder: tmpdir() }
}

/** The beginning of the name of a folder that goes with this run, or with this process when it is none of a run's. */
export function nameFolder(): string {
  const id = process.env[runVariable]
  return `landfall-test-${id === undefined ? process.pid : pidOf(id)}-`
}

/** What is started from now on belongs to a file: its place in the list of the run. */
export function beginFile(index: number): void {
  process.env[fileVariable] = String(index)
}

/** The place of the file whose tests run in this process. */
export const fileOfTests = (): string => process.env[fileVariable] ?? 'x'

/** The place of the file that has started a process of this run; null for others' processes. */
export function findFileOf(pid: number, { id }: RunOfTests): number | null {
  if (readVariable(pid, runVariable) !== id) return null
  const file = readVariable(pid, fileVariable)
  return file === null ? null : Number(file)
}

const scansMax = 20

/** Ends what still runs, and removes the folders. Returns what ran. */
export async function endRun(run: RunOfTests): Promise<readonly string[]> {
  const left: Process[] = []
  // One that ends may have just started another: none is to be found twice in a row.
  for (let scans = 0, emptyScans = 0; emptyScans < 2 && scans < scansMax; scans += 1) {
    const found = findProcesses(
      ({ pid, name }) =>
        readVariable(pid, runVariable) === run.id || (name === 'postgres' && readCommand(pid).includes(run.folder)),
    )
    emptyScans = found.length === 0 ? emptyScans + 1 : 0
    await endAll(found.map(({ pid }) => pid))
    left.push(...found)
    await pause(50)
  }
  const parent = dirname(run.folder)
  keepUnpacked(parent, run.folder)
  for (const each of findFolders(parent)) if (each.pid === pidOf(run.id)) removeFolder(each.path)
  return left.map(({ pid, name }) => `${name} (${pid})`)
}

/** Only one of the processes that notice the end of a run is to end it. */
export function isFirstToEnd({ folder }: RunOfTests): boolean {
  try {
    mkdirSync(join(folder, 'ended'))
    return true
  } catch {
    return false
  }
}

/** Ends the processes and removes the folders of runs whose own process has ended. */
export async function sweepDeadRuns(): Promise<void> {
  const isDead = (id: string): boolean => idOf(pidOf(id)) !== id
  const left = findProcesses(({ pid }) => {
    const id = readVariable(pid, runVariable)
    return id !== null && isDead(id) && sharesPids(pid)
  })
  await endAll(left.map(({ pid }) => pid))
  for (const { path, pid } of findFolders(tmpdir())) {
    if (isProcessAlive(pid)) continue
    // Without /proc a cluster that still runs is found by its own files alone.
    if (existsSync(join(path, 'postgres')) || existsSync(join(path, 'postgres-location')))
      await stopAbandonedCluster(path).catch(() => {}) // Another run may be removing it at the same time.
    removeFolder(path)
  }
}

function idOf(pid: number): string | null {
  return markProcess(pid)?.trim().replace(' ', '-') ?? null
}

function pidOf(id: string): number {
  return Number.parseInt(id, 10)
}

/** Folders that are named after a process, and are this user's. */
function findFolders(parent: string): readonly { readonly path: string; readonly pid: number }[] {
  return [parent, memory].flatMap((each) =>
    (existsSync(each) ? readdirSync(each) : []).flatMap((name) => {
      const path = join(each, name)
      const pid = Number(/^landfall-test-(\d+)-/.exec(name)?.[1] ?? 0)
      const isOurs = statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()
      return pid > 0 && isOurs ? [{ path, pid }] : []
    }),
  )
}

const farClusters = '/var/lib/landfall'

/** With it go the clusters that root keeps elsewhere, because PostgreSQL's user cannot enter their data folder. */
function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
    for (const name of existsSync(farClusters) ? readdirSync(farClusters) : []) {
      const pointer = join(farClusters, name, 'data-folder')
      if (existsSync(pointer) && readFileSync(pointer, 'utf8').startsWith(`${path}/`))
        rmSync(join(farClusters, name), { recursive: true, force: true })
    }
  } catch (error) {
    console.error(`${path} could not be removed: ${String(error)}`)
  }
}

/** Processes that are meant, and all below them, but neither this one nor those above it. */
function findProcesses(isMeant: (process: Process) => boolean): readonly Process[] {
  const running = listPids().flatMap((pid) => readProcess(pid) ?? [])
  const parents = new Map(running.map(({ pid, parent }) => [pid, parent]))
  const above = new Set<number>()
  for (let pid = process.pid; pid > 0 && !above.has(pid); pid = parents.get(pid) ?? 0) above.add(pid)
  const meant = running.filter((each) => !above.has(each.pid) && isMeant(each)).map(({ pid }) => pid)
  return withDescendants(meant, running).filter(({ pid }) => !above.has(pid))
}

/** A server of PostgreSQL ends its own processes, and takes its shared memory with it when it is told so. */
async function endAll(pids: readonly number[]): Promise<void> {
  const named = pids.flatMap((pid) => readProcess(pid) ?? [])
  const servers = new Set(named.filter(({ name }) => name === 'postgres').map(({ pid }) => pid))
  for (const { pid, name, parent } of named)
    if (!servers.has(parent)) signal(pid, name === 'postgres' ? 'SIGQUIT' : 'SIGKILL')
  for (const until = Date.now() + 10_000; Date.now() < until; await pause(20)) if (!pids.some(isProcessAlive)) return
  for (const pid of pids) signal(pid, 'SIGKILL')
}

function signal(pid: number, name: 'SIGQUIT' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}

/** What the package with the browser unpacks into the folder for temporary files, where it finds it the next time. */
const unpacked = [
  'chromium',
  'fonts',
  'al2023',
  'libEGL.so',
  'libGLESv2.so',
  'libvk_swiftshader.so',
  'libvulkan.so.1',
  'vk_swiftshader_icd.json',
]

function linkUnpacked(from: string, into: string): void {
  for (const name of unpacked) if (existsSync(join(from, name))) symlinkSync(join(from, name), join(into, name))
}

function keepUnpacked(into: string, from: string): void {
  for (const name of unpacked) {
    const made = lstatSync(join(from, name), { throwIfNoEntry: false })
    if (made === undefined || made.isSymbolicLink() || existsSync(join(into, name))) continue
    renameSync(join(from, name), join(into, name))
  }
}
