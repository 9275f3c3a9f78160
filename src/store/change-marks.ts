/**
 * Notes which accounts a transaction changes, and counts the change in `account_changes` as a part of the commit. A read
 * replica that has the count has the change (docs/decisions/0037). Does nothing for a pool that is not marked.
 */

import type pg from 'pg'
import { currentHolder } from './account-share.ts'

/** The account of changes that may concern every account. */
export const everybody = '00000000-0000-0000-0000-000000000000'

/** Which writes no reader of a replica can miss. Every other write counts. */
export interface Uncounted {
  /** What is in these tables is never read from a replica. */
  readonly tables: Readonly<Record<string, string>>
  /** A change of these tables counts only when a request of an account makes it, and then for that account. */
  readonly holdersTables: Readonly<Record<string, string>>
  readonly statements: Readonly<Record<string, string>>
}

const marked = new WeakMap<pg.Pool, Uncounted>()

/** From now on every transaction of the pool counts its changes. */
export function markTransactions(pool: pg.Pool, uncounted: Uncounted): void {
  marked.set(pool, uncounted)
}

/** Whether the transactions of the pool are counted. */
export function isMarked(pool: pg.Pool): boolean {
  return marked.has(pool)
}

interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

export interface Written {
  /** Places of the parameters that are the accounts; empty when the text does not say. */
  readonly accounts: readonly number[]
  /** `holder`: counts only when a request of an account makes it. */
  readonly counts: 'always' | 'holder'
}

/** Null for a statement that changes nothing that counts. */
export function findWritten({ name = '', text }: Statement, uncounted: Uncounted): Written | null {
  if (Object.hasOwn(uncounted.statements, name)) return null
  const tables = tablesWritten(text).filter((table) => !Object.hasOwn(uncounted.tables, table))
  if (tables.length === 0) return null
  const isHolders = tables.every((table) => Object.hasOwn(uncounted.holdersTables, table))
  return { accounts: accountsOf(text), counts: isHolders ? 'holder' : 'always' }
}

const written =
  /\b(?:insert into|update|delete from|merge into|truncate|copy)\s+(?:only\s+)?(?:public\.)?"?(\w+)/g

/** Locks (`for update`) and the end of an upsert name no table. */
function tablesWritten(text: string): readonly string[] {
  const plain = text
    .toLowerCase()
    .replace(/--[^\n]*/g, '')
    .replace(/\bfor (?:no key )?update\b/g, '')
    .replace(/\bdo update\s+set\b/g, '')
  return [...plain.matchAll(written)].map(([, table = '']) => table)
}

/** Statements of the store name the account in one of these ways (test/store/statements.test.ts). */
function accountsOf(text: string): readonly number[] {
  const plain = text.toLowerCase().replace(/\s+/g, ' ')
  const places = new Set<number>()
  for (const [, place] of plain.matchAll(/\baccount_id = (?:any ?\( ?)?\$(\d+)/g)) places.add(Number(place))
  for (const [, columns = '', values = ''] of plain.matchAll(
    /insert into \w+(?: as \w+)? ?\(([^)]*\baccount_id\b[^)]*)\) (?:overriding system value )?(?:select (?:distinct )?|values ?\()([^;]*)/g,
  )) {
    const at = columns.split(',').findIndex((column) => column.trim() === 'account_id')
    const place = /^ ?\$(\d+)\b/.exec(values.split(',')[at] ?? '')
    if (place !== null) places.add(Number(place[1]))
  }
  // The row of the account itself.
  for (const [, place] of plain.matchAll(/insert into accounts \(id\b[^)]*\) values \(\$(\d+)/g))
    places.add(Number(place))
  for (const [, place] of plain.matchAll(/update accounts (?:\w+ )?set .* where (?:\w+\.)?id = \$(\d+)/g))
    places.add(Number(place))
  // Rows that are given as columns, of which the first is the account.
  for (const [, place] of plain.matchAll(
    /unnest\( ?\$(\d+)(?:::[^)]*?)?(?:, ?\$[^)]*)?\) (?:with ordinality )?as \w+ ?\( ?account_id\b/g,
  ))
    places.add(Number(place))
  for (const [, place] of plain.matchAll(
    /insert into \w+ ?\( ?account_id\b[^)]*\) select \*(?:, [^)]*?)? from unnest\( ?\$(\d+)/g,
  ))
    places.add(Number(place))
  return [...places]
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** What was found in a text, because the same texts are sent again and again. */
const known = new WeakMap<Uncounted, Map<string, Written | null>>()

