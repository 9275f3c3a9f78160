/** Tables and columns, and what else the database has, from `schema.sql`, which a test keeps as the migrations make it. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Group, hashOf } from './dump-text.ts'

const root = join(import.meta.dirname, '../..')

export function schemaGroups(): readonly Group[] {
  const text = readFileSync(join(root, 'src/db/schema.sql'), 'utf8')
  const statements = text.split(/\n+(?=create |CREATE )/).slice(1)
  const tables = statements.filter((each) => /^create (unlogged )?table \w+ \(/.test(each))
  return [
    { title: 'columns and constraints', lines: tables.flatMap(membersOf) },
    {
      title: 'functions, indexes, parts, triggers and views, with a hash of each',
      lines: statements.filter((each) => !tables.includes(each)).map(headOf),
    },
    { title: 'hashes of migrations', lines: linesOf('src/db/migrations/landed.sha256') },
    { title: 'hashes of told stories', lines: linesOf('test/journey-stories/results.sha256') },
    {
      title: 'advisory locks of the database',
      lines: [...text.matchAll(/advisory\w*\((\d+)/g)].map(([, key = '']) => key),
    },
  ]
}

function membersOf(table: string): readonly string[] {
  const [head = '', ...lines] = table.split('\n')
  const name = /table (\w+)/.exec(head)?.[1] ?? ''
  return lines.flatMap((line) => {
    if (line.startsWith(')')) return line.length > 2 ? [`${name} ${line}`] : []
    return [`${name}${line.trim().startsWith('constraint') ? ' ' : '.'}${line.trim().replace(/,$/, '')}`]
  })
}

function headOf(statement: string): string {
  const [head = ''] = /^.*?(?=\s*(\($|\(.*\)$|\bas$| (BEFORE|AFTER|USING|using|on) |$))/im.exec(statement) ?? []
  const name = head.replace(/^create (or replace )?/i, '').replace(/;$/, '')
  return `${name} #${hashOf(statement.trim())}`
}

function linesOf(path: string): readonly string[] {
  return readFileSync(join(root, path), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replace(/^([0-9a-f]{16})[0-9a-f]{48} +(.*)$/, '$2 $1'))
}
