/** Accounts, and the credentials by which carriers are polled. */

import type { Db } from '../../db/database.ts'

export async function insertAccount(
  db: Db,
  account: {
    readonly id: string
    readonly companyName: string
    readonly isSandbox: boolean
    readonly createdAt: string
  },
): Promise<void> {
  await db.query({
    name: 'account_insert',
    text: `insert into accounts (id, company_name, is_fiction, created_at) values ($1, $2, $3, $4)`,
    values: [account.id, account.companyName, account.isSandbox, account.createdAt],
  })
}

export async function findAccount(
  db: Db,
  id: string,
): Promise<{ readonly id: string; readonly companyName: string; readonly isSandbox: boolean } | null> {
  const { rows } = await db.query<{ id: string; companyName: string; isSandbox: boolean }>({
    name: 'account_find',
    text: `select id, company_name as "companyName", is_fiction as "isSandbox" from accounts where id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

export async function listAccounts(
  db: Db,
): Promise<readonly { readonly id: string; readonly companyName: string; readonly isSandbox: boolean }[]> {
  const { rows } = await db.query<{ id: string; companyName: string; isSandbox: boolean }>({
    name: 'accounts_list',
    text: `select id, company_name as "companyName", is_fiction as "isSandbox" from accounts order by created_at, id`,
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
  /** Maximum number of lines that are polled; null for every line that can be polled. */
  readonly linesMax: number | null
  /** True: lines that charge for a call are polled as well. */
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

export async function writeSearchSettings(db: Db, of: SearchSettings & { readonly accountId: string }): Promise<void> {
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
  readonly encryptedSecret: Buffer | null
  readonly isSandbox: boolean
  readonly createdAt: string
}

/** Writes the access to a line, and returns its id. Where the same owner has one, it is replaced and keeps its id. */
export async function putCredential(db: Db, credential: Credential): Promise<string> {
  const { rows } = await db.query<{ id: string }>({
    name: 'credential_put',
    text: `insert into channels (id, account_id, scac, source, profile, secret_sealed, is_fiction, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (scac, is_fiction, account_id) where is_asked
           do update set source = excluded.source, profile = excluded.profile, secret_sealed = excluded.secret_sealed
           returning id`,
    values: [
      credential.id,
      credential.accountId,
      credential.scac,
      credential.source,
      JSON.stringify(credential.profile),
      credential.encryptedSecret,
      credential.isSandbox,
      credential.createdAt,
    ],
  })
  return rows[0]?.id ?? credential.id
}

/** The account's own access to a line if it has one, else the operator's; null when there is neither. */
export async function findCredential(
  db: Db,
  key: { readonly accountId: string; readonly scac: string; readonly isSandbox: boolean },
): Promise<Pick<Credential, 'id' | 'source' | 'profile'> | null> {
  const { rows } = await db.query<Pick<Credential, 'id' | 'source' | 'profile'>>({
    name: 'credential_find',
    text: `select id, source, profile from channels
            where scac = $2 and is_fiction = $3 and is_asked and is_enabled and (account_id = $1 or account_id is null)
            order by account_id nulls last
            limit 1`,
    values: [key.accountId, key.scac, key.isSandbox],
  })
  return rows[0] ?? null
}

export interface LineAccess {
  readonly credentialId: string
  readonly scac: string
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
  /** Until when the line requested a pause at the last poll; null after an answer. */
  readonly cooldownUntil: string | null
  /** When an operator saw it work with its present profile; null while nobody has. */
  readonly verifiedAt: string | null
}

/** SQL, for a row of `channels` called c: when its access was seen to work; null when the profile has changed since. */
export const verifiedAt = `case when c.verified_profile = c.profile then c.verified_at end`

/** How each of these lines is polled for the account: with its own access if it has one, else with the operator's. */
export async function findLineAccesses(
  db: Db,
  key: { readonly accountId: string; readonly scacs: readonly string[]; readonly isSandbox: boolean },
): Promise<readonly LineAccess[]> {
  const { rows } = await db.query<LineAccess>({
    name: 'credentials_of_lines',
    text: `select distinct on (c.scac) c.id as "credentialId", c.scac, c.source, c.profile, c.left_alone_until as "cooldownUntil",
                  ${verifiedAt} as "verifiedAt"
             from channels c
            where scac = any($2) and is_fiction = $3 and is_asked and is_enabled and (account_id = $1 or account_id is null)
            order by scac, account_id nulls last`,
    values: [key.accountId, key.scacs, key.isSandbox],
  })
  return rows
}