function knownWritten(statement: Statement, uncounted: Uncounted): Written | null {
  const texts = known.get(uncounted) ?? new Map<string, Written | null>()
  known.set(uncounted, texts)
  const found = texts.get(statement.text)
  if (found !== undefined) return found
  const now = findWritten(statement, uncounted)
  // Texts without a name may be made for one use.
  if (statement.name !== undefined) texts.set(statement.text, now)
  return now
}

/** The accounts for which this statement counts as a change. */
export function accountsChanged(statement: Statement, uncounted: Uncounted): readonly string[] {
  const found = knownWritten(statement, uncounted)
  if (found === null) return []
  const holder = currentHolder()
  const named = found.accounts.flatMap((place) => [statement.values?.[place - 1]].flat())
  const accounts = named.flatMap((each) => (typeof each === 'string' && uuid.test(each) ? [each] : []))
  if (holder !== null) return [holder, ...accounts]
  // A row that belongs to the installation has no account, and no account sees it.
  return found.accounts.length > 0 || found.counts === 'holder' ? accounts : [everybody]
}

/** Whether the pool itself must not send this statement alone, because its change would not be counted. */
export function mustCount(pool: pg.Pool, statement: unknown): boolean {
  const uncounted = marked.get(pool)
  const read = readStatement(statement)
  return uncounted !== undefined && read !== null && accountsChanged(read, uncounted).length > 0
}

function readStatement(given: unknown): Statement | null {
  if (typeof given === 'string') return { text: given }
  return typeof given === 'object' && given !== null && 'text' in given && typeof given.text === 'string'
    ? (given as Statement) // safe: the driver checks the rest
    : null
}

export interface Notes {
  /** Counts what was noted and commits, in one exchange with the server. */
  readonly commit: () => string
  /** Stops noting. */
  readonly end: () => void
}

const notes = new WeakMap<object, Set<string>>()

/** Notes what is sent through this connection. Null when the pool is not marked. */
export function noteChanges(pool: pg.Pool, client: pg.PoolClient): Notes | null {
  const uncounted = marked.get(pool)
  if (uncounted === undefined) return null
  const accounts = new Set<string>()
  notes.set(client, accounts)
  const { query } = client
  client.query = ((...given: readonly unknown[]) => {
    const [first, second] = given
    const statement = readStatement(first)
    if (statement !== null) {
      const values = Array.isArray(second) ? second : statement.values
      const read = values === undefined ? statement : { ...statement, values }
      for (const account of accountsChanged(read, uncounted)) accounts.add(account)
    }
    return Reflect.apply(query, client, given)
  }) as typeof client.query
  return {
    commit: () => (accounts.size === 0 ? 'commit' : `${countChanges(accounts)}; commit`),
    end: () => {
      notes.delete(client)
      client.query = query
    },
  }
}

/**
 * For a statement that serves all accounts and learns only from its rows which ones it has changed. `db` is a
 * transaction.
 */
export function noteChanged(db: object, accountIds: Iterable<string>): void {
  const accounts = notes.get(db)
  if (accounts !== undefined) for (const each of accountIds) accounts.add(each)
}

/** The slots of an account. A server process always writes the same one, and holds it only while it commits. */
const slots = 8

/**
 * The last statement of a transaction: it locks rows that nobody holds for longer than a commit takes. In the order of
 * the accounts, so that two transactions never wait for each other.
 */
export function countChanges(accountIds: Iterable<string>): string {
  const accounts = [...accountIds].filter((each) => uuid.test(each)).toSorted()
  const rows = accounts.map((each) => `('${each}'::uuid, pg_backend_pid() % ${slots}, 1)`)
  return `insert into account_changes (account_id, slot, changes) values ${rows.join(', ')}
    on conflict (account_id, slot) do update set changes = account_changes.changes + 1`
}
