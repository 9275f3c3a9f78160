/**
 * A process that dies after a request was done and before its answer was stored: the retry under the same key finds
 * what was created, or creates what was not, so it exists once. The simulated fault ends the connection that stores the
 * answer and lets nobody delete the key; a kill leaves the same state.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPool } from '../../src/db/database.ts'
import { createApiApp } from '../../src/server/app.ts'
import { type Answer, openTestApi, type TestApi } from '../support/api.ts'
import { blobOf, handIn, upload } from '../support/hand-in.ts'
import { type Seeded, seededAt, seedShipment } from '../support/seed.ts'
import { giveAccess } from '../support/service.ts'
import { announce, arrived, subscribe } from '../support/webhooks-harness.ts'

let api: TestApi
let seeded: Seeded
let webhookId: string
let enumId: string
let partyId: string
let notificationId: string
let documentId: string
let signedId: string
let wrongRequestId: string
/** It has all scopes, also to manage keys. */
let admin: string
before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
  await giveAccess(api, { scac: 'HLCU', profile: seeded.carrier.profile('HLCU') })
  await giveAccess(api, { scac: 'TEST', source: 'test', profile: {} })
  admin = await api.newKey(api.context, ['read', 'write', 'admin'])
  webhookId = (await subscribe(api.service, api.context, { url: 'https://example.com/standing' })).id
  await announce(api.service, api.context, [arrived])
  notificationId = (await api.call({ url: '/v2/webhook_notifications' })).many()[0]?.id ?? ''
  const definition = (entity_type: string, api_slug: string, data_type = 'short_text') =>
    api.call({
      method: 'POST',
      url: '/v2/custom_field_definitions',
      body: document('custom_field_definition', { entity_type, api_slug, display_name: api_slug, data_type }),
    })
  enumId = (await definition('Shipment', 'choice', 'enum')).one().id
  const named = document('party', { company_name: 'Haulage' })
  partyId = (await api.call({ method: 'POST', url: '/v2/parties', body: named })).one().id
  const photo = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  documentId = await handIn(api, api.key, photo, { filename: 'photo.png', type: 'image/png' })
  const wrong = request('HLCU0000004')
  wrongRequestId = (await api.call({ method: 'POST', url: '/v2/tracking_requests', body: wrong })).one().id
  signedId = await upload(api, api.key, Buffer.from('%PDF-1.7'))
  for (const type of ['Shipment', 'Container', 'TrackingRequest']) {
    assert.equal((await definition(type, 'note')).status, 201)
    assert.equal((await definition(type, 'remark')).status, 201)
  }
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const document = (type: string, attributes: object, relationships?: object) => ({
  data: { type, attributes, ...(relationships === undefined ? {} : { relationships }) },
})
const request = (number: string, more: object = { scac: 'HLCU' }) =>
  document('tracking_request', { request_type: 'bill_of_lading', request_number: number, ...more })

const counted = [
  'alert_rules',
  'api_keys',
  'audit_events',
  'custom_field_definitions',
  'custom_field_options',
  'custom_fields',
  'document_tasks',
  'documents',
  'invitations',
  'ledger',
  'mailbox_senders',
  'mailboxes',
  'notes',
  'parties',
  'party_roles',
  'request_batch_items',
  'request_batches',
  'saved_views',
  'share_links',
  'tracking_requests',
  'uploads',
  'webhook_secrets',
  'webhooks',
] as const
type Done = Partial<Record<(typeof counted)[number], number>>

interface Case {
  /** As in the description. */
  readonly path: string
  readonly title?: string
  readonly url?: () => string
  readonly body?: () => unknown
  readonly status?: number
  /** Rows that it creates. */
  readonly done: Done
  /** It is done before its answer is stored, so the client may already know it. */
  readonly isInSteps?: boolean
  /** It refers to a resource of the account. */
  readonly isAbout?: boolean
}

const onEntity = (folder: string, id: () => string): Case => ({
  path: `/v2/${folder}/{id}/custom_fields`,
  url: () => `/v2/${folder}/${id()}/custom_fields`,
  body: () => document('custom_field', { api_slug: 'note', value: 'one' }),
  done: { custom_fields: 1, audit_events: 1 },
  isAbout: true,
})
const roleOn = (folder: string, id: () => string, done: Done): Case => ({
  path: `/v2/${folder}/{id}/party_roles`,
  url: () => `/v2/${folder}/${id()}/party_roles`,
  body: () =>
    document('party_role', { role: 'pickup_dray_carrier' }, { party: { data: { type: 'party', id: partyId } } }),
  done: { ...done, audit_events: 1 },
  isAbout: true,
})
const onShipments = (verb: string): Case => ({
  path: `/v2/shipments/batch/${verb}`,
  body: () => ({ data: [{ type: 'shipment', id: seeded.shipmentId }] }),
  status: 200,
  done: { ledger: 1, audit_events: 1 },
  isInSteps: true,
  isAbout: true,
})

