/** A small disk of the program's own: a tmpfs that is mounted for the program alone and seen through its root from outside. */

import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const size = '320m'
const mount = `mount -t tmpfs -o size=${size},mode=711 none "$0"`
const filling = `cat /dev/zero > "$0/filler" 2> /dev/null`

// Root makes a mount of its own; others may where the system lets users have namespaces.
const ways = [
  ['unshare', '--mount'],
  ['unshare', '--map-current-user', '--keep-caps', '--mount'],
] as const

/** What runs a program on the small disk at the folder, which may be full already; null where the system lets nobody mount. */
export function findSmallDisk(
  folder: string,
  options: { readonly isFull?: true } = {},
): readonly string[] | null {
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

/** Until nothing more goes in; returns how to make room again. */
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
