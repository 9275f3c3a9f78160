// Evidence of an audit: packs that a bare Node checks with the server off, roots that chain, and what is refused.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { readPagesInJail } from '../../../src/connectors/papers/pages/read-pages-apart.ts'
import { makeDueRoot } from '../../../src/modules/evidence/make-due-root.ts'
import { canonicalJson } from '../../../src/platform/evidence/canonical-json.ts'
import type { EvidencePack } from '../../../src/platform/evidence/evidence-pack.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { secondShip, seedRoute, told } from '../../support/route-seed.ts'

const folder = mkdtempSync(join(tmpdir(), 'landfall-evidence-'))
const minuteMs = 60_000
let api: TestApi
let carrier: Carrier
let strangerKey: string
let auditId: string

const journey = [
  told('LOAD', 'KRPUS', '2026-01-11T06:00:00Z', 'B', secondShip),
  told('DEPA', 'KRPUS', '2026-01-12T00:00:00Z', 'B', secondShip),
  told('ARRI', 'USLAX', '2026-01-24T00:00:00Z', 'C', secondShip),
  told('DISC', 'USLAX', '2026-01-25T03:00:00Z', 'C', secondShip),
  told('GTOT', 'USLAX', '2026-02-05T18:00:00Z', 'C', null),
]

before(async () => {
  api = await openTestApi({ startAt: '2026-02-20T20:00:00.417Z', env: { LANDFALL_LEDGER_ROOT_HOURS: '24' } })
  carrier = await openCarrier()
  await seedRoute(api, { bill: 'ONEYEVIDENCE1', carrier, journey })
  await post('/v2/charge_terms', 'charge_terms', {
    code: 'acme-oney',
    origin: 'contract',
    kind: 'demurrage',
    charged_by: 'line',
    currency: 'USD',
    start: 'vessel_discharged',
    start_first_full_day: true,
    stop: ['full_out'],
    free: 4,
    free_unit: 'calendar_days',
    tiers: [{ from: 1, to: null, rate_minor: 15_000 }],
    source: 'Invented for this test',
  })
  const line = {
    container: 'MSCU4000005',
    from: '2026-01-28',
    to: '2026-02-06',
    rate_minor: 15_000,
    amount_minor: 150_000,
  }
  const invoice = {
    number: 'E-1',
    kind: 'demurrage',
    charged_by: 'line',
    currency: 'USD',
    total_minor: 150_000,
  }
  auditId = (await post('/v2/invoices/audits', 'invoice_audit', { ...invoice, lines: [line] })).one().id
  strangerKey = await api.newKey(await api.newAccount(), ['read', 'write'])
  await makeRoots()
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await carrier.close()
  await api.close()
})

const post = (url: string, type: string, attributes: object) =>
  api.call({ method: 'POST', url, body: { data: { type, attributes } } })
const roots = async (key = api.key) => (await api.call({ url: '/v2/ledger_roots', key })).body
const getPack = async (): Promise<EvidencePack> =>
  JSON.parse((await api.call({ url: `/v2/invoices/audits/${auditId}/evidence` })).text)

/** The position that the ledger has now is covered some minutes later. */
async function makeRoots(): Promise<void> {
  for (let step = 0; step < 3; step++) {
    api.clock.advance(61 * minuteMs)
    await makeDueRoots()
  }
}

