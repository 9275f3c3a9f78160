/**
 * How long an account waits for its list beside the largest pieces of work that another account can hand in: a table, a
 * paper, a batch and an export. Everything runs in one process, as after `npm start`.
 */

import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { startDocumentTasks } from '../src/modules/documents/reading/start-document-tasks.ts'
import type { Service } from '../src/modules/service.ts'
import type { createApiApp } from '../src/server/app.ts'
import type { Installation } from './installation.ts'
import { type Figure, percentile, progress } from './measure.ts'
import { fillToScale } from './scale-fill.ts'

const aimMs = 100
const idleLooks = 300
const [tableRows, tableMb, pages, items] = [10_000, 7.9, 200, 1_000]

interface Work {
  readonly what: string
  /** Ends when the work has ended; returns what came of it. */
  readonly run: (call: Call) => Promise<string>
}

type Call = (path: string, init?: RequestInit) => Promise<Response>

export async function benchHeavyWork(
  installation: Installation,
  app: Awaited<ReturnType<typeof createApiApp>>,
  of: { readonly busy: string; readonly busyId: string; readonly other: string },
): Promise<readonly Figure[]> {
  const containers = process.argv.includes('--full') ? 1_000_000 : 100_000
  progress(`neighbours: filling ${containers.toLocaleString('en-US')} containers`)
  await fillToScale(installation, [{ accountId: of.busyId, containers }])
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const call = (key: string): Call => {
    return (path, { headers, ...init } = {}) =>
      fetch(`${url}${path}`, {
        ...init,
        headers: { authorization: `Token ${key}`, ...(headers as Record<string, string>) },
      })
  }
  const look = async (): Promise<number> => {
    const startedAt = performance.now()
    const answer = await call(of.other)('/v2/shipments')
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`the other account was answered ${answer.status}`)
    return performance.now() - startedAt
  }
  const idle: number[] = []
  for (let nth = 0; nth < idleLooks; nth += 1) idle.push(await look())
  const figures: Figure[] = []
  for (const work of works(installation.service, containers)) {
    progress(`neighbours: ${work.what}`)
    figures.push(await measure(work, { call: call(of.busy), look, idle, postgres: installation.postgres }))
  }
  return figures
}

async function measure(
  { what, run }: Work,
  by: {
    readonly call: Call
    readonly look: () => Promise<number>
    readonly idle: readonly number[]
    readonly postgres: string
  },
): Promise<Figure> {
  const startedAt = performance.now()
  let isOver = false
  const working = run(by.call).finally(() => {
    isOver = true
  })
  const waits: number[] = []
  while (!isOver) {
    waits.push(await by.look())
    await pause(10)
  }
  const came = await working
  const seconds = (performance.now() - startedAt) / 1_000
  const idleP99 = percentile(by.idle, 0.99)
  const figure = percentile(waits, 0.99) - idleP99
  return {
    bench: 'neighbours',
    what: `99th percentile of the waits of another account for its list, above idle, beside ${what}`,
    unit: 'ms',
    figure,
    limit: null,
    ratio: null,
    aim: `at most ${aimMs} ms`,
    isMet: figure <= aimMs,
    note: `${came}, ${seconds.toFixed(1)} s; ${waits.length} lists beside it, the longest ${Math.max(...waits).toFixed(0)} ms; ${idleP99.toFixed(1)} ms idle`,
    postgres: by.postgres,
  }
}

function works(service: Service, containers: number): readonly Work[] {
  return [
    { what: `a table of ${tableMb} MB`, run: sendTable },
    { what: `a paper of ${pages} pages`, run: (call) => sendPaper(call, service) },
    { what: `a batch of ${items.toLocaleString('en-US')} requests`, run: sendBatch },
    {
      what: `an export of ${containers.toLocaleString('en-US')} containers`,
      run: (call) => readExport(call, containers),
    },
  ]
}

