/**
 * The files that the portal's page loads: a closed list, each read once. No other file of the disk can be requested.
 */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['look.css', style],
  ['portal.css', style],
  ['icon.svg', 'image/svg+xml'],
  ['main.js', script],
  ['api.js', script],
  ['calls.js', script],
  ['claims.js', script],
  ['container.js', script],
  ['dom.js', script],
  ['frame.js', script],
  ['issues.js', script],
  ['journey.js', script],
  ['key.js', script],
  ['news.js', script],
  ['paste.js', script],
  ['reading.js', script],
  ['session.js', script],
  ['shipment.js', script],
  ['shipments.js', script],
  ['time.js', script],
  ['track.js', script],
  ['view.js', script],
  ['words.js', script],
])

export const clientFileNames: readonly string[] = [...contentTypes.keys()]

export interface ClientFile {
  readonly contentType: string
  readonly bytes: Buffer
  /** Entity tag, made of the content. */
  readonly tag: string
}

const read = new Map<string, ClientFile>()

export function findClientFile(name: string): ClientFile | null {
  const contentType = contentTypes.get(name)
  if (contentType === undefined) return null
  const kept = read.get(name)
  if (kept !== undefined) return kept
  const bytes = readFileSync(new URL(`../client/${name}`, import.meta.url))
  const file = {
    contentType,
    bytes,
    tag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`,
  }
  read.set(name, file)
  return file
}
