/**
 * Two accounts, each with one of everything, for the tests that walk all operations, the matrix of accounts and the fuzz
 * run. A new resource is added in `furnish`. What is asked about them: `world-requests.ts`.
 */

import assert from 'node:assert/strict'
import type { Context } from '../../src/modules/access/context.ts'
import { openSigner } from '../../src/modules/evidence/evidence-keys.ts'
import { insertRoot } from '../../src/modules/evidence/ledger-roots-sql.ts'
import { insertMembership } from '../../src/modules/members/memberships-sql.ts'
import { insertUser } from '../../src/modules/members/users-sql.ts'
import { uuidV7 } from '../../src/platform/ids.ts'
import { openTestApi, type TestApi } from './api.ts'
import { type Carrier, openCarrier } from './carrier.ts'
import { paper, testReaders } from './document-readers.ts'
import { handIn, upload } from './hand-in.ts'
import { mailTo } from './mail-to.ts'
import { seedRoute } from './route-seed.ts'
import { sendTo } from './send-to.ts'
import { giveAccess } from './service.ts'

export interface World {
  readonly api: TestApi
  readonly owner: Furnished
  readonly stranger: Furnished
  readonly close: () => Promise<void>
}

export interface Furnished {
  readonly context: Context
  readonly key: string
  /** Ids, keyed by the kind of thing. */
  readonly ids: Readonly<Record<string, string>>
  /** Numbers, references and names that no other account has. */
  readonly words: readonly string[]
  readonly receiverUrl: string
}

/** Six days into a crossing, so that there is a ship to ask about; and at no whole second, as real clocks are. */
const midPacific = '2026-01-18T00:00:00.417Z'

/** Two accounts that each have one of everything, and nothing in common. */
export async function openWorld(options: Parameters<typeof openTestApi>[0] = {}): Promise<World> {
  const api = await openTestApi({ startAt: midPacific, hasReference: true, ...options })
  testReaders(api.service)
  const carrier = await openCarrier()
  await giveAccess(api, { scac: 'TEST', source: 'test', profile: {} })
  const furnishing = { api, carrier }
  const owner = await furnish(furnishing, { bill: 'CNSH12345678', number: 'MSCU4000005', word: 'Kestrel' })
  const stranger = await furnish(furnishing, { bill: 'CNSH87654321', number: 'MSCU4000026', word: 'Avocet' })
  return {
    api,
    owner,
    stranger,
    close: async () => {
      await carrier.close()
      await api.close()
    },
  }
}