function keep(name: string, content: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

/** A bare Node, with no server and no package near it. */
async function check(pack: unknown, held: { readonly roots?: unknown; readonly keys?: unknown } = {}) {
  const files = [keep('pack.json', pack)]
  if (held.roots !== undefined) files.push('--root', keep('roots.json', held.roots))
  if (held.keys !== undefined) files.push('--keys', keep('keys.json', held.keys))
  const args = [join(process.cwd(), 'docs/check-evidence.mjs'), ...files, '--json']
  const ended = await promisify(execFile)(process.execPath, args, { cwd: folder, env: {} }).catch((error) => error)
  const findings = JSON.parse(ended.stdout).findings as readonly {
    readonly outcome: string
    readonly sentence: string
  }[]
  const of = (outcome: string) => findings.flatMap((each) => (each.outcome === outcome ? [each.sentence] : []))
  return { code: Number(ended.code ?? 0), good: of('good'), bad: of('bad'), open: of('open') }
}

const keys = async () => (await api.call({ url: '/.well-known/landfall-evidence-keys.json', key: null })).body

test('verifies an evidence pack offline against its signature and the published ledger root', async () => {
  const pack = await getPack()
  assert.ok(pack.statements.length >= 2)
  assert.ok(
    pack.statements.every(({ recorded_at: at }) => at.endsWith('.417Z')),
    'a fraction was cut',
  )
  assert.ok(pack.statements.every(({ snapshot_sha256: hash }) => /^[0-9a-f]{64}$/.test(hash ?? '')))
  const checked = await check(pack, { roots: await roots(), keys: await keys() })
  assert.deepEqual([checked.code, checked.bad, checked.open], [0, [], []])
  assert.ok(checked.good.some((sentence) => sentence.includes('is the one that you hold')))
  const alone = await check(pack)
  assert.deepEqual([alone.code, alone.bad], [0, []])
  assert.match(alone.open.join(' '), /comes from the pack itself.*no roots of your own/)
})

test('signature, proof and hash of an evidence pack match the computations of independent code', async () => {
  const { signature, ...rest } = await getPack()
  const [key] = (await keys())['keys'] as readonly {
    readonly kty: string
    readonly crv: string
    readonly x: string
  }[]
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key?.x ?? '' }, format: 'jwk' })
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .toSorted(([a], [b]) => (a < b ? -1 : 1))
              .map(([name, each]) => [name, sorted(each)]),
          )
        : value
  const text = JSON.stringify(sorted(rest))
  assert.ok(verify(null, Buffer.from(text), publicKey, Buffer.from(signature.value, 'base64url')))
  const [statement] = rest.statements
  assert.ok(statement?.proof)
  const { proof, not_proven: _, ...leaf } = statement
  const sha = (...parts: readonly (Buffer | string)[]) =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
  const root = rest.roots.find(({ sequence }) => sequence === proof.root)
  // RFC 9162 (2.1.3.2).
  let [fn, sn, r] = [proof.index, (root?.leaf_count ?? 0) - 1, sha(Buffer.of(0), JSON.stringify(sorted(leaf)))]
  for (const each of proof.path) {
    const p = Buffer.from(each, 'hex')
    if (fn % 2 === 1 || fn === sn) {
      r = sha(Buffer.of(1), p, r)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1]
    } else r = sha(Buffer.of(1), r, p)
    ;[fn, sn] = [fn >> 1, sn >> 1]
  }
  assert.equal(sn, 0)
  assert.equal(r.toString('hex'), root?.root)
  const [snapshot] = (await api.call({ url: `/v2/snapshots?filter[claim]=${leaf.claim_id}` })).many()
  assert.equal(snapshot?.attributes['sha256'], leaf.snapshot_sha256)
})

test('refuses a flipped byte, another key, and a pack rebuilt with other data', async () => {
  const pack = await getPack()
  const held = { roots: await roots(), keys: await keys() }
  const flipped = JSON.stringify(pack).replace('"on":"2026-01-28"', '"on":"2026-01-29"')
  assert.match((await check(flipped, held)).bad.join(), /The pack is not signed by a known key/)

  // Somebody with a key of their own signs what suits them, and brings their key along.
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const own = { ...publicKey.export({ format: 'jwk' }), kid: 'own' }
  const resign = (content: Omit<EvidencePack, 'signature'>, kid: string) => ({
    ...content,
    signature: {
      kid,
      value: sign(null, Buffer.from(canonicalJson(content)), privateKey).toString('base64url'),
    },
  })
  const { signature: _, ...content } = pack
  const forged = await check(resign({ ...content, keys: [...content.keys, own as never] }, 'own'), held)
  assert.equal(forged.code, 1)

  // The operator alters what is on record, hashes it anew and signs with the installation's key.
  const discharge = pack.statements.find(({ observation }) => JSON.stringify(observation).includes('2026-01-25T03'))
  assert.ok(discharge)
  await alter(discharge.claim_id)
  const altered = await getPack()
  assert.equal(
    altered.statements.find(({ claim_id: id }) => id === discharge.claim_id)?.proof,
    null,
    'it says so itself',
  )
  await hashAnew()
  const anew = await check(await getPack(), held)
  assert.equal(anew.code, 1)
  assert.match(anew.bad.join(), /is not the one that you hold: what was on record was changed/)
  const alone = await check(await getPack(), { keys: held.keys })
  assert.equal(alone.code, 0, 'nobody can see it without a root of his own')
  assert.equal((await check('{"format":"other"}')).code, 1)
})

const alter = (id: string) =>
  api.service.pool.query(
    `update claims set observation = replace(observation::text, '2026-01-25T03', '2026-01-23T03')::jsonb where id = $1`,
    [id],
  )
