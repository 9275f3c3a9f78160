/** Every statement of the store fits the migrated schema, has a name of its own, and keeps to one account. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { test } from 'node:test'
import { openTestDatabase } from '../support/database.ts'
import { countNames, findStatements, type Statement, sourceFolder, statementFiles } from '../support/statements.ts'

const statements = await findStatements()

test('the list of statements contains every named statement in the source code of the store', async () => {
  let count = 0
  for await (const path of glob(statementFiles, { cwd: sourceFolder }))
    count += countNames(readFileSync(`${sourceFolder}${path}`, 'utf8'))
  const places = new Set(statements.map(({ file, name }) => `${file} ${name.replace(/_-?(created|updated)_at$/, '')}`))
  assert.ok(count > 80)
  assert.equal(places.size, count, 'each is an object literal that begins with `name:` and `text:`')
})

test('no two statements share a name, because the second would be taken for the first', () => {
  const byName = Map.groupBy(statements, ({ name }) => name)
  assert.deepEqual(
    [...byName].filter(([, named]) => named.length > 1).map(([name]) => name),
    [],
  )
})

test('every statement can be prepared against the migrated schema', async () => {
  const database = await openTestDatabase()
  try {
    const wrong: string[] = []
    for (const { name, text, file } of statements) {
      await database.pool
        .query(`prepare "${name}" as ${text}`)
        .catch((error: Error) => wrong.push(`${file} ${name}: ${error.message}`))
    }
    assert.deepEqual(wrong, [])
  } finally {
    await database.close()
  }
})

test('every statement on account tables names the account, except the listed ones', async () => {
  const database = await openTestDatabase()
  try {
    const { rows } = await database.pool.query<{ name: string }>(
      `select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'account_id' and is_nullable = 'NO'`,
    )
    const tables = rows.map(({ name }) => name)
    const free = statements.filter((statement) => touches(statement, tables) && !namesAccount(statement))
    assert.deepEqual(
      free.map(({ name }) => name),
      Object.keys(servesAll).toSorted(),
    )
  } finally {
    await database.close()
  }
})

test('the check of statements finds a statement that does not restrict its rows to one account', () => {
  const forgetful = [
    `select id from shipments where id = $1`,
    `select c.id from containers c join shipments s on s.id = c.shipment_id where c.account_id = c.account_id`,
    `update events set payload = $2 where id = $1`,
    `delete from webhooks where id = $1`,
    `insert into containers (id, number) values ($1, $2)`,
  ]
  const tables = ['shipments', 'containers', 'events', 'webhooks']
  for (const text of forgetful) {
    const statement = { name: 'x', file: 'x', text }
    assert.ok(touches(statement, tables) && !namesAccount(statement), text)
  }
})

function touches({ text }: Statement, tables: readonly string[]): boolean {
  return [...text.matchAll(/\b(?:from|join|update|into)\s+(?:public\.)?(\w+)/g)].some(([, name = '']) =>
    tables.includes(name),
  )
}

/** By a parameter: what is joined to it may then be by the columns. */
function namesAccount({ text }: Statement): boolean {
  const isWritten = /insert into \w+\s*\(\s*account_id\b/.test(text) && /select \$1|select \*|values \(\$1/.test(text)
  const isAsked =
    /\baccount_id = (?:any\s?\()?\$\d/.test(text) || /account_id, \w+(?:, \w+)?\) (?:in|=) \(\$/.test(text)
  return isWritten || isAsked
}

/** Statements that are not of one account, and why they may be. */
const servesAll: Readonly<Record<string, string>> = {
  alert_address_answer: 'finds out whose link it is',
  alert_messages_forget: 'what is older than it is kept for, whoever it belongs to',
  alert_messages_due: 'messages that have been due the longest, whichever account, one of each rule',
  charge_books_due: 'the account that has waited longest, each in turn; it is then read by the account',
  container_expectations_due: 'what has been due the longest, whichever account; it is then decided by the account',
  alert_watch_lease: 'the account that has waited longest, each in turn; it is then read by the account',
  attention_snoozes_forget: 'what is over, whoever it belongs to',
  document_days_forget: 'what is older than it is kept for, whoever it belongs to',
  document_links_ask: 'the worker that looks for what waits: each shipment is looked up in its own account',
  document_task_due: 'the worker that reads documents, for all accounts in turn',
  delivery_floor_set: 'the time of the oldest delivery that waits, whoever waits for it',
  documents_discarded: 'what is older than it is kept for, whoever it belongs to',
  loose_files_due: 'files that nothing has any more, whoever they belonged to',
  uploads_expire: 'what is older than it is kept for, whoever it belongs to',
  due_work: 'says of each queue of the installation whether there may be work, and reads no row of it',
  channel_bells_hear: 'whatever was planned is put in its channel’s queue',
  channel_turns_due: 'accounts have their turns at a channel that they share',
  channels_ready_looks: 'one look serves every account that asks for its subject; each is in the turn of one',
  channels_settle_askings: 'a channel that all may share is ready when the first turn of any account is',
  channels_settle_looks: 'a channel that all may share is ready when the first turn of any account is',
  accounts_bound_to: 'the operator sees to whom a channel tells everything',
  api_key_find: 'finds out whose key it is',
  asked_numbers_ensure:
    'each shipment and request is named with its account; a channel of the installation asks for all',
  asked_numbers_wanted: 'a channel is of one account or of the installation, and so is what it is asked about',
  attempts_aged: 'what is older than it is kept for, whoever it belongs to',
  boxes_put_off: 'one look serves every account that asks for its subject',
  custom_field_patterns: 'the operator sees which of all accounts are no longer enforced',
  email_submissions_of_old_files: 'what is older than it is kept for, whoever it belongs to',
  email_submissions_due: 'the e-mail that has been due the longest, whichever account, each account in turn',
  events_unnumbered: 'the sequencer finds the next accounts with events that wait for a number',
  idempotency_keys_delete: 'what is older than a day, whoever it belongs to',
  eta_outcomes_due: 'the accounts with shipments to score; these are then read by the account',
  imports_due: 'the import that has been due the longest, whichever account; its rows are read by the account',
  hearings_of_mentions: 'what anybody has heard is kept',
  hearings_hearers: 'who heard a delivery, each named with the account; each is then read again by the account',
  inbound_message_of_all: 'for the operator, of the whole installation',
  inbound_messages_of_channel: 'for the operator, of the whole installation',
  inference_drift_of_all: 'the drift watch of all accounts that share',
  inference_companions_drop: 'what is older than it is kept for, whoever it belongs to',
  inference_outcomes_number: 'outcomes of all accounts are numbered together',
  inference_outcomes_read: 'every process learns by all accounts; what crosses them has a crowd behind it',
  inference_outcomes_waiting: 'outcomes of all accounts are numbered together',
  inference_predictions_accounts: 'counts the accounts that share',
  inference_predictions_count_all: 'the figures of all accounts that share, behind at least three',
  inference_predictions_drop: 'what is older than it is kept for, whoever it belongs to',
  inference_predictions_put: 'each prediction is written with its account, in rows',
  invitation_find: 'the link says which account it is for',
  joins_end: 'each is named with its account',
  joins_waiting: 'the worker that looks for what waits, whoever it waits for',
  ledger_root_mark_lock: 'the account whose root is due, whichever it is',
  ledger_root_marks_add: 'every account gets a mark',
  leases_release: 'gives back what a killed process held',
  channels_late: 'the worker that asks what was only heard, whoever waits for it',
  look_plans: 'one look serves every account that asks for its subject',
  mailbox_find: 'finds out whose address it is',
  memberships_of_user: 'all accounts of one person, for that person',
  mending_lease: 'the walk that has waited longest, whichever account',
  mending_shipments_behind: 'for the operator, of the whole installation',
  mendings_begin: 'a walk for each account',
  mendings_list: 'for the operator, of the whole installation',
  mendings_open_count: 'for the operator, of the whole installation',
  mentions_hear_again: 'each is held, by its account or as one for all',
  notification_bodies_aged: 'what is older than it is kept for, whoever it belongs to',
  oauth_clients_delete_unused: 'a client is used when anybody, of whatever account, lets it in',
  oauth_grant_revoke: 'by the id of the grant and the person who gave it, or by the app that holds its tokens',
  oauth_grant_touch: 'by the id of the grant, read from a token that was just checked',
  oauth_grants_delete_old: 'what ended long ago, whoever it belonged to',
  oauth_grants_of_user: 'a person sees their own, in all their accounts',
  oauth_token_find: 'finds out whose token it is',
  payloads_aged: 'what is older than it is kept for, whoever it belongs to',
  rate_limits_list: 'the operator sees the limits of all accounts',
  request_batches_lease: 'workers make the queued requests of all accounts; each row brings its account along',
  read_events_of_accounts: 'each event is asked for with its account, in pairs',
  said_codes_reach: 'how many shipments heard a channel, which is of one account or of the installation',
  sealed_sample: 'the secret of the installation is tried on values of any account',
  session_find: 'all accounts of the person whose session it is',
  share_link_by_token: 'finds out whose link it is',
  shipment_timers: 'the worker of timers',
  shipments_aboard: 'a fix of a ship matters to every account that has boxes on board',
  snapshot_numbers_of_others: 'an answer that several accounts share is shown when it names nothing of another account',
  snapshots_lock_unpacked:
    'an answer of a channel serves every account that listens; one that nobody has used yet may go',
  subjects_needed: 'a subject is idle when no account asks for it',
  task_set_account: 'accounts take turns: it says whose it is',
  tasks_with_mentions: 'what is about to be heard is kept, whoever hears it',
  tasks_enqueue_mentions: 'one delivery serves every account that listens, each named',
  tasks_enqueue: 'one look serves every account that asks for its subject',
  told_moves_over: 'what is no longer under way, whoever it belongs to',
  tracked_boxes: 'each shipment is named with its account',
  tracking_request_timers: 'the worker of timers',
  tracking_requests_to_read: 'a mended reader reads for every account',
  users_list: 'the operator sees who belongs where',
  unlabelled_count: 'accounts whose older rows have no labels yet, for Prometheus',
  unlabelled_lock: 'the first account whose older rows have no labels yet; the row brings it along',
  vessels_aboard: 'which ships have boxes on board, whoever they belong to',
  wanted_requests_lease: 'the account that has waited longest, whichever it is; the rows bring it along',
  webhooks_due: 'which webhooks have something due, whoever they belong to; it is then taken by the account',
  webhook_headers_unsealed: 'sealed at start, whoever they belong to',
  webhook_secrets_delete: 'what has run out, whoever it belonged to',
}
