/** Account rows are found by the account first: their keys begin with it, and they reference only rows of their account. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../support/database.ts'

/** Unique indexes of tables of an account that begin with something else, each with the reason. */
const otherwise: Record<string, string> = {
  alert_addresses_token_hmac_key: 'a token is shown before its account is known',
  api_keys_key_hmac_key: 'a key is shown before its account is known',
  channel_accounts_pkey: 'a row of a channel: the accounts that a channel serves',
  channel_turns_pkey: 'a row of a channel: whose turn it is',
  inference_outcomes_in_sequence: 'the model learns from the outcomes of all accounts, in one order',
  invitations_token_hmac_key: 'a token is shown before its account is known',
  mailboxes_token_hmac_key: 'a message arrives at a mailbox before its account is known',
  oauth_grants_id_key: 'a token of OAuth names its grant alone',
  share_links_token_hmac_key: 'a token is shown before its account is known',
  wanted_requests_pkey: 'a row of a mention, which a channel delivered',
}

const tablesOfAccounts = `
  select c.oid, a.attnum from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and a.attnotnull
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`

/** Unique indexes, primary keys among them, of tables of accounts that do not begin with the account. */
const keysOtherwise = `
  select i.indexrelid::regclass::text as name from (${tablesOfAccounts}) t
    join pg_index i on i.indrelid = t.oid and i.indisunique
   where i.indkey[0] <> t.attnum order by 1`

/** Foreign keys from one table of accounts to another that do not say that both rows are of one account. */
const referencesAcross = `
  select f.conname as name from (${tablesOfAccounts}) t
    join pg_constraint f on f.conrelid = t.oid and f.contype = 'f' and f.conparentid = 0
    join (${tablesOfAccounts}) u on u.oid = f.confrelid
   where f.conkey[array_position(f.confkey, u.attnum)] is distinct from t.attnum order by 1`

test('the keys of account tables begin with the account', async () => {
  const database = await openTestDatabase()
  try {
    const names = async (text: string): Promise<readonly string[]> =>
      (await database.pool.query<{ name: string }>(text)).rows.map(({ name }) => name)
    assert.deepEqual(await names(keysOtherwise), Object.keys(otherwise))
    assert.deepEqual(await names(referencesAcross), [])
  } finally {
    await database.close()
  }
})

test('the check of keys finds a key without the account, and a foreign key that could cross accounts', async () => {
  const database = await openTestDatabase()
  try {
    await database.pool.query(`
      create table planted (account_id uuid not null, id uuid primary key, unique (account_id, id));
      create table planted_part (account_id uuid not null, id uuid, planted_id uuid references planted (id),
                                 primary key (account_id, id))`)
    const { rows: keys } = await database.pool.query<{ name: string }>(keysOtherwise)
    const { rows: references } = await database.pool.query<{ name: string }>(referencesAcross)
    assert.ok(keys.some(({ name }) => name === 'planted_pkey'))
    assert.ok(!keys.some(({ name }) => name === 'planted_account_id_id_key'))
    assert.deepEqual(references, [{ name: 'planted_part_planted_id_fkey' }])
  } finally {
    await database.close()
  }
})
