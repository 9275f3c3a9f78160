/**
 * `landfall issues`: which parts of the lines' answers could not be read or believed, and lines with suddenly more of
 * these.
 */

import { isOneOf } from '../../domain/values/codes.ts'
import { everyIssue, type IssueKind, issueKinds, listIssues } from '../../modules/issues/list-issues.ts'
import type { IssueReading } from '../../modules/issues/list-issues-sql.ts'
import { describeJump, listMisreadLines } from '../../modules/issues/watch-lines.ts'
import { search } from '../../modules/search/search.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { accountOption, findAccountContext } from '../access/account-named.ts'
import { defineCommand, UsageError } from '../framework/command.ts'

const rowsDefault = 50
const rowsMax = 1_000

export const issues = defineCommand({
  about:
    'Last seen first: time, carrier, kind, what is missing because of it, its place in the answer, how often. Carriers whose answers are suddenly understood less come first. Always exits with 0.',
  options: {
    line: { type: 'string', value: '<scac>', about: 'only of this carrier' },
    kind: { type: 'string', value: '<kind>', about: 'only of this kind (unknown_place, unknown_code, …)' },
    shipment: { type: 'string', value: '<number>', about: 'only of this shipment: its number, or its id' },
    since: {
      type: 'string',
      value: '<time>',
      about: 'only issues that were seen at this time or later: ISO 8601',
    },
    limit: {
      type: 'string',
      value: '<rows>',
      about: `maximum number of rows, at most ${rowsMax}; if it is missing, ${rowsDefault}`,
    },
    json: { type: 'boolean', about: 'print JSON' },
    account: accountOption,
  },
  examples: ['issues --line MSCU --since 2026-11-01', 'issues --shipment MEDUZQ004310 --json'],
  run: async ({ options, shell }) => {
    const filter = {
      ...everyIssue,
      scac: options.line === null ? null : (findShippingLine(options.line)?.scac ?? unknownLine(options.line)),
      kind: readKind(options.kind),
      since: readSince(options.since),
    }
    const limit = readLimit(options.limit)
    const service = await shell.openService()
    const context = await findAccountContext(service, options.account)
    let shipmentId: string | null = null
    if (options.shipment !== null) {
      const hits = await search(service, context, { query: options.shipment })
      const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(options.shipment)
      const hit = hits.find(({ kind }) => kind === 'shipment')
      shipmentId = isId ? options.shipment.toLowerCase() : (hit?.id ?? null)
      if (shipmentId === null) {
        shell.log(`${context.account.companyName} has no shipment ${options.shipment}.`)
        return 1
      }
    }
    const jumps = await listMisreadLines(service)
    const { rows, total } = await listIssues(service, context, {
      filter: { ...filter, shipmentId },
      page: { number: 1, size: limit },
    })
    if (options.json) {
      const misread = jumps.map(({ scac, isSandbox: isFiction, beganAt, shareBefore, shareNow, example }) => {
        return { scac, isFiction, beganAt, shareBefore, shareNow, example }
      })
      shell.print(JSON.stringify({ lines_misread: misread, total, issues: rows }, null, 2))
      return 0
    }
    for (const jump of jumps) shell.print(`! ${describeJump(jump)}`)
    for (const row of rows) shell.print(lineOf(row))
    shell.log(rows.length === 0 ? 'No issues.' : `${rows.length} of ${total}.`)
    return 0
  },
})

/** The readers have already made a line's text safe to quote: short codes verbatim, otherwise only its length. */
function lineOf(row: IssueReading): string {
  const where = row.path === null ? '' : `  ${row.page === 1 ? '' : `page ${row.page} `}${row.path || '/'}`
  const lost = row.lost === null ? '' : `  lost: ${row.lost}`
  return `${row.lastAt}  ${row.scac ?? '-'}  ${row.kind}  ×${row.times}${lost}${where}  ${stripControls(row.detail)}`
}

/** Removes control characters, because a terminal would act on them. */
function stripControls(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

function unknownLine(scac: string): never {
  throw new UsageError(`${scac} is not the SCAC of a known line.`)
}

function readKind(text: string | null): IssueKind | null {
  if (text === null || isOneOf(issueKinds, text)) return text
  throw new UsageError(`${text} is not a kind of issue. Give one of ${issueKinds.join(', ')}.`)
}

function readSince(text: string | null): string | null {
  if (text === null) return null
  const at = new Date(text)
  if (Number.isNaN(at.getTime()))
    throw new UsageError('--since is an ISO 8601 time: 2026-01-22 or 2026-01-22T12:00:00Z.')
  return at.toISOString()
}

function readLimit(text: string | null): number {
  const rows = text === null ? rowsDefault : /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (rows < 1 || rows > rowsMax) throw new UsageError(`--limit needs a number of rows from 1 to ${rowsMax}.`)
  return rows
}
