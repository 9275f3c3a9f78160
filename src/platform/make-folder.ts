import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isErrorCode } from './error-code.ts'

/**
 * Makes the folder and its parents where they are missing. The recursive way of `mkdir` never ends where the system
 * reports that a folder is missing whose parent exists, as in /proc.
 */
export function makeFolder(path: string, mode: number): void {
  const parent = dirname(path)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (isErrorCode(error, 'EEXIST') && isFolder(path)) return
    if (!isErrorCode(error, 'ENOENT') || isFolder(parent)) throw error
    makeFolder(parent, mode)
    makeFolder(path, mode)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
