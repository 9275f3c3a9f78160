/** What the page for readers promises about the spine: its functions exist, are short, and enter no folder twice. */

import { posix } from 'node:path'

const linesMax = 50

/** One function on the way, as the page names it. */
export interface Stop {
  readonly path: string
  readonly name: string
}

export interface Spine {
  readonly stops: readonly Stop[]
  /** Lines that name a source file without a function in it. */
  readonly unreadable: readonly string[]
}

/** The lines under "## The spine" that name a file and a function; null when the page has no such section. */
export function readSpine(page: string): Spine | null {
  const [, section] = /^## The spine$([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(page) ?? []
  if (section === undefined) return null
  const naming = section.split('\n').filter((line) => line.includes('`src/'))
  return {
    stops: naming.flatMap(readStops),
    unreadable: naming.filter((line) => readStops(line).length !== line.split('`src/').length - 1),
  }
}

function readStops(line: string): readonly Stop[] {
  const named = [...line.matchAll(/`(src\/[^`\s]+\.ts)` `(\w+)`/g)]
  return named.map(([, path = '', name = '']) => ({ path, name }))
}

/** One sentence for each fault; empty when the promise is kept. `files`: texts by their paths from the root. */
export function findFaults(page: string, files: ReadonlyMap<string, string>): readonly string[] {
  const spine = readSpine(page)
  if (spine === null) return ['the page has no section "The spine"']
  if (spine.stops.length === 0) return ['the spine names no function']
  return [
    ...spine.unreadable.map((line) => `a file without its function: ${line.trim()}`),
    ...spine.stops.flatMap((stop) => judgeStop(stop, files.get(stop.path))),
    ...foldersEnteredTwice(spine.stops),
  ]
}

function judgeStop({ path, name }: Stop, text: string | undefined): readonly string[] {
  if (text === undefined) return [`${path} is not there`]
  const lines = countLines(name, text)
  if (lines === null) return [`${path} has no function ${name}`]
  return lines > linesMax ? [`${path} ${name} has ${lines} lines, more than ${linesMax}`] : []
}

/** The lines from `function` to the closing brace in column 0; null when the file has no such function of its own. */
function countLines(name: string, text: string): number | null {
  const lines = text.split('\n')
  const declared = new RegExp(String.raw`^(?:export )?(?:async )?function\*? ${name}[(<]`)
  const start = lines.findIndex((line) => declared.test(line))
  if (start === -1) return null
  const end = lines.indexOf('}', start)
  return end === -1 ? null : end - start + 1
}

function foldersEnteredTwice(stops: readonly Stop[]): readonly string[] {
  const folders = stops.map(({ path }) => posix.dirname(path))
  const entered = folders.filter((folder, index) => folder !== folders[index - 1])
  const again = entered.filter((folder, index) => entered.indexOf(folder) !== index)
  return [...new Set(again)].map((folder) => `${folder} is entered more than once`)
}
