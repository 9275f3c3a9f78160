/** Accounts, the credentials by which lines are asked, and the few settings that survive a restart. */

import type { Db } from '../database.ts'

export async function insertAccount(
  db: Db,
  account: {
    readonly id: string
    readonly companyName: string
    readonly isFiction: boolean
    readonly createdAt: string
  },
): Promise<void> {
  await db.query({
    name: 'account_insert',
    text: `insert into accounts (id, company_name, is_fiction, created_at) values ($1, $2, $3, $4)`,
    values: [account.id, account.companyName, account.isFiction, account.createdAt],
  })
}

export async function findAccount(
  db: Db,
  id: string,
): Promise<{ readonly id: string; readonly companyName: string; readonly isFiction: boolean } | null> {
  const { rows } = await db.query<{ id: string; companyName: string; isFiction: boolean }>({
    name: 'account_find',
    text: `select id, company_name as "companyName", is_fiction as "isFiction" from accounts where id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

export async function listAccounts(
  db: Db,
): Promise<readonly { readonly id: string; readonly companyName: string; readonly isFiction: boolean }[]> {
  const { rows } = await db.query<{ id: string; companyName: string; isFiction: boolean }>({
    name: 'accounts_list',
    text: `select id, company_name as "companyName", is_fiction as "isFiction" from accounts order by created_at, id`,
  })
  return rows
}

export async function renameAccount(
  db: Db,
  account: { readonly id: string; readonly companyName: string },
): Promise<void> {
  await db.query({
    name: 'account_rename',
    text: `update accounts set company_name = $2 where id = $1`,
    values: [account.id, account.companyName],
  })
}

/** How an account's numbers are searched for when no line is named. */
export interface SearchSettings {
  /** Maximum number of lines that are asked; null for every line that can be asked. */
  readonly linesMax: number | null
  /** True: lines that charge for a call are asked as well. */
  readonly isBilledAllowed: boolean
}

export async function readSearchSettings(db: Db, accountId: string): Promise<SearchSettings> {
  const { rows } = await db.query<SearchSettings>({
    name: 'account_search_settings',
    text: `select search_lines_max as "linesMax", searches_billed_lines as "isBilledAllowed" from accounts where id = $1`,
    values: [accountId],
  })
  return rows[0] ?? { linesMax: null, isBilledAllowed: false }
}

export async function writeSearchSettings(
  db: Db,
  of: SearchSettings & { readonly accountId: string },
): Promise<void> {
  await db.query({
    name: 'account_search_settings_write',
    text: `update accounts set search_lines_max = $2, searches_billed_lines = $3 where id = $1`,
    values: [of.accountId, of.linesMax, of.isBilledAllowed],
  })
}

export interface Credential {
  readonly id: string
  readonly accountId: string | null
  readonly scac: string
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly secretSealed: Buffer | null
  readonly isFiction: boolean
  readonly createdAt: string
}

/** Writes the access to a line. Where the same owner has one, it is replaced and keeps its id. */
export async function putCredential(db: Db, credential: Credential): Promise<void> {
  await db.query({
    name: 'credential_put',
    text: `insert into channels (id, account_id, scac, source, profile, secret_sealed, is_fiction, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (scac, is_fiction, account_id) where is_asked
           do update set source = excluded.source, profile = excluded.profile, secret_sealed = excluded.secret_sealed`,
    values: [
      credential.id,
      credential.accountId,
      credential.scac,
      credential.source,
      JSON.stringify(credential.profile),
      credential.secretSealed,
      credential.isFiction,
      credential.createdAt,
    ],
  })
}

/** The account's own access to a line if it has one, else the operator's; null when there is neither. */
export async function findCredential(
  db: Db,
  key: { readonly accountId: string; readonly scac: string; readonly isFiction: boolean },
): Promise<Pick<Credential, 'id' | 'source' | 'profile'> | null> {
  const { rows } = await db.query<Pick<Credential, 'id' | 'source' | 'profile'>>({
    name: 'credential_find',
    text: `select id, source, profile from channels
            where scac = $2 and is_fiction = $3 and is_asked and is_enabled and (account_id = $1 or account_id is null)
            order by account_id nulls last
            limit 1`,
    values: [key.accountId, key.scac, key.isFiction],
  })
  return rows[0] ?? null
}

export interface LineAccess {
  readonly credentialId: string
  readonly scac: string
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
  /** Until when the line asked for a pause at the last question; null after an answer. */
  readonly leftAloneUntil: string | null
  /** When an operator saw it work with its present profile; null while nobody has. */
  readonly verifiedAt: string | null
}

/** SQL, for a row of `channels` called c: when its access was seen to work; null when the profile has changed since. */
export const verifiedAt = `case when c.verified_profile = c.profile then c.verified_at end`

/** How each of these lines is asked for the account: by its own access if it has one, else the operator's. */
export async function findLineAccesses(
  db: Db,
  key: { readonly accountId: string; readonly scacs: readonly string[]; readonly isFiction: boolean },
): Promise<readonly LineAccess[]> {
  const { rows } = await db.query<LineAccess>({
    name: 'credentials_of_lines',
    text: `select distinct on (c.scac) c.id as "credentialId", c.scac, c.source, c.profile, c.left_alone_until as "leftAloneUntil",
                  ${verifiedAt} as "verifiedAt"
             from channels c
            where scac = any($2) and is_fiction = $3 and is_asked and is_enabled and (account_id = $1 or account_id is null)
            order by scac, account_id nulls last`,
    values: [key.accountId, key.scacs, key.isFiction],
  })
  return rows
}

export async function readSetting<Value>(db: Db, name: string): Promise<Value | null> {
  const { rows } = await db.query<{ value: Value }>({
    name: 'setting_read',
    text: `select value from settings where name = $1`,
    values: [name],
  })
  return rows[0]?.value ?? null
}

/** Writes the setting unless it exists. Returns the value that is there afterwards. */
export async function keepSetting<Value>(db: Db, name: string, value: Value): Promise<Value> {
  const { rows } = await db.query<{ value: Value }>({
    name: 'setting_keep',
    text: `insert into settings (name, value) values ($1, $2)
           on conflict (name) do update set name = excluded.name
           returning value`,
    values: [name, JSON.stringify(value)],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('the setting was not kept')
  return row.value
}

export async function deleteSetting(db: Db, name: string): Promise<void> {
  await db.query({ name: 'setting_delete', text: `delete from settings where name = $1`, values: [name] })
}

export async function writeSetting(db: Db, name: string, value: unknown): Promise<void> {
  await db.query({
    name: 'setting_write',
    text: `insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`,
    values: [name, JSON.stringify(value)],
  })
}
