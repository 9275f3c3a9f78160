// `landfall refdata import` and `check`, on a real database: what they print, what they change, what they never do.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readImportedReference } from '../../src/modules/reference-data/imported-reference-sql.ts'
import { applyOverlay } from '../../src/reference/overlay.ts'
import { findPlaceByName } from '../../src/reference/places.ts'
import { findTerminal, oceanTerminalId } from '../../src/reference/terminals.ts'
import { smdgHeader, smdgRow, unlocodeRow } from '../reference/import/lists.ts'
import { openCommandLine } from '../support/command-line.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
const { folder, landfall } = openCommandLine(() => ({ DATABASE_URL: database.url, LANDFALL_SANDBOX: 'on' }))

before(async () => {
  database = await openTestDatabase()
})

after(() => database.close())

function file(name: string, lines: readonly string[]): string {
  const path = join(folder, name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

async function terminals(): Promise<
  readonly (readonly [string, string, number | null, string | null, string, boolean])[]
> {
  const { rows } = await database.pool.query<Record<string, never>>(
    `select unlocode || ':' || smdg_code as key, name, latitude, time_zone, origin, retired_at is not null as retired
       from terminals where smdg_code like 'QQ%' order by 1`,
  )
  return rows.map(({ key = '', name = '', latitude = null, time_zone = null, origin = '', retired = false }) => [
    key,
    name,
    latitude,
    time_zone,
    origin,
    retired,
  ])
}

/** The result in another process after it has checked for a new import. */
async function seenByServer<T>(look: () => T): Promise<T> {
  applyOverlay(await readImportedReference(database.pool))
  return look()
}

async function editions(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*) as count from reference_editions where origin <> 'shipped'`,
  )
  return rows[0]?.count ?? 0
}

const two = [
  smdgHeader,
  smdgRow('CNSGH', 'QQ1', 'INVENTED QUAY ONE', 31.36, 121.61),
  smdgRow('USLAX', 'QQ2', 'INVENTED PIER TWO', 33.75, -118.27),
]

test('an import of reference data without --yes prints the differences and changes nothing', async () => {
  const { code, out, err } = await landfall(
    'refdata',
    'import',
    'smdg',
    '--from',
    file('two.csv', [...two, smdgRow('USLAX', '', 'No code', 33.75, -118.27)]),
    '--extract',
  )
  assert.equal(code, 0, err)
  assert.match(out, /^2 added, 0 changed, 0 retired, 0 unchanged, 1 refused$/m)
  assert.match(out, /^\+ CNSHG:QQ1 {2}INVENTED QUAY ONE {2}31\.36, 121\.61$/m)
  assert.match(out, /^! line 4, USLAX:: Terminal Code "": .*; the row is skipped$/m)
  assert.match(err, /Nothing was changed\. --yes applies it\./)
  assert.deepEqual(await terminals(), [])
  assert.equal(await editions(), 0)
})

test('--yes applies the list and records its edition; the same file again changes nothing', async () => {
  const path = file('two.csv', two)
  const { code, err } = await landfall('refdata', 'import', 'smdg', '--from', path, '--extract', '--yes')
  assert.equal(code, 0, err)
  assert.match(err, /^Applied\./m)
  assert.deepEqual(await terminals(), [
    ['CNSHG:QQ1', 'INVENTED QUAY ONE', 31.36, 'Asia/Shanghai', 'smdg', false],
    ['USLAX:QQ2', 'INVENTED PIER TWO', 33.75, 'America/Los_Angeles', 'smdg', false],
  ])
  const { rows } = await database.pool.query(
    `select edition, sha256, rows, added, loaded_by from reference_editions where origin = 'smdg'`,
  )
  const sha256 = createHash('sha256')
    .update(`${two.join('\n')}\n`)
    .digest('hex')
  assert.deepEqual(rows, [{ edition: 'two.csv', sha256, rows: 2, added: 2, loaded_by: `import from ${path}` }])
  const again = await landfall('refdata', 'import', 'smdg', '--from', path, '--extract', '--yes')
  assert.equal(again.code, 0)
  assert.match(again.err, /Nothing to do/)
  assert.equal(await editions(), 1)
})

test('a running server finds an imported terminal by its code under every code of its port', async () => {
  for (const unlocode of ['CNSHG', 'CNSHA', 'CNSGH']) {
    const terminal = await seenByServer(() => findTerminal({ provider: 'SMDG', code: 'QQ1', unlocode }))
    assert.equal(terminal?.name, 'INVENTED QUAY ONE', unlocode)
    assert.equal(terminal?.id, oceanTerminalId({ unlocode: 'CNSHG', smdgCode: 'QQ1', name: '' }))
  }
})

test('an import prints each change with the values before and after, as text and as JSON', async () => {
  const path = file('changed.csv', [smdgHeader, smdgRow('USLAX', 'QQ2', 'RENAMED PIER', 33.76, -118.27)])
  const { out } = await landfall('refdata', 'import', 'smdg', '--from', path, '--extract')
  assert.match(out, /^~ USLAX:QQ2 {2}name: "INVENTED PIER TWO" → "RENAMED PIER"; latitude: 33\.75 → 33\.76$/m)
  const json = await landfall('refdata', 'import', 'smdg', '--from', path, '--extract', '--json', '--yes')
  const done = JSON.parse(json.out)
  assert.equal(done.isApplied, true)
  assert.deepEqual(done.difference.changed[0].fields, ['name', 'latitude'])
  assert.equal((await terminals())[1]?.[1], 'RENAMED PIER')
})

test('a terminal without a code is matched by its name, and keeps its id and name', async () => {
  const idOf = (name: string) => oceanTerminalId({ unlocode: 'CNSHG', smdgCode: null, name })
  const [east, mingdong] = ['Shanghai East Container Terminal', 'Shanghai Mingdong Container Terminal']
  const path = file('shanghai.csv', [
    smdgHeader,
    smdgRow('CNSHA', 'QQA', 'SHANGHAI EAST CONTAINER TERMINAL', 31.36, 121.61),
    // Two listed terminals match names of one of ours: neither is matched.
    smdgRow('CNSHA', 'QQB', 'MINGDONG', 31.37, 121.6),
    smdgRow('CNSHA', 'QQC', 'WAIGAOQIAO PHASE 5', 31.37, 121.6),
  ])
  const { out } = await landfall('refdata', 'import', 'smdg', '--from', path, '--extract', '--yes')
  assert.match(out, /^2 added, 1 changed, 0 retired, 0 unchanged, 0 refused$/m)
  assert.match(out, /^~ CNSHG:QQA {2}smdgCode: none → "QQA"; latitude: none → 31\.36; longitude: none → 121\.61$/m)
  const { rows } = await database.pool.query(
    `select id, name, smdg_code as code, nickname from terminals
      where unlocode = 'CNSHG' and (name in ($1, $2) or smdg_code = 'QQA') order by name`,
    [east, mingdong],
  )
  assert.deepEqual(rows, [
    { id: idOf(east), name: east, code: 'QQA', nickname: 'SECT' },
    { id: idOf(mingdong), name: mingdong, code: null, nickname: 'SMCT' },
  ])
  const found = await seenByServer(() => findTerminal({ provider: 'SMDG', code: 'QQA', unlocode: 'CNSHA' }))
  assert.equal(found?.id, idOf(east))
  const again = await landfall('refdata', 'import', 'smdg', '--from', path, '--extract', '--yes')
  assert.match(again.out, /^0 added, 0 changed, 0 retired, 3 unchanged, 0 refused$/m)
  // The other terminals with similar names are two terminals each.
  await database.pool.query(`delete from terminals where smdg_code in ('QQB', 'QQC')`)
  await database.pool.query(`update terminals set origin = 'shipped', smdg_code = null where smdg_code = 'QQA'`)
})

test('an import of a complete list retires missing terminals, deletes none, and restores those that return', async () => {
  const many = Array.from({ length: 950 }, (_, at) => smdgRow('USLAX', `ZZ${at}`, `INVENTED ${at}`, 33.75, -118.27))
  const all = file('all.csv', [...two, ...many])
  assert.match((await landfall('refdata', 'import', 'smdg', '--from', all, '--yes', '--extract')).err, /Applied/)
  const less = await landfall(
    'refdata',
    'import',
    'smdg',
    '--from',
    file('less.csv', [...two.slice(0, 2), ...many]),
    '--yes',
  )
  assert.equal(less.code, 0, less.err)
  assert.match(less.out, /^0 added, 0 changed, 1 retired, 951 unchanged, 0 refused$/m)
  assert.deepEqual(
    (await terminals()).map(([key, , , , , retired]) => [key, retired]),
    [
      ['CNSHG:QQ1', false],
      ['USLAX:QQ2', true],
    ],
  )
  const back = await landfall('refdata', 'import', 'smdg', '--from', all, '--yes')
  assert.match(back.out, /^~ USLAX:QQ2 {2}comes back$/m)
  assert.deepEqual(
    (await terminals()).map(([, , , , , retired]) => retired),
    [false, false],
  )
})

test('a refused file changes nothing, and its import exits with code 1', async () => {
  const before = [await terminals(), await editions()]
  const small = await landfall('refdata', 'import', 'smdg', '--from', file('small.csv', two), '--yes')
  assert.equal(small.code, 1)
  assert.match(
    small.err,
    /is refused\. The file has 2 usable rows; 856 to 1190 were expected, for 952 are known\..*--extract/,
  )
  const wrong = await landfall(
    'refdata',
    'import',
    'vessels',
    '--from',
    file('wrong.csv', two),
    '--yes',
    '--extract',
    '--json',
  )
  assert.equal(wrong.code, 1)
  assert.match(JSON.parse(wrong.out).refused, /^The first line has no column imo, name\./)
  assert.deepEqual([await terminals(), await editions()], before)
  const absent = await landfall('refdata', 'import', 'smdg', '--from', join(folder, 'absent.csv'))
  assert.equal(absent.code, 1)
  assert.match(absent.err, /absent\.csv cannot be read/)
})

test('two concurrent imports run one after the other: one applies, the other finds nothing to do', async () => {
  const path = file('ship.csv', ['imo,name', '9321483,INVENTED STAR'])
  const both = await Promise.all(
    [1, 2].map(() => landfall('refdata', 'import', 'vessels', '--from', path, '--extract', '--yes')),
  )
  assert.deepEqual(
    both.map(({ code }) => code),
    [0, 0],
  )
  assert.deepEqual(both.map(({ err }) => err.trim()).toSorted(), [
    'Applied.',
    'Nothing to do: the data is already there.',
  ])
})

test('a new place is imported from a compressed file on the web, and a redirect is reported', async () => {
  const packed = gzipSync(
    `${unlocodeRow({ country: 'US', location: 'Q9Q', name: 'Invented Harbour', function: '1-------', at: '3345N 11816W' })}\n`,
  )
  const server = createServer((request, response) => {
    if (request.url === '/moved') response.writeHead(301, { location: '/list.csv.gz' }).end()
    else response.end(packed)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  try {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const moved = await landfall('refdata', 'import', 'unlocode', '--from', `${base}/moved`, '--extract')
    assert.equal(moved.code, 1)
    assert.match(moved.err, /answers 301 and points to \/list\.csv\.gz: give that address/)
    const { code, err } = await landfall(
      'refdata',
      'import',
      'unlocode',
      '--from',
      `${base}/list.csv.gz?edition=1`,
      '--extract',
      '--yes',
    )
    assert.equal(code, 0, err)
    const { rows } = await database.pool.query(
      `select name, kind, time_zone, origin, edition from places where unlocode = 'USQ9Q'`,
    )
    assert.deepEqual(rows, [
      {
        name: 'Invented Harbour',
        kind: 'port',
        time_zone: 'America/Los_Angeles',
        origin: 'unlocode',
        edition: 'list.csv.gz',
      },
    ])
    const place = await seenByServer(() => findPlaceByName({ name: 'Invented Harbour', country: 'US' }))
    assert.equal(place?.unlocode, 'USQ9Q')
    const terminal = file('there.csv', [smdgHeader, smdgRow('USQ9Q', 'QQ9', 'INVENTED HARBOUR QUAY', 33.75, -118.27)])
    const there = await landfall('refdata', 'import', 'smdg', '--from', terminal, '--extract')
    assert.match(there.out, /^1 added/m, 'a terminal in a port that an import brought')
    const private_ = await landfall('refdata', 'import', 'unlocode', '--from', 'http://10.1.2.3/list.csv')
    assert.match(private_.err, /may not be fetched\. The host of the URL is not at a public address/)
  } finally {
    server.close()
  }
})

test('the SMDG check exits with code 1 if a port is far from its terminals without a known reason', async () => {
  const near = await landfall('refdata', 'check', 'smdg', '--from', file('near.csv', two))
  assert.deepEqual([near.code, near.out], [0, '2 of 2 ports are within 25 km of a listed terminal.\n'])
  const far = await landfall(
    'refdata',
    'check',
    'smdg',
    '--from',
    file('far.csv', [...two, smdgRow('USNYC', 'QQ3', 'FAR', 33.75, -118.27)]),
  )
  assert.equal(far.code, 1)
  assert.match(far.out, /USNYC New York \/ New Jersey: 39\d\d km\. No reason is known\./)
})

test('the list of reference data names the shipped and the imported files', async () => {
  const shipped = await landfall('refdata', 'list')
  assert.match(shipped.out, /^locations\.tsv\.gz {2}UN\/LOCODE 2024-2 {2}115983 rows$/m)
  const installed = await landfall('refdata', 'list', '--installed')
  assert.match(installed.out, /^smdg \(smdg\) {2}all\.csv {2}952 rows$/m)
  assert.match(installed.out, /^places \(shipped\)/m)
})
