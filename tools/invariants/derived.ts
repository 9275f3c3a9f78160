/**
 * The texts from which ids, keys and digests are derived. A changed text makes other ids for the same things, or makes
 * what was encrypted unreadable.
 */

import { calledName, inner, isNode, type Node, nameOf, nodes, nodesOf, textOf } from './syntax.ts'

/** Functions that derive something, and which of their arguments is the text. */
const derivers: Readonly<Record<string, number>> = {
  uuidV5: 1,
  namedUuidV7: 1,
  hkdfSync: 3,
  derive: 0,
  hmac: 0,
  digest: 0,
  update: 0,
  encryptBytes: 1,
}

const encodings = /^(\{\})?(hex|base64|base64url)$/

type Values = ReadonlyMap<string, readonly Node[]>

/** One line for each call: the function, and the text with `{}` in place of what is not known before. */
export function derivedTexts(files: readonly (readonly Node[])[]): readonly string[] {
  const everywhere = valuesIn(files.flat())
  return files.flatMap((file) => {
    const here = valuesIn(file)
    return file.flatMap((node) => {
      const name = calledName(node)
      const place = name === null ? undefined : derivers[name]
      const text = place === undefined ? undefined : nodes(node['arguments'])[place]
      if (text === undefined) return []
      const shape = ofText(text, here, everywhere)
      const isTold = /^(uuid|named)/.test(name ?? '') ? shape !== '{}' : /[a-z]{2}/.test(shape)
      return isTold && !encodings.test(shape) ? [`${name} ${JSON.stringify(shape)}`] : []
    })
  })
}

/** What variables begin with and what functions return, by their names. */
function valuesIn(file: readonly Node[]): Values {
  const found = file.flatMap((node): readonly (readonly [string, Node])[] => {
    const name = nameOf(node['id'])
    if (name === null) return []
    if (node.type === 'VariableDeclarator') return isNode(node['init']) ? [[name, node['init']]] : []
    return node.type === 'FunctionDeclaration' ? returned(node).map((each) => [name, each] as const) : []
  })
  const byName = Map.groupBy(found, ([name]) => name)
  return new Map([...byName].map(([name, each]) => [name, each.map(([, value]) => value)]))
}

function returned(node: Node): readonly Node[] {
  return nodesOf(node).flatMap((each) =>
    each.type === 'ReturnStatement' && isNode(each['argument']) ? [each['argument']] : [],
  )
}

/** The text itself may be a variable, or what a function of this or of another file makes of it. */
function ofText(given: Node, here: Values, everywhere: Values): string {
  const node = inner(given)
  const name = node.type === 'Identifier' ? nameOf(node) : calledName(node)
  const isCalled = node.type === 'CallExpression'
  const values = here.get(name ?? '') ?? (isCalled ? onlyOne(everywhere.get(name ?? '')) : [])
  if (name === null || values.length === 0) return shapeOf(node, here)
  return [...new Set(values.map((each) => shapeOf(each, here)))].sort().join(' | ')
}

function onlyOne(values: readonly Node[] = []): readonly Node[] {
  return values.length === 1 ? values : []
}

function shapeOf(given: unknown, here: Values, isDeep = false): string {
  if (!isNode(given)) return '{}'
  const node = inner(given)
  const of = (value: unknown) => shapeOf(value, here, true)
  switch (node.type) {
    case 'Literal':
      return textOf(node) ?? '{}'
    case 'TemplateLiteral':
      return fill(textOf(node) ?? '', nodes(node['expressions']).map(of))
    case 'ArrayExpression':
      return `[${nodes(node['elements']).map(of).join(',')}]`
    case 'BinaryExpression':
      return node['operator'] === '+' ? of(node['left']) + of(node['right']) : '{}'
    case 'ConditionalExpression':
      return `(${of(node['consequent'])}|${of(node['alternate'])})`
    case 'Identifier':
      return isDeep ? ofVariable(nameOf(node) ?? '', here) : '{}'
    case 'CallExpression':
      return /^(from|stringify|concat)$/.test(calledName(node) ?? '') ? nodes(node['arguments']).map(of).join('') : '{}'
    default:
      return '{}'
  }
}

/** A variable inside a text counts where the file has one of its name, with letters that are known before. */
function ofVariable(name: string, here: Values): string {
  const shapes = onlyOne(here.get(name)).map((value) => shapeOf(value, here))
  return shapes.find((shape) => /[a-z]{2}/.test(shape)) ?? '{}'
}

function fill(template: string, values: readonly string[]): string {
  let at = 0
  return template.replaceAll('{}', () => values[at++] ?? '{}')
}