const cases: readonly Case[] = [
  {
    path: '/v2/webhooks',
    body: () => document('webhook', { url: 'https://example.com/hook', events: [arrived] }),
    done: { webhooks: 1, webhook_secrets: 1, audit_events: 1 },
  },
  {
    path: '/v2/webhooks/{id}/rotate_secret',
    url: () => `/v2/webhooks/${webhookId}/rotate_secret`,
    status: 200,
    done: { webhook_secrets: 1, audit_events: 1 },
    isAbout: true,
  },
  {
    path: '/v2/webhook_notifications/{id}/redeliver',
    url: () => `/v2/webhook_notifications/${notificationId}/redeliver`,
    status: 200,
    done: { audit_events: 1 },
    isAbout: true,
  },
  {
    path: '/v2/api_keys',
    body: () => document('api_key', { name: 'Warehouse' }),
    done: { api_keys: 1, audit_events: 1 },
  },
  {
    path: '/v2/members',
    body: () => document('member', { email: 'cleo@example.com', role: 'member' }),
    done: { invitations: 1, audit_events: 1 },
  },
  {
    path: '/v2/alert_rules',
    body: () =>
      document('alert_rule', {
        name: 'Holds',
        reasons: ['held'],
        webhook: { url: 'https://example.com/alerts' },
      }),
    done: { alert_rules: 1, audit_events: 1 },
  },
  {
    path: '/v2/saved_views',
    body: () => document('saved_view', { name: 'Late', table: 'shipments' }),
    done: { saved_views: 1, audit_events: 1 },
  },
  {
    path: '/v2/share_links',
    body: () =>
      document(
        'share_link',
        { name: 'For a buyer' },
        { shipment: { data: { type: 'shipment', id: seeded.shipmentId } } },
      ),
    done: { share_links: 1, audit_events: 1 },
    isAbout: true,
  },
  {
    path: '/v2/shipments/{id}/notes',
    url: () => `/v2/shipments/${seeded.shipmentId}/notes`,
    body: () => document('note', { text: 'Ask' }),
    done: { notes: 1, audit_events: 1 },
    isAbout: true,
  },
  {
    path: '/v2/parties',
    body: () => document('party', { company_name: 'Example' }),
    done: { parties: 1, audit_events: 1 },
  },
  {
    path: '/v2/custom_field_definitions',
    body: () =>
      document('custom_field_definition', {
        entity_type: 'Shipment',
        api_slug: 'fresh',
        display_name: 'Fresh',
        data_type: 'number',
      }),
    done: { custom_field_definitions: 1, audit_events: 1 },
  },
  {
    path: '/v2/custom_field_definitions/{id}/options',
    url: () => `/v2/custom_field_definitions/${enumId}/options`,
    body: () => document('custom_field_option', { label: 'One', value: 'one' }),
    done: { custom_field_options: 1, audit_events: 1 },
    isAbout: true,
  },
  {
    path: '/v2/custom_fields',
    body: () =>
      document(
        'custom_field',
        { api_slug: 'remark', value: 'one' },
        { entity: { data: { type: 'shipment', id: seeded.shipmentId } } },
      ),
    done: { custom_fields: 1, audit_events: 1 },
    isAbout: true,
  },
  onEntity('shipments', () => seeded.shipmentId),
  onEntity('containers', () => seeded.containerIds[0] ?? ''),
  onEntity('tracking_requests', () => seeded.trackingRequestId),
  // First the request, because its shipment gets the role too.
  roleOn('tracking_requests', () => seeded.trackingRequestId, { party_roles: 2 }),
  roleOn('containers', () => seeded.containerIds[0] ?? '', { party_roles: 1 }),
  {
    ...roleOn('shipments', () => seeded.shipmentId, { party_roles: 1 }),
    body: () => document('party_role', { role: 'shipper' }, { party: { data: { type: 'party', id: partyId } } }),
  },
  {
    path: '/v2/tracking_requests',
    body: () => request('HLCU0000001'),
    done: { tracking_requests: 1, ledger: 1, audit_events: 1 },
    isInSteps: true,
  },
  {
    path: '/v2/tracking_requests',
    title: 'a number that may be tracked twice',
    body: () => request('TEST-TR-SUCCEEDED', { scac: 'TEST' }),
    done: { tracking_requests: 1, ledger: 1, audit_events: 1 },
    isInSteps: true,
  },
  {
    path: '/v2/tracking_requests',
    title: 'a line that is to be found',
    body: () => request('HLCU0000002', { scac: '', auto_detect_vocc_scac: true }),
    done: { tracking_requests: 1, ledger: 1, audit_events: 1 },
    isInSteps: true,
  },
  {
    path: '/v2/tracking_requests/batch',
    body: () => ({
      data: [request('HLCU0000003').data, request('TEST-TR-SUCCEEDED', { scac: 'TEST' }).data],
    }),
    done: { request_batches: 1, request_batch_items: 2, tracking_requests: 2, ledger: 2, audit_events: 2 },
    isInSteps: true,
  },
  {
    path: '/v2/tracking_requests/{id}/correct',
    url: () => `/v2/tracking_requests/${wrongRequestId}/correct`,
    body: () => document('tracking_request', { request_number: 'HLCU0000005' }),
    done: { tracking_requests: 1, ledger: 1, audit_events: 1 },
    isAbout: true,
  },
  onShipments('stop_tracking'),
  onShipments('resume_tracking'),
  {
    path: '/rails/active_storage/direct_uploads',
    body: () => ({ blob: blobOf(Buffer.from('a file')) }),
    status: 200,
    done: { uploads: 1 },
    // Its answer is not a document, so its id is not checked.
    isAbout: true,
  },
  {
    path: '/v2/mailboxes',
    done: { mailboxes: 1, audit_events: 1 },
  },
  {
    path: '/v2/mailbox_senders',
    body: () => document('mailbox_sender', { sender: '@sender.example' }),
    done: { mailbox_senders: 1, audit_events: 1 },
  },
  {
    path: '/v2/saved_views',
    body: () => document('saved_view', { name: 'Arrived', table: 'shipments', query: {}, columns: [] }),
    done: { saved_views: 1, audit_events: 1 },
  },
  {
    path: '/v2/share_links',
    body: () => ({
      data: {
        type: 'share_link',
        attributes: { name: 'For the consignee' },
        relationships: { shipment: { data: { type: 'shipment', id: seeded.shipmentId } } },
      },
    }),
    done: { share_links: 1, audit_events: 1 },
    isAbout: true,
  },
  {
    path: '/v2/shipments/{id}/notes',
    url: () => `/v2/shipments/${seeded.shipmentId}/notes`,
    body: () => document('note', { text: 'Call the consignee' }),
    done: { notes: 1, audit_events: 1 },
    isAbout: true,
  },
  {
    path: '/v2/documents',
    body: () => document('document', { attached_document: signedId }),
    done: { documents: 1, document_tasks: 1, audit_events: 1 },
    isInSteps: true,
    isAbout: true,
  },
  ...['reextract', 'reclassify', 'relink'].map(
    (verb): Case => ({
      path: `/v2/documents/{id}/${verb}`,
      url: () => `/v2/documents/${documentId}/${verb}`,
      status: 202,
      done: { document_tasks: 1, audit_events: 1 },
      isAbout: true,
    }),
  ),
  {
    path: '/v2/documents/{id}/rotate',
    url: () => `/v2/documents/${documentId}/rotate`,
    body: () => ({ degrees: 90 }),
    status: 202,
    done: { document_tasks: 1, audit_events: 1 },
    isAbout: true,
  },
]
/** They change no stored data, or a repeated request finds nothing more to do. */
const harmless = [
  '/v2/webhooks/trigger',
  '/v2/alert_rules/{id}/test',
  // A code that has a meaning is refused: `test/modules/code-mappings/code-mappings.test.ts`.
  '/v2/code_mappings',
  // A repeated request postpones the item until the same time.
  '/v2/attention/{id}/snooze',
  '/v2/tracking_requests/infer_number',
  '/v2/sources/read',
  // An access replaces that of the same account: `test/modules/connections/account-connections.test.ts`.
  '/v2/connections',
  '/v2/webhooks/{id}/recover',
  '/v2/inbound_messages/{id}/replay',
  // A statement replaces the same person's one before: `test/modules/provenance/container-statements.test.ts`.
  '/v2/containers/{id}/statements',
  // Unchanged data makes no new version: `test/modules/charges/charges.test.ts`.
  '/v2/charge_terms',
  '/v2/calendars',
  '/v2/charge_terms/import',
  '/v2/calendars/import',
  // A repeated audit is stored again, but charges no day twice: `test/modules/invoices/invoice-audits.test.ts`.
  '/v2/invoices/audits',
  '/v2/invoices/audits/import',
  // The body is a table, not JSON: `test/modules/imports/imports.test.ts`.
  '/v2/imports',
  '/v2/imports/preview',
  // Each delivery has its own key (`test/modules/inbound-messages/inbound-deliveries.test.ts`).
  '/v2/inbound/{channel}',
]

