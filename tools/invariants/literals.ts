/**
 * Names that stand in the code only as text: no list of the running program has them. They are found by what they look
 * like, or by the function that they are given to.
 */

import { derivedTexts } from './derived.ts'
import type { Group } from './dump-text.ts'
import { calledName, inner, isNode, type Node, nameOf, nodes, readSyntax, textOf } from './syntax.ts'

export function literalGroups(): readonly Group[] {
  const files = readSyntax()
  const all = files.flat()
  const texts = all.flatMap((node) => textOf(node) ?? [])
  const matching = (pattern: RegExp) => texts.filter((text) => pattern.test(text))
  return [
    { title: 'advisory locks', lines: files.flatMap(advisoryLocks) },
    { title: 'closed lists of words', lines: all.flatMap(closedList) },
    { title: 'environment, every name that is read', lines: matching(/^(LANDFALL|PG)_[A-Z_]+$/) },
    { title: 'files and folders', lines: all.flatMap(joined) },
    { title: 'gauges', lines: files.flatMap(gauges) },
    {
      title: 'headers',
      lines: matching(/^(x|webhook|landfall|idempotency|next|ratelimit)-[a-z0-9-]+$/i),
    },
    {
      title: 'keys made of parts',
      lines: matching(/^(?=.*\{\})(?=.*[a-z]{2})(?!.*::)[a-z_{}-]+[:|][\w{}:|-]*$/),
    },
    {
      title: 'names with a dot',
      lines: matching(/^[a-z][a-z_]+(\.([a-z][a-z_]*|\{\}|\*))+$/),
    },
    {
      title: 'prefixes of the program',
      lines: matching(/^(landfall|lf|whsec)[_:.][^\s]*$/),
    },
    { title: 'texts that ids, keys and digests are derived from', lines: derivedTexts(files) },
    { title: 'words in SQL', lines: texts.filter(isSql).flatMap(quoted) },
  ]
}

/** Lists of texts `as const`, in their order: kinds, states, reasons and the like, most of them stored or at the wire. */
function closedList(node: Node): readonly string[] {
  const isConst =
    node.type === 'TSAsExpression' &&
    isNode(node['typeAnnotation']) &&
    nameOf(node['typeAnnotation']['typeName']) === 'const'
  const list = isConst ? inner(node) : null
  if (list?.type !== 'ArrayExpression') return []
  const words = nodes(list['elements']).map((each) => textOf(each) ?? '…')
  return words.every((word) => /^[\w.…-]+$/.test(word)) && words.some((word) => word !== '…') ? [words.join(' ')] : []
}

/** What is joined to a path: names below the data folder and below the program's own. */
function joined(node: Node): readonly string[] {
  if (calledName(node) !== 'join' || !isNode(node['callee']) || node['callee'].type !== 'Identifier') return []
  const parts = nodes(node['arguments']).flatMap((each) => textOf(each) ?? [])
  return parts.length === 0 ? [] : [parts.join('/')]
}

/** Gauges are registered where they are measured. Their names are given to `watch` or are the keys of `gauges`. */
function gauges(file: readonly Node[]): readonly string[] {
  return file.flatMap((node) => {
    const called = calledName(node)
    const [of] = nodes(node['arguments'])
    if (of?.type !== 'ObjectExpression' || (called !== 'watch' && called !== 'watchEach')) return []
    const member = (name: string) => nodes(of['properties']).find((each) => nameOf(each) === name)?.['value']
    const name = textOf(member('name'))
    if (called === 'watch') return name === null ? [] : [`landfall_${name}`]
    const given = member('gauges')
    const table = isNode(given) && given.type === 'Identifier' ? variableOf(file, nameOf(given)) : given
    const names = isNode(table) ? nodes(inner(table)['properties']).flatMap((each) => nameOf(each) ?? []) : []
    return names.map((name) => `landfall_${name} {${textOf(member('label'))}}`)
  })
}

function variableOf(file: readonly Node[], name: string | null): unknown {
  return file.find((each) => each.type === 'VariableDeclarator' && nameOf(each['id']) === name)?.['init']
}

/** Large numbers of files that take an advisory lock, and texts that a lock is hashed from. */
function advisoryLocks(file: readonly Node[]): readonly string[] {
  const texts = file.flatMap((node) => textOf(node) ?? [])
  if (!texts.some((text) => /advisory/.test(text)) && !file.some(isLockNumber)) return []
  const numbers = file.filter(isLockNumber).map((node) => String(node['value']))
  const inSql = texts.flatMap((text) =>
    [...text.matchAll(/advisory\w*\(\s*(\d[\d_]*|hashtext\w*\([^)]*\))/g)].map(([, key = '']) => key),
  )
  return [...numbers, ...inSql]
}

function isLockNumber({ type, value }: Node): boolean {
  return type === 'Literal' && typeof value === 'number' && /^(7116|7361)\d{3,}$/.test(String(value))
}

function isSql(text: string): boolean {
  return /\b(select|from|where|insert into|update|delete from|coalesce)\b/.test(text) && /[$:={(]|->/.test(text)
}

function quoted(text: string): readonly string[] {
  return [...text.matchAll(/'([\w.$[\]*{},%-]{2,60})'/g)].flatMap(([, word = '']) => (/[a-z]/i.test(word) ? word : []))
}
