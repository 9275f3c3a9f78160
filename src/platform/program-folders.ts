/** Where the program and its packages lie: all that a process apart may read. */

import { createRequire } from 'node:module'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const programFolder = fileURLToPath(new URL('../../', import.meta.url))

/** Options of Node for a process that may read the program and its packages, and no other file. */
export function listFileReadOptions(): readonly string[] {
  return listReadableFolders().map((folder) => `--allow-fs-read=${folder}`)
}

/**
 * An installed package has its packages beside itself, not in its own folder; with some package managers there are only
 * links to yet another folder.
 */
function listReadableFolders(): readonly string[] {
  const beside = modulesAbove(programFolder)
  const linked = modulesAbove(createRequire(import.meta.url).resolve('pg'))
  return [programFolder, beside, linked].filter(
    (each, at): each is string => each !== null && (at === 0 || !each.startsWith(programFolder)),
  )
}

function modulesAbove(path: string): string | null {
  const name = `${sep}node_modules${sep}`
  const at = path.lastIndexOf(name)
  return at < 0 ? null : path.slice(0, at + name.length)
}