test('the cases of this test cover every POST operation that changes data', () => {
  const posts = api.description.operations
    .filter(({ method, responses }) => method === 'POST' && Object.keys(responses).some((each) => each < '300'))
    .map(({ path }) => path)
  assert.deepEqual(posts.toSorted(), [...new Set([...cases.map(({ path }) => path), ...harmless])].toSorted())
})

for (const [index, one] of cases.entries()) {
  const name = one.title === undefined ? one.path : `${one.path} (${one.title})`
  const key = `cut off ${index}`

  test(`POST ${name}, interrupted before its answer is stored, takes effect once when it is repeated`, async () => {
    const before = await count()
    const cut = await dying(() => post(one, key))
    assert.equal(cut.status, one.isInSteps === true ? (one.status ?? 201) : 503, cut.text)
    assert.equal((await keyRow(key)).status, null, 'no answer is kept')
    await lapse(key)
    const again = await Promise.all([post(one, key), post(one, key)])
    for (const { status, text } of again) assert.equal(status, one.status ?? 201, text)
    assert.equal(again[0].text, again[1].text)
    assert.equal(again.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 1)
    assert.deepEqual(await since(before), one.done)
    if (one.isInSteps === true) assert.deepEqual(idOf(again[0]), idOf(cut), 'what the client may have heard of')
    assert.equal((await post(one, key)).text, again[0].text)
    assert.deepEqual(await since(before), one.done)
  })

  if (one.isAbout === true) continue
  test(`POST ${name} with the same key by another account is independent`, async () => {
    const foreign = await api.newKey(await api.newAccount(), ['read', 'write', 'admin'])
    const before = await count()
    const theirs = await post(one, key, foreign)
    assert.equal(theirs.status, one.status ?? 201, theirs.text)
    assert.equal(theirs.headers['idempotent-replayed'], undefined)
    assert.deepEqual(await since(before), one.done)
    assert.notDeepEqual(idOf(theirs), idOf(await post(one, key)))
  })
}

