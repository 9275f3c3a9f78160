/**
 * The syntax of every file of `src/`, for names that stand in the code only as text. Files may move and identifiers may
 * get other names: the texts stay.
 */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

export interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

const root = join(import.meta.dirname, '../..')

/** The nodes of each file, in the order of the paths. */
export function readSyntax(): readonly (readonly Node[])[] {
  return globSync('src/**/*.ts', { cwd: root })
    .sort()
    .map((path) => parseText(readFileSync(join(root, path), 'utf8'), path))
}

function parseText(text: string, name: string): readonly Node[] {
  const { program, errors } = parseSync(name, text, { lang: 'ts', preserveParens: false })
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`)
  return nodesOf(program as unknown as Node) // safe: every node of the tree has a type
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** The kinds of nodes that names are read from. */
const told = new Set([
  'CallExpression',
  'FunctionDeclaration',
  'Literal',
  'Property',
  'ReturnStatement',
  'TSAsExpression',
  'TemplateLiteral',
  'VariableDeclarator',
])

/** The nodes of these kinds that are there when the program runs: none of types, and not where imports come from. */
export function nodesOf(node: Node, found: Node[] = []): readonly Node[] {
  if (told.has(node.type)) found.push(node)
  for (const member in node) {
    const value = node[member]
    if (typeof value !== 'object' || value === null) continue
    if (member === 'source' && node.type !== 'CallExpression') continue
    if (Array.isArray(value)) {
      for (const each of value) if (isNode(each) && !isType(each)) nodesOf(each, found)
    } else if (isNode(value) && !isType(value)) nodesOf(value, found)
  }
  return found
}

const wrappers = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])

function isType({ type }: Node): boolean {
  return type.startsWith('TS') && !wrappers.has(type)
}

/** The node inside `… as …` and `… satisfies …`. */
export function inner(node: Node): Node {
  return wrappers.has(node.type) && isNode(node['expression']) ? inner(node['expression']) : node
}

/** The text of a string, with `{}` where a template has a value; null when it is no string. */
export function textOf(node: unknown): string | null {
  if (!isNode(node)) return null
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null
  if (node.type !== 'TemplateLiteral') return null
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[]
  return quasis.map(({ value }) => value.cooked).join('{}')
}

export function nodes(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** The last name of what is called: `hmac` of `service.vault.hmac(…)`. Null for other nodes. */
export function calledName(node: Node): string | null {
  if (node.type !== 'CallExpression' || !isNode(node['callee'])) return null
  return nameOf(node['callee'])
}

/** The name of an identifier, of a member or of the key of a property. */
export function nameOf(node: unknown): string | null {
  if (!isNode(node)) return null
  if (node.type === 'Identifier') return node['name'] as string
  if (node.type === 'MemberExpression') return nameOf(node['property'])
  return node.type === 'Property' ? (textOf(node['key']) ?? nameOf(node['key'])) : null
}
