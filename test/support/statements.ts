/** Every named SQL statement with its text, read from the source and put together as the program would. */

import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export interface Statement {
  readonly name: string
  readonly text: string
  readonly file: string
}

export const sourceFolder = fileURLToPath(new URL('../../src/', import.meta.url))
/** Where statements are written: in `sourceFolder`. */
export const statementFiles = ['db/**/*.ts', '{modules,pipeline}/**/*-sql.ts']

/**
 * A statement is an object literal that begins with `name:` and `text:`. A statement of a list is found once for each
 * order.
 */
export async function findStatements(): Promise<readonly Statement[]> {
  const found: Statement[] = []
  const folder = sourceFolder
  for await (const path of glob(statementFiles, { cwd: folder })) {
    const file = resolve(join(folder, path))
    found.push(...(await statementsOf(file)).map((statement) => ({ ...statement, file: path })))
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const quoted = String.raw`(?:'[^'\n]*'|${'`'}(?:[^${'`'}\\]|\\.)*${'`'}|[a-zA-Z]+)`
const literal = new RegExp(String.raw`\bname(?:: (${quoted}))?,\s*(?://[^\n]*\s*)*text: (${quoted})`, 'g')

async function statementsOf(file: string): Promise<readonly Omit<Statement, 'file'>[]> {
  const source = stripTypeScriptTypes(readFileSync(file, 'utf8'))
  const literals = [...source.matchAll(literal)]
  if (literals.length === 0) return []
  const orders = [...source.matchAll(/const (\w+Orders) =/g)].map(([, name]) => `...Object.keys(${name})`)
  const thunks = literals.map(([, name, text = '']) => `(list) => ({ name: ${name ?? 'name'}, text: ${text} })`)
  // Loads the module unchanged, with an export added that can use its constants. Imports get full addresses.
  const home = pathToFileURL(file)
  const imported = source
    .replace(/from '(\.[^']+)'/g, (_, path: string) => `from '${new URL(path, home).href}'`)
    .replace(/from '(?!node:|file:)([^']+)'/g, (_, name: string) => `from '${import.meta.resolve(name)}'`)
    .replaceAll('import.meta.url', `'${home.href}'`)
  const module = `${imported}
    export const found = [${thunks.join(',\n')}].flatMap((thunk) => [${orders.join(', ') || "''"}].map((order) => thunk({ order })))`
  const loaded = (await import(`data:text/javascript;base64,${Buffer.from(module).toString('base64')}`)) as {
    readonly found: readonly Omit<Statement, 'file'>[]
  }
  return [...new Map(loaded.found.map((statement) => [`${statement.name} ${statement.text}`, statement])).values()]
}

/** The least number of statements that there must be: every query with a name. */
export function countNames(source: string): number {
  return [...source.matchAll(/\.query(?:<[^(]*)?\(\{\s*name\b/g)].length
}