test('repeating an interrupted request returns the webhook secret that is shown only once', async () => {
  const hook = cases[0] as Case
  await dying(() => post(hook, 'secret'))
  await lapse('secret')
  const made = (await post(hook, 'secret')).one()
  const stored = (await api.call({ url: `/v2/webhooks/${made.id}` })).one()
  assert.match(String(made.attributes['secret']), /^whsec_/)
  assert.equal(stored.attributes['secret'], made.attributes['secret'])
})

test('a key of an interrupted request is refused for another request', async () => {
  const hook = cases[0] as Case
  await dying(() => post(hook, 'only as itself'))
  await lapse('only as itself')
  const other: Case = {
    ...hook,
    body: () => document('webhook', { url: 'https://example.com/other', events: [] }),
  }
  assert.equal((await post(other, 'only as itself')).status, 422)
  assert.equal((await post(hook, 'only as itself')).status, 201)
})

test('a recover request that is repeated after an interruption recovers no notification twice', async () => {
  await api.service.pool.query(`update webhook_notifications set delivery_status = 'failed' where id = $1`, [
    notificationId,
  ])
  const recover: Case = {
    path: '/v2/webhooks/{id}/recover',
    url: () => `/v2/webhooks/${webhookId}/recover`,
    body: () => ({ since: '2026-01-01', mode: 'failed_only' }),
    done: {},
  }
  const first = await dying(() => post(recover, 'recover'))
  assert.deepEqual(first.body.meta, { recovered: 1, is_complete: true })
  await lapse('recover')
  assert.deepEqual((await post(recover, 'recover')).body.meta, { recovered: 0, is_complete: true })
})

