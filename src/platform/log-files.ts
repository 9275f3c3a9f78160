// The log in files of limited size and number. A full file is renamed (`.1` is the newest), and a new one is begun. A
// line is never in two files.
import { openSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DestinationStream } from 'pino'
import type { Config } from './config.ts'
import { openLogDestination } from './log.ts'

export type LogFiles = {
  readonly path: string
  readonly bytesMax: number
  /** Renamed files, besides the one that is written. */
  readonly retained: number
}

/** Throws when the file cannot be opened. Later faults cost no line: the file before goes on. */
export function openLogFiles(files: LogFiles): DestinationStream {
  const { path, bytesMax } = files
  const open = (): ReturnType<typeof openLogDestination> => openLogDestination(openSync(path, 'a', 0o600))
  let stream = open()
  let bytes = statSync(path).size
  return {
    write(line) {
      const lineBytes = Buffer.byteLength(line)
      if (bytes > 0 && bytes + lineBytes > bytesMax) {
        try {
          rotateFiles(files)
          const next = open()
          // Lines that wait go into the file that it has open, under whatever name.
          stream.end()
          stream = next
        } catch {
          // The next try is after as many bytes again.
        }
        bytes = 0
      }
      bytes += lineBytes
      stream.write(line)
    },
  }
}

function rotateFiles({ path, retained }: LogFiles): void {
  rmSync(retained === 0 ? path : `${path}.${retained}`, { force: true })
  for (let number = retained - 1; number >= 1; number -= 1) renameIfThere(`${path}.${number}`, `${path}.${number + 1}`)
  if (retained > 0) renameIfThere(path, `${path}.1`)
}

function renameIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to)
}

/** As `logFileOf`. */
export function openLogTo(config: Config): DestinationStream | null {
  const { fileMb, filesKept } = config.log
  const path = logFileOf(config)
  return path === null ? null : openLogFiles({ path, bytesMax: fileMb * 1_000_000, retained: filesKept })
}

/** Null for standard output. On a terminal the log goes into a file, because people read sentences there. */
export function logFileOf({ log, data }: Config): string | null {
  return log.file ?? (process.stdout.isTTY ? join(data.folder, 'landfall.log') : null)
}