async function sendTable(call: Call): Promise<string> {
  const filler = 'x'.repeat(Math.floor((tableMb * 1_000_000) / tableRows) - 30)
  const rows = Array.from({ length: tableRows }, (_, nth) => `HLCUTAB${String(nth).padStart(8, '0')},HLCU,${filler}`)
  const body = ['bill_of_lading_number,scac,note', ...rows].join('\n')
  const headers = { 'content-type': 'text/csv' }
  const answer = await call('/v2/imports/preview', { method: 'POST', body, headers })
  return said(answer, 200)
}

interface Prepared {
  readonly signed_id: string
  readonly direct_upload: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
}

async function sendPaper(call: Call, service: Service): Promise<string> {
  const bytes = await drawPages()
  const blob = {
    filename: 'arrivals.pdf',
    content_type: 'application/pdf',
    byte_size: bytes.length,
    checksum: createHash('md5').update(bytes).digest('base64'),
  }
  const json = { 'content-type': 'application/json' }
  const prepared = (await (
    await call('/rails/active_storage/direct_uploads', {
      method: 'POST',
      body: JSON.stringify({ blob }),
      headers: json,
    })
  ).json()) as Prepared
  const { url, headers } = prepared.direct_upload
  await said(await call(new URL(url).pathname, { method: 'PUT', body: new Uint8Array(bytes), headers }), 204)
  const attributes = { signed_id: prepared.signed_id }
  const made = await call('/v2/documents', {
    method: 'POST',
    body: JSON.stringify({ data: { type: 'document', attributes } }),
    headers: { 'content-type': 'application/vnd.api+json' },
  })
  const { data } = (await made.clone().json()) as { readonly data: { readonly id: string } }
  await said(made, 201)
  await Promise.all(await startDocumentTasks(service, 1))
  const { data: shown } = (await (await call(`/v2/documents/${data.id}`)).json()) as {
    readonly data: { readonly meta: { readonly state: string; readonly page_count: number | null } }
  }
  const { state, page_count: read } = shown.meta
  if (state === 'waiting') throw new Error('the paper was not read')
  return `${(bytes.length / 1e6).toFixed(1)} MB, ${state}, ${read} pages`
}

function drawPages(): Promise<Buffer> {
  const paper = new PDFDocument({ autoFirstPage: false })
  const parts: Buffer[] = []
  paper.on('data', (part: Buffer) => parts.push(part))
  for (let page = 1; page <= pages; page += 1) {
    paper.addPage()
    for (let line = 0; line < 40; line += 1)
      paper.text(`Bill of lading HLCUPAP${page}${line}, vessel EMMA MAERSK, voyage 601E, ${page} packages`)
  }
  paper.end()
  return new Promise((resolve) => void paper.on('end', () => resolve(Buffer.concat(parts))))
}

async function sendBatch(call: Call): Promise<string> {
  const data = Array.from({ length: items }, (_, nth) => ({
    type: 'tracking_request',
    attributes: {
      request_type: 'bill_of_lading',
      request_number: `HLCUBAT${String(nth).padStart(8, '0')}`,
      scac: 'HLCU',
    },
  }))
  const headers = { 'content-type': 'application/vnd.api+json' }
  const answer = await call('/v2/tracking_requests/batch', {
    method: 'POST',
    body: JSON.stringify({ data }),
    headers,
  })
  return said(answer, 201)
}

async function readExport(call: Call, containers: number): Promise<string> {
  const answer = await call('/v2/containers?format=csv')
  let lines = 0
  let bytes = 0
  for await (const part of answer.body ?? []) {
    bytes += part.length
    for (const each of part) if (each === 10) lines += 1
  }
  if (answer.status !== 200 || lines < containers) throw new Error(`${answer.status}: ${lines} lines`)
  return `${lines.toLocaleString('en-US')} lines, ${(bytes / 1e6).toFixed(0)} MB`
}

async function said(answer: Response, expected: number): Promise<string> {
  const text = await answer.text()
  if (answer.status !== expected) throw new Error(`${answer.status}: ${text.slice(0, 500)}`)
  return `answered ${answer.status}`
}
