/** A small disk for the program: a tmpfs that is mounted for the program only and visible from outside by its root. */

import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const size = '320m'
const mount = `mount -t tmpfs -o size=${size},mode=711 none "$0"`
const filling = `cat /dev/zero > "$0/filler" 2> /dev/null`

// Root can make a mount; other users can if the system allows user namespaces.
const ways = [
  ['unshare', '--mount'],
  ['unshare', '--map-current-user', '--keep-caps', '--mount'],
] as const

/** A command that runs a program on the small disk at the folder, which may be full; null if mounting is not allowed. */
export function findSmallDisk(folder: string, options: { readonly isFull?: true } = {}): readonly string[] | null {
  const way = ways.find((each) => {
    const [command, ...args] = each
    return spawnSync(command, [...args, 'sh', '-c', mount, folder]).status === 0
  })
  const script = options.isFull === true ? `${mount} && { ${filling}; exec "$@"; }` : `${mount} && exec "$@"`
  return way === undefined ? null : [...way, 'sh', '-c', script, folder]
}

/** As the process sees it. */
export function insideOf(pid: number, folder: string): string {
  return `/proc/${pid}/root${folder}`
}

/** Writes until the disk is full; returns how to free the space. */
export function fill(folder: string): () => void {
  const path = join(folder, 'filler')
  const file = openSync(path, 'w')
  const block = Buffer.alloc(65_536)
  try {
    for (;;) writeSync(file, block)
  } catch {
    return () => rmSync(path, { force: true })
  } finally {
    closeSync(file)
  }
}
