/**
 * The files that the portal's pages load: style sheets of the server-written pages, and what Vite made of `portal/`.
 * A closed list, each read once; no other file of the disk can be requested.
 */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.pbf': 'application/x-protobuf',
  '.pmtiles': 'application/vnd.pmtiles',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}
const themeFolder = fileURLToPath(new URL('../styles/', import.meta.url))
const bundle = fileURLToPath(new URL('../../../portal/dist/', import.meta.url))
const codings = ['br', 'gzip'] as const
type Coding = (typeof codings)[number]
const endings: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

export interface PortalFile {
  readonly contentType: string
  readonly bytes: Buffer
  /** The same bytes, compressed when the bundle was built. */
  readonly compressed: Partial<Readonly<Record<Coding, Buffer>>>
  /** Entity tag, made of the content. */
  readonly tag: string
  /** Its name has a hash of its content, so it never changes. */
  readonly isImmutable: boolean
}

const read = new Map<string, PortalFile>()

/** `name`: as in the address, such as `look.css` or `assets/index-Dr50LUV0.css`. */
export function findPortalFile(name: string): PortalFile | null {
  const cached = read.get(name)
  if (cached !== undefined) return cached
  const [folder, file] = placeOf(name)
  const contentType = contentTypes[extname(file)]
  // The folder's own list decides, so that no name leads out of it.
  if (contentType === undefined || !existsSync(folder) || !readdirSync(folder).includes(file)) return null
  const found = readPortalFile(join(folder, file), { contentType, isImmutable: name.startsWith('assets/') })
  read.set(name, found)
  return found
}

/** Files that pages of other sites load: the widget and its outline of land. */
export const filesForOtherSites: readonly string[] = ['widget.js', 'land.json']

/** The view of MCP clients: the MCP server sends it. */
const bundled = [...filesForOtherSites, 'journey-view.js']

function placeOf(name: string): readonly [folder: string, file: string] {
  if (name.startsWith('assets/')) return [join(bundle, 'assets'), name.slice(7)]
  return [bundled.includes(name) ? bundle : themeFolder, name]
}

/** The page that starts the app; null when the bundle has not been built. */
export function findAppPage(): string | null {
  const page = join(bundle, 'index.html')
  return existsSync(page) ? readFileSync(page, 'utf8') : null
}

/** The coding that the client accepts and the file has. */
export function chooseCoding(file: PortalFile, accepted: string | undefined): Coding | null {
  const offers = (accepted ?? '').split(',').map((each) => each.trim().split(';')[0])
  return codings.find((coding) => offers.includes(coding) && file.compressed[coding] !== undefined) ?? null
}

function readPortalFile(path: string, about: Pick<PortalFile, 'contentType' | 'isImmutable'>): PortalFile {
  const bytes = readFileSync(path)
  const tag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`
  const compressed = Object.fromEntries(
    codings.flatMap((coding) => {
      const packed = `${path}${endings[coding]}`
      return existsSync(packed) ? [[coding, readFileSync(packed)]] : []
    }),
  )
  return { ...about, bytes, compressed, tag }
}