async function hashAnew(): Promise<void> {
  await api.service.pool.query('delete from ledger_roots')
  await api.service.pool.query(
    `update ledger_root_marks set covered_position = 0, made_at = null, due_at = '2026-01-01'`,
  )
  await makeRoots()
}

test('the evidence PDF lists findings, days and statements, and has the same bytes each time', async () => {
  const url = `/v2/invoices/audits/${auditId}/evidence.pdf`
  const get = async () => (await api.app.inject({ url, headers: { authorization: `Token ${api.key}` } })).rawPayload
  const bytes = await get()
  assert.deepEqual(await get(), bytes)
  const read = await readPagesInJail(bytes)
  assert.ok(read.ok)
  const { pages } = read
  const words = pages.flatMap((page) => page.words.map(({ text }) => text)).join(' ')
  for (const text of ['Audit of an invoice', 'E-1', '2026-01-28', 'SHA-256', 'does not prove'])
    assert.match(words, new RegExp(text))
})

test('each ledger root names the previous root, and a new root is made only for new entries', async () => {
  const before = (await roots()).data as readonly {
    readonly attributes: { readonly head: { readonly root: string } }
  }[]
  assert.equal(before.length, 1)
  await makeRoots()
  assert.equal(((await roots()).data as readonly unknown[]).length, 1)
  await seedRoute(api, { bill: 'ONEYEVIDENCE2', number: 'CXRU1255022', carrier, journey })
  api.clock.advance(24 * 60 * minuteMs)
  await Promise.all([makeRoots(), makeRoots()])
  const [last, first] = (await roots()).data as typeof before as never as readonly [never, never]
  const heads = [first, last].map((each: { attributes: { head: Record<string, unknown> } }) => each.attributes.head)
  assert.equal(heads[1]?.['previous_root'], heads[0]?.['root'])
  assert.deepEqual(
    heads.map((head) => head?.['sequence']),
    [1, 2],
  )
  assert.equal(heads[1]?.['first_position'], Number(heads[0]?.['last_position']) + 1)
  await api.drain()
  const events = (
    await api.call({ url: '/v2/events?filter[event]=ledger.root_made&include=reference_object&limit=1000' })
  ).body
  assert.ok(events.included?.some(({ id }) => id === (last as { id: string }).id))
})

test('the next ledger root includes an entry that was committed late, while a root was made', async () => {
  const { rows } = await api.service.pool.query<{ n: number }>('select max(leaf_count)::int as n from ledger_roots')
  assert.ok((rows[0]?.n ?? 0) > 0)
  const { pool } = api.service
  const client = await pool.connect()
  try {
    await client.query('begin')
    // A position is reserved, and its entry is not there yet.
    const { rows: taken } = await client.query<{ position: number }>(
      `select nextval(pg_get_serial_sequence('ledger', 'position')) as position`,
    )
    await seedRoute(api, { bill: 'ONEYEVIDENCE3', number: 'TCNU1234565', carrier, journey })
    await makeDueRoots()
    await client.query(
      `insert into ledger (position, account_id, kind, recorded_at, payload) overriding system value
       select $1, account_id, kind, recorded_at, payload from ledger where payload -> 'heard' -> 'add' is not null
        order by position desc limit 1`,
      [taken[0]?.position],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
  api.clock.advance(24 * 60 * minuteMs)
  await makeRoots()
  const [newest] = (await roots()).data as readonly {
    readonly attributes: { readonly head: { readonly last_position: number } }
  }[]
  const { rows: all } = await pool.query<{ position: number }>('select max(position)::int as position from ledger')
  assert.equal(newest?.attributes.head.last_position, all[0]?.position)
})

const makeDueRoots = async (): Promise<void> => {
  while ((await makeDueRoot(api.service)) > 0);
}

test('another account sees no roots or packs, and the keys contain no private part', async () => {
  assert.deepEqual((await roots(strangerKey)).data, [])
  const [root] = (await roots()).data as readonly { readonly id: string }[]
  assert.equal((await api.call({ url: `/v2/ledger_roots/${root?.id}` })).status, 200)
  assert.equal((await api.call({ url: `/v2/ledger_roots/${root?.id}`, key: strangerKey })).status, 404)
  assert.equal((await api.call({ url: `/v2/invoices/audits/${auditId}/evidence`, key: strangerKey })).status, 404)
  const shown = JSON.stringify(await keys())
  assert.equal(shown.includes('"d"'), false, 'the private part is nowhere')
})