async function furnish(
  { api, carrier }: { readonly api: TestApi; readonly carrier: Carrier },
  own: { readonly bill: string; readonly number: string; readonly word: string },
): Promise<Furnished> {
  const context = await api.newAccount()
  const key = await api.newKey(context, ['read', 'write', 'admin'])
  const make = async (url: string, type: string, attributes: object, relationships?: object) => {
    const data = { type, attributes, ...(relationships === undefined ? {} : { relationships }) }
    return (await api.call({ method: 'POST', url, key, body: { data } })).one().id
  }
  const first = async (url: string) => {
    const found = (await api.call({ url, key })).many()[0]
    assert.ok(found, `${url} has nothing in it`)
    return found.id
  }
  const receiverUrl = `${carrier.url}/hooks/${own.word}`
  const events = ['container.created', 'container.transport.vessel_departed', 'tracking_request.succeeded']
  const webhook = await make('/v2/webhooks', 'webhook', { url: receiverUrl, events })
  const { containerId: container } = await seedRoute(api, {
    bill: own.bill,
    key,
    number: own.number,
    carrier,
    attributes: { ref_numbers: [`PO-${own.word}`], shipment_tags: [`tag-${own.word}`] },
  })
  const shipment = await first('/v2/shipments')
  const request = await first('/v2/tracking_requests')
  const haulier = await make('/v2/parties', 'party', { company_name: `${own.word} Haulage` })
  const party = await make('/v2/parties', 'party', { company_name: `${own.word} Imports` })
  const giveRole = (record: string, role: string, id: string) =>
    make(`/v2/${record}/party_roles`, 'party_role', { role }, { party: { data: { type: 'party', id } } })
  const containerRole = await giveRole(`containers/${container}`, 'pickup_dray_carrier', haulier)
  const shipmentRole = await giveRole(`shipments/${shipment}`, 'shipper', party)
  const requestRole = await giveRole(`tracking_requests/${request}`, 'notify_party', party)
  const entities = [
    ['Shipment', 'shipments', shipment],
    ['Container', 'containers', container],
    ['TrackingRequest', 'tracking_requests', request],
  ] as const
  for (const [entityType, folder, id] of entities) {
    for (const slug of ['buyer', 'cost_centre']) {
      const definition = {
        entity_type: entityType,
        api_slug: slug,
        display_name: slug,
        data_type: 'short_text',
      }
      await make('/v2/custom_field_definitions', 'custom_field_definition', definition)
    }
    const field = { api_slug: 'buyer', value: `${own.word} & Sons` }
    await make(`/v2/${folder}/${id}/custom_fields`, 'custom_field', field)
  }
  const notes = { entity_type: 'Shipment', api_slug: 'note', display_name: 'Note', data_type: 'short_text' }
  await make('/v2/custom_field_definitions', 'custom_field_definition', notes)
  const viewed = { name: `Of ${own.word}`, table: 'shipments', query: { 'filter[tags]': `tag-${own.word}` } }
  const chargeTerms = await make('/v2/charge_terms', 'charge_terms', {
    code: `terms-${own.word}`,
    origin: 'contract',
    kind: 'demurrage',
    charged_by: 'line',
    currency: 'USD',
    start: 'vessel_discharged',
    stop: ['full_out'],
    free: 4,
    free_unit: 'calendar_days',
    tiers: [{ from: 1, to: null, rate_minor: null }],
  })
  const calendar = await make('/v2/calendars', 'calendar', { code: `days-${own.word}`, weekend: ['sun'] })
  const invoiceAudit = await make('/v2/invoices/audits', 'invoice_audit', {
    number: `invoice-${own.word}`,
    kind: 'demurrage',
    charged_by: 'line',
    currency: 'USD',
    lines: [{}],
  })
  const savedView = await make('/v2/saved_views', 'saved_view', viewed)
  const shared = await api.call({
    method: 'POST',
    url: '/v2/share_links',
    key,
    body: {
      data: {
        type: 'share_link',
        attributes: { name: `Link of ${own.word}` },
        relationships: { shipment: { data: { type: 'shipment', id: shipment } } },
      },
    },
  })
  const written = await make(`/v2/shipments/${shipment}/notes`, 'note', { text: `Ask ${own.word}` })
  const note = { api_slug: 'note', value: `Ask ${own.word}` }
  const customField = await make(`/v2/shipments/${shipment}/custom_fields`, 'custom_field', note)
  const grades = { entity_type: 'Shipment', api_slug: 'grade', display_name: 'Grade', data_type: 'enum' }
  const definition = await make('/v2/custom_field_definitions', 'custom_field_definition', grades)
  const options = `/v2/custom_field_definitions/${definition}/options`
  const option = await make(options, 'custom_field_option', { label: 'A', value: `a-${own.word}` })
  const some = { request_type: 'container', request_number: 'TEST-TR-SUCCEEDED', scac: 'TEST' }
  const batched = await api.call({
    method: 'POST',
    url: '/v2/tracking_requests/batch',
    key,
    body: { data: [{ type: 'tracking_request', attributes: some }] },
  })
  const columnMap = `columns.of.${own.word}`
  const columns = { ref_numbers: `Order of ${own.word}` }
  await api.call({
    method: 'PUT',
    url: `/v2/column_maps/${columnMap}`,
    key,
    body: { data: { type: 'column_map', attributes: { columns } } },
  })
  const imported = await api.call({
    method: 'POST',
    url: `/v2/imports?file_name=${own.word}.csv&map=${columnMap}`,
    key,
    headers: { 'content-type': 'text/csv' },
    body: `Container,SCAC,Order of ${own.word}\nTEST-TR-FAILED,TEST,PO-${own.word}-9\n`,
  })
  const notification = await first('/v2/webhook_notifications')
  const sent = await sendTo(api, context, own)
  const sender = await make('/v2/mailbox_senders', 'mailbox_sender', { sender: `@${own.word}.example` })
  const mailed = await mailTo(api, context, { subject: `About ${own.word}`, body: `Ask ${own.word}` })
  // An image, so that it can be turned.
  const photo = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), paper('other', own.word)])
  const document = await handIn(api, key, photo, { filename: `${own.word}.png`, type: 'image/png' })
  const signedId = await upload(api, key, paper('other', `next of ${own.word}`))
  const stated = { says: 'seal_number', value: `seal-${own.word}`, reason: `${own.word} read it` }
  const apiKey = await make('/v2/api_keys', 'api_key', { name: `Key of ${own.word}` })
  const member = await joined(api, context, own.word)
  const invited = { email: `next@${own.word.toLowerCase()}.example`, role: 'member' }
  const invitation = await make('/v2/members', 'member', invited)
  const { rows: kept } = await api.service.pool.query<{ id: string }>(
    'select first_snapshot_id as id from claims where account_id = $1 and first_snapshot_id is not null order by id limit 1',
    [context.account.id],
  )
  await make('/v2/tracking_requests', 'tracking_request', { ...some, request_number: 'MSCU4000089' })
  await api.drain()
  const attention = await first('/v2/attention')
  const hook = { url: receiverUrl }
  const alertRule = await make('/v2/alert_rules', 'alert_rule', {
    name: own.word,
    reasons: ['held'],
    webhook: hook,
  })
  const statement = await make(`/v2/containers/${container}/statements`, 'statement', stated)
  return {
    context,
    key,
    ids: {
      webhook,
      container,
      shipment,
      request,
      party,
      containerRole,
      shipmentRole,
      requestRole,
      definition,
      option,
      notification,
      batch: batched.one().id,
      customField,
      ...sent,
      ...mailed,
      sender,
      document,
      savedView,
      chargeTerms,
      calendar,
      invoiceAudit,
      ledgerRoot: await rootOf(api, context),
      note: written,
      shareLink: shared.one().id,
      shareToken: String(shared.one().attributes['token']),
      signedId,
      columnMap,
      import: imported.one().id,
      statement,
      apiKey,
      member,
      invitation,
      snapshot: kept[0]?.id ?? '',
      attention,
      alertRule,
      codeMapping: await first('/v2/code_mappings'),
    },
    words: [own.bill, own.number, `PO-${own.word}`, `tag-${own.word}`, `${own.word} Imports`],
    receiverUrl,
  }
}

