/**
 * Where the processor's time goes, as a picture: each box is a function, the boxes on it are what it called, and its width
 * is its share of the time. The profile is that of V8, of this process alone.
 */

import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'

interface Frame {
  readonly name: string
  readonly origin: keyof typeof origins
  /** Microseconds, with what it called. */
  spent: number
  readonly calls: Map<string, Frame>
}

/** How parts of the program are coloured. */
const origins = {
  'src/api, src/domain, src/connectors': '#7aa6d8',
  'src/pipeline': '#3f78b5',
  'src/db': '#79b78a',
  'src/platform and the rest of src': '#a9c7a0',
  'other packages': '#e0b05c',
  'Node.js': '#d98d6a',
  'garbage collection': '#b0b0b0',
} as const

const width = 1_200
const row = 17
/** Narrower boxes cannot be seen. */
const leastWidth = 1.5

/** Runs the work and returns its picture (SVG). */
export async function drawFlame(work: () => Promise<unknown>, title: string): Promise<string> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
  await work()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  )
  const whole: Frame = { name: 'all', origin: 'Node.js', spent: 0, calls: new Map() }
  for (const [place, sample] of (profile.samples ?? []).entries()) {
    const stack: Frame[] = []
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      const frame = nodes.get(id)?.callFrame
      if (frame === undefined || frame.functionName === '(root)') break
      stack.unshift({ name: frame.functionName || '(anonymous)', origin: originOf(frame), spent: 0, calls: new Map() })
    }
    // Nothing runs, or the profile itself is written.
    if (
      ['(idle)', '(program)', undefined].includes(stack[0]?.name) ||
      stack.some(({ name }) => name === drawFlame.name)
    )
      continue
    let under = whole
    const spent = profile.timeDeltas?.[place] ?? 0
    whole.spent += spent
    for (const frame of stack) {
      const key = `${frame.origin} ${frame.name}`
      const known = under.calls.get(key) ?? frame
      known.spent += spent
      under.calls.set(key, known)
      under = known
    }
  }
  return draw(whole, title)
}

function originOf({ functionName, url }: { readonly functionName: string; readonly url: string }): Frame['origin'] {
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (url.includes('/node_modules/')) return 'other packages'
  if (!url.startsWith('file:')) return 'Node.js'
  const room = /\/src\/(\w+)/.exec(fileURLToPath(url))?.[1] ?? ''
  if (['api', 'domain', 'connectors'].includes(room)) return 'src/api, src/domain, src/connectors'
  return room === 'pipeline' ? 'src/pipeline' : room === 'db' ? 'src/db' : 'src/platform and the rest of src'
}

const escapeMarkup = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function draw(whole: Frame, title: string): string {
  const boxes: string[] = []
  let depthMax = 0
  const place = (frame: Frame, left: number, depth: number): void => {
    const wide = (frame.spent / whole.spent) * width
    if (wide < leastWidth) return
    depthMax = Math.max(depthMax, depth)
    const percent = `${((frame.spent / whole.spent) * 100).toFixed(1)} %`
    const name = escapeMarkup(frame.name)
    const letters = Math.floor(wide / 6.2)
    const label = letters < 4 ? '' : `<text x="3" y="12">${escapeMarkup(frame.name.slice(0, letters))}</text>`
    boxes.push(
      `<g transform="translate(${left.toFixed(1)} ${depth * row})"><title>${name}: ${percent}</title><rect width="${(wide - 0.4).toFixed(1)}" height="${row - 1}" fill="${origins[frame.origin]}"/>${label}</g>`,
    )
    let from = left
    for (const call of [...frame.calls.values()].toSorted((a, b) => b.spent - a.spent)) {
      place(call, from, depth + 1)
      from += (call.spent / whole.spent) * width
    }
  }
  let from = 0
  for (const frame of [...whole.calls.values()].toSorted((a, b) => b.spent - a.spent)) {
    place(frame, from, 0)
    from += (frame.spent / whole.spent) * width
  }
  const keys = Object.entries(origins).map(
    ([name, colour], at) =>
      `<rect x="${at * 170}" y="24" width="12" height="12" fill="${colour}"/><text x="${at * 170 + 16}" y="34">${name.replace(', src/domain, src/connectors', ', domain, connectors').replace('src/platform and the rest of src', 'rest of src')}</text>`,
  )
  const height = (depthMax + 1) * row
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + 48}" font-family="sans-serif" font-size="11">
<rect width="${width}" height="${height + 48}" fill="#fff"/>
<text x="0" y="14" font-size="13">${escapeMarkup(title)}</text>
${keys.join('\n')}
<g transform="translate(0 48)">
${boxes.join('\n')}
</g>
</svg>
`
}