test('a repeated POST returns the tracking request that was created before the first answer failed', async () => {
  const { pool } = api.service
  let isFailing = true
  // Answers are read through the pool, and resources are created in a transaction.
  const query = (statement: { readonly name?: string; readonly text: string }) =>
    isFailing && statement.name === 'read_tracking_requests'
      ? Promise.reject(new Error('planted'))
      : pool.query(statement)
  const failing = new Proxy(pool, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)),
  })
  const secondApi = await createApiApp({ ...api.service, pool: failing })
  try {
    const test = cases.find(({ title }) => title === 'a number that may be tracked twice') as Case
    const before = await count()
    const ask = () => secondApi.inject(injection(test, 'not shown', api.key))
    assert.equal((await ask()).statusCode, 500)
    assert.deepEqual(await since(before), test.done)
    isFailing = false
    api.clock.advance(1_000)
    const again = await ask()
    assert.equal(again.statusCode, 201, again.body)
    assert.deepEqual(await since(before), test.done)
  } finally {
    await secondApi.close()
  }
})

test('concurrent requests with idempotency keys all succeed with a single database connection', async () => {
  const pool = openPool({ connection: api.databaseUrl, connectionsMax: 1 })
  const secondApi = await createApiApp({ ...api.service, pool })
  try {
    const keys = Array.from({ length: 6 }, (_, nth) => `narrow ${nth}`)
    for (const one of cases.filter(({ path }) => path === '/v2/webhooks' || path === '/v2/parties')) {
      const answers = await Promise.all(keys.map((key) => secondApi.inject(injection(one, key, api.key))))
      assert.deepEqual([...new Set(answers.map(({ statusCode }) => statusCode))], [201])
    }
    assert.equal(pool.totalCount - pool.idleCount, 0)
  } finally {
    await secondApi.close()
    await pool.end()
  }
})

function injection({ path, url, body }: Case, idempotencyKey: string, key: string) {
  const sent = body?.()
  return {
    method: 'POST' as const,
    url: url?.() ?? path,
    headers: {
      authorization: `Token ${key}`,
      'idempotency-key': idempotencyKey,
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(sent === undefined ? {} : { payload: JSON.stringify(sent) }),
  }
}

function post(one: Case, idempotencyKey: string, key = admin): Promise<Answer> {
  const { method, url, headers } = injection(one, idempotencyKey, key)
  const body = one.body?.()
  return api.call({ method, url, headers, key, ...(body === undefined ? {} : { body }) })
}

/** The id that an answer is about; if it is about many, the whole answer. */
function idOf({ body }: Answer): unknown {
  const { data, meta } = body as { readonly data?: { readonly id: string }; readonly meta?: unknown }
  return data?.id ?? meta
}

/** While `work` runs, every process that stores an answer dies. */
async function dying<T>(work: () => Promise<T>): Promise<T> {
  await api.service.pool.query(`
    create function die() returns trigger language plpgsql as $$ begin
      perform pg_terminate_backend(pg_backend_pid());
      perform pg_sleep(5);
      return null; end $$;
    create function leave() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger die before update on idempotency_keys for each row
      when (old.status is null and new.status is not null) execute function die();
    create trigger leave before delete on idempotency_keys for each row execute function leave()`)
  try {
    return await work()
  } finally {
    await api.service.pool.query('drop function die() cascade; drop function leave() cascade')
  }
}

async function keyRow(key: string): Promise<{ readonly status: number | null }> {
  const { rows } = await api.service.pool.query('select status from idempotency_keys where key = $1', [key])
  assert.equal(rows.length, 1)
  return rows[0]
}

/** Lets the lease of the key expire. */
async function lapse(key: string): Promise<void> {
  await api.service.pool.query(
    `update idempotency_keys set leased_until = '-infinity' where key = $1 and status is null`,
    [key],
  )
}

async function count(): Promise<Readonly<Record<string, number>>> {
  const { rows } = await api.service.pool.query(
    `select ${counted.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`,
  )
  return rows[0]
}

async function since(before: Readonly<Record<string, number>>): Promise<Done> {
  const now = await count()
  return Object.fromEntries(
    counted.flatMap((table) => {
      const more = (now[table] ?? 0) - (before[table] ?? 0)
      return more === 0 ? [] : [[table, more]]
    }),
  )
}
