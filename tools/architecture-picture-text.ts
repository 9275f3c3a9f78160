/** The picture of the architecture: the places of `src/` in their order, with their folders and the imports between them. */

import { readImports } from '../test/support/law.ts'

type Files = ReadonlyMap<string, string>

/** From the top: each row imports from rows below it, and from itself. */
const rows: readonly {
  readonly title: string
  readonly folders: readonly string[]
  readonly color: string
}[] = [
  {
    title: 'interfaces',
    folders: ['server', 'mcp', 'cli', 'oauth', 'portal-server', 'mail-in', 'dcsa-out'],
    color: '#dbeafe',
  },
  { title: 'api', folders: ['api'], color: '#dbeafe' },
  { title: 'modules', folders: ['modules'], color: '#dcfce7' },
  { title: 'pipeline', folders: ['pipeline'], color: '#dcfce7' },
  { title: 'db', folders: ['db'], color: '#fef3c7' },
  { title: 'connectors', folders: ['connectors'], color: '#fef3c7' },
  { title: 'inference', folders: ['inference'], color: '#fef3c7' },
  { title: 'reference', folders: ['reference'], color: '#fef3c7' },
  { title: 'platform', folders: ['platform'], color: '#f3f4f6' },
  { title: 'domain', folders: ['domain'], color: '#fce7f3' },
]
const width = 960
const left = 120
const right = 700
const lineHeight = 26

interface Chip {
  readonly name: string
  readonly files: number
}

export function drawArchitecture(files: Files): string {
  const shapes: string[] = []
  const middles: number[] = []
  let y = 16
  for (const { title, folders, color } of rows) {
    const { svg, height } = drawChips(chipsOf(folders, files), color, y)
    shapes.push(`<text x="${left - 12}" y="${y + 17}" text-anchor="end" font-weight="600">${title}</text>`, svg)
    middles.push(y + height / 2)
    y += height + 14
  }
  const links = countLinks(files)
  for (const [from, to, count] of links) shapes.push(drawLink(middles[from] ?? 0, middles[to] ?? 0, count))
  const caption =
    'Arcs are imports from rows below, wider where there are more. Dashed: routes use api; pipeline and modules use each other, never in a circle.'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 24}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${y + 24}" fill="#fff"/>`,
    ...shapes,
    `<text x="${left}" y="${y + 8}" fill="#4b5563" font-size="11">${caption}</text>`,
    '</svg>\n',
  ].join('\n')
}

/** One chip for each folder that lies in these, with how many files are in it. */
function chipsOf(folders: readonly string[], files: Files): readonly Chip[] {
  const counts = new Map<string, number>()
  for (const path of files.keys()) {
    const [, folder = '', ...rest] = path.split('/')
    if (!folders.includes(folder) || rest.length === 0) continue
    const name = folders.length > 1 ? folder : rest.length === 1 ? 'loose files' : (rest[0] ?? '')
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => ({ name, files: count }))
}

function drawChips(chips: readonly Chip[], color: string, top: number) {
  let [x, y] = [left, top]
  const drawn = chips.map(({ name, files }) => {
    const label = `${name} ${files}`
    const chipWidth = 16 + label.length * 6.6
    if (x + chipWidth > right) [x, y] = [left, y + lineHeight]
    const at = x
    x += chipWidth + 6
    return `<rect x="${at}" y="${y}" width="${chipWidth.toFixed(1)}" height="22" rx="5" fill="${color}" stroke="#9ca3af"/><text x="${at + 8}" y="${y + 15}">${name} <tspan fill="#6b7280">${files}</tspan></text>`
  })
  return { svg: drawn.join('\n'), height: y - top + 22 }
}

/** From which row to which row, and how many imports. */
function countLinks(files: Files): readonly (readonly [number, number, number])[] {
  const rowOf = (path: string): number => rows.findIndex(({ folders }) => folders.includes(path.split('/')[1] ?? ''))
  const counts = new Map<string, number>()
  for (const [path, text] of files)
    for (const target of readImports(path, text)) {
      const [from, to] = [rowOf(path), target.startsWith('src/') ? rowOf(target) : -1]
      if (from !== -1 && to !== -1 && from !== to) counts.set(`${from} ${to}`, (counts.get(`${from} ${to}`) ?? 0) + 1)
    }
  return [...counts].map(([key, count]) => {
    const [from = 0, to = 0] = key.split(' ').map(Number)
    return [from, to, count] as const
  })
}

/** Dashed: from a row to one above it. */
function drawLink(from: number, to: number, count: number): string {
  const bend = right + 20 + Math.abs(to - from) / 3
  const wide = Math.max(0.5, Math.log2(count) / 2).toFixed(1)
  const dashes = to < from ? ' stroke-dasharray="4 3"' : ''
  return `<path d="M${right + 8} ${from} C${bend} ${from} ${bend} ${to} ${right + 8} ${to}" fill="none" stroke="#60a5fa" stroke-opacity="0.7" stroke-width="${wide}"${dashes}/>`
}
