// The small faults that can be planted in a file: a `<` that becomes `<=`, a condition that is always true, a call that
// is not made. Each replaces a few characters of one line, so that the line can be found again after the code has moved.
//
// Vite parses, because it is a package of ours already; it gets the file without types, which Node replaces with blanks
// of the same length, so that a place in the one is the same place in the other.

import { stripTypeScriptTypes } from 'node:module'
import { type ESTree, parseSync, Visitor } from 'vite'
import { findSqlChanges } from './find-sql-changes.ts'

export const operators = [
  'comparison',
  'and/or',
  'not',
  'arithmetic',
  'boolean',
  'call',
  'return',
  'string',
  'number',
  'default',
  'condition',
  'sql',
] as const
export type Operator = (typeof operators)[number]

export interface Change {
  readonly operator: Operator
  /** Where `remove` begins, in UTF-16 units from the beginning of the file. */
  readonly at: number
  /** On one line; empty where something is added only. */
  readonly remove: string
  readonly insert: string
}

/** In the order of the file. After a few of them Node cannot parse the file any more: see `isParsable`. */
export function findChanges(source: string): readonly Change[] {
  const code = withoutTypes(source)
  const { program, errors } = parseSync('file.js', code)
  if (errors.length > 0) throw new Error(errors[0]?.message)
  const found: Change[] = []
  const messages: Place[] = []
  new Visitor(visitors(code, found, messages)).visit(program)
  return found
    .filter(({ at, remove }) => !remove.includes('\n') && !messages.some((each) => contains(each, at)))
    .map((change) => ({ ...change, remove: source.slice(change.at, change.at + change.remove.length) }))
    .toSorted((a, b) => a.at - b.at)
}

/** Node's warning that this function is experimental is of no use here: the program is run by the same one. */
function withoutTypes(source: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}

export function isParsable(source: string): boolean {
  try {
    return parseSync('file.js', withoutTypes(source)).errors.length === 0
  } catch {
    return false
  }
}

export function applyChange(source: string, { at, remove, insert }: Omit<Change, 'operator'>): string {
  return source.slice(0, at) + insert + source.slice(at + remove.length)
}

interface Place {
  readonly start: number
  readonly end: number
}

function contains({ start, end }: Place, at: number): boolean {
  return start <= at && at < end
}

const swaps: Readonly<Record<string, readonly [Operator, string]>> = {
  '<': ['comparison', '<='],
  '<=': ['comparison', '<'],
  '>': ['comparison', '>='],
  '>=': ['comparison', '>'],
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '&&': ['and/or', '||'],
  '||': ['and/or', '&&'],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
  '%': ['arithmetic', '*'],
  '+=': ['arithmetic', '-='],
  '-=': ['arithmetic', '+='],
}

/** A call of one of these compares its argument with something. */
const comparingCalls = /\.(includes|startsWith|endsWith|has|get|indexOf)$/
/** What is said to people: no test need look at its words. */
const logCalls = /^(console|process\.std\w+|(.*\.)?(log|logger|say|warn|debug|info|trace)(\.\w+)?)$/

/** `messages`: the places of what is written for people, where nothing is changed. */
function visitors(code: string, found: Change[], messages: Place[]): ConstructorParameters<typeof Visitor>[0] {
  const textOf = ({ start, end }: Place): string => code.slice(start, end)
  const add = (operator: Operator, at: number, remove: string, insert: string): void =>
    void found.push({ operator, at, remove, insert })
  const swap = (operator: string, left: Place, right: Place): void => {
    const [kind, other] = swaps[operator] ?? []
    const at = code.indexOf(operator, left.end)
    if (kind !== undefined && other !== undefined && at >= 0 && at < right.start) add(kind, at, operator, other)
  }
  const number = (node: ESTree.Node | null): void => {
    if (node?.type !== 'Literal' || typeof node.value !== 'number' || !/^[\d_]+$/.test(textOf(node))) return
    add('number', node.start, textOf(node), String(node.value < 1_000 ? node.value + 1 : node.value * 2))
  }
  const string = (node: ESTree.Node | null | undefined): void => {
    if (node?.type !== 'Literal' || typeof node.value !== 'string') return
    add('string', node.start, textOf(node), `${textOf(node).slice(0, -1)}~${textOf(node).slice(-1)}`)
  }
  const condition = (test: ESTree.Node): void => {
    for (const value of ['true', 'false']) add('condition', test.start, textOf(test), value)
  }
  return {
    BinaryExpression({ operator, left, right }) {
      if (![left, right].some(isText)) swap(operator, left, right)
      for (const side of [left, right]) number(side)
      if (/^[!=]==$/.test(operator)) for (const side of [left, right]) string(side)
    },
    LogicalExpression({ operator, left, right, end }) {
      if (operator !== '??') swap(operator, left, right)
      // Parentheses around the left side are left alone.
      else if (/^\s*\?\?/.test(code.slice(left.end))) add('default', left.end, code.slice(left.end, end), '')
    },
    AssignmentExpression({ operator, left, right }) {
      if (!isText(right)) swap(operator, left, right)
      number(right)
    },
    UnaryExpression({ operator, start }) {
      if (operator === '!') add('not', start, '!', '')
    },
    Literal(node) {
      if (typeof node.value === 'boolean') add('boolean', node.start, textOf(node), String(!node.value))
    },
    ExpressionStatement({ expression }) {
      const call = expression.type === 'AwaitExpression' ? expression.argument : expression
      if (call.type !== 'CallExpression') return
      if (logCalls.test(textOf(call.callee))) messages.push(expression)
      else add('call', expression.start, '', 'false && ')
    },
    ReturnStatement({ argument }) {
      if (argument === null) return
      number(argument)
      // Also where the value goes over several lines; `||` and `??` would bind looser, but those do not parse or are rare.
      if (!/^(null|undefined|true|false)$/.test(textOf(argument))) add('return', argument.start, '', 'null && ')
    },
    ArrowFunctionExpression({ body }) {
      if (body.type === 'BlockStatement') return
      number(body)
    },
    NewExpression(node) {
      if (textOf(node.callee).endsWith('Error')) messages.push(node)
    },
    SwitchCase({ test }) {
      string(test)
    },
    CallExpression({ callee, arguments: given }) {
      for (const each of given) number(each)
      if (comparingCalls.test(textOf(callee))) string(given[0])
      if (callee.type !== 'MemberExpression') return
      const { property } = callee
      const other = callSwaps[textOf(property)]
      if (other !== undefined) add('call', property.start, textOf(property), other)
    },
    VariableDeclarator({ init }) {
      number(init)
    },
    AssignmentPattern({ right }) {
      number(right)
    },
    IfStatement({ test }) {
      condition(test)
    },
    ConditionalExpression({ test }) {
      condition(test)
    },
    WhileStatement({ test }) {
      add('condition', test.start, textOf(test), 'false')
    },
    TemplateLiteral({ quasis }) {
      for (const change of findSqlChanges(
        quasis.map(({ start, end }) => ({ at: start, text: code.slice(start, end) })),
      ))
        add('sql', change.at, change.remove, change.insert)
    },
  }
}

const callSwaps: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
}

/** A `+` with a text beside it joins texts; a `-` there would be no fault that anybody makes. */
function isText(node: ESTree.Node): boolean {
  if (node.type === 'TemplateLiteral') return true
  if (node.type === 'Literal') return false
  return node.type === 'BinaryExpression' && [node.left, node.right].some((side) => isText(side) || isString(side))
}

function isString(node: ESTree.Node): boolean {
  return node.type === 'Literal' && typeof node.value === 'string'
}