/** A root as it is on record. Time does not pass here, so it was not made of the ledger. */
async function rootOf(api: TestApi, { account }: Context): Promise<string> {
  const { pool, clock } = api.service
  const madeAt = new Date(clock.now()).toISOString()
  const { kid } = (await openSigner(api.service))({})
  const id = uuidV7(clock.now())
  const span = { firstPosition: 1, lastPosition: 1, fromAt: madeAt, toAt: madeAt, leafCount: 1 }
  const hashes = { root: '00', previousRoot: null, kid, signature: '' }
  await insertRoot(pool, { accountId: account.id, id, sequence: 1, ...span, ...hashes, madeAt }, Buffer.alloc(48))
  return id
}

/** A person of the account, who never signed in. */
async function joined(api: TestApi, { account }: Context, word: string): Promise<string> {
  const { pool, clock } = api.service
  const id = uuidV7(clock.now())
  const email = `somebody@${word.toLowerCase()}.example`
  const createdAt = new Date(clock.now()).toISOString()
  await insertUser(pool, {
    id,
    email,
    emailKey: email,
    name: `Somebody of ${word}`,
    passwordHash: 'none',
    createdAt,
  })
  await insertMembership(pool, { accountId: account.id, userId: id, role: 'member', createdAt })
  return id
}

/** One digest over the rows of every table that has rows of an account. */
export async function digestOf(api: TestApi, { context }: Furnished): Promise<string> {
  const { rows: tables } = await api.service.pool.query<{ table_name: string }>(
    `select c.table_name from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
      where c.column_name = 'account_id' and c.table_schema = 'public' and t.table_type = 'BASE TABLE'
        -- When a key was last used is noted beside what is asked.
        and c.table_name <> 'api_keys'
      order by 1`,
  )
  const digests: string[] = []
  for (const { table_name: table } of tables) {
    const { rows } = await api.service.pool.query<{ n: string; sum: string | null }>(
      `select count(*) as n, md5(string_agg(r::text, '|' order by r::text)) as sum from ${table} r where account_id::text = $1`,
      [context.account.id],
    )
    digests.push(`${table} ${rows[0]?.n} ${rows[0]?.sum}`)
  }
  return digests.join('\n')
}
