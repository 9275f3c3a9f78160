/** A pack of evidence as a paper for people: the findings, day by day, with their sources, and how to check them. */

import PDFDocument from 'pdfkit'
import type { EvidencePack } from '../../platform/evidence/evidence-pack.ts'

type Day = EvidencePack['audit']['days'][number] & Readonly<Record<string, unknown>>
interface Money {
  readonly minor: number
  readonly currency: string
}
export type WriteMoney = (money: Money) => string

const margin = 50
const width = 612 - 2 * margin

/** `writeMoney`: an amount in decimals with its currency. */
export async function writeEvidencePaper(pack: EvidencePack, writeMoney: WriteMoney): Promise<Buffer> {
  const paper = new PDFDocument({
    size: 'LETTER',
    margins: { top: margin, bottom: margin, left: margin, right: margin },
    // The same pack gives the same bytes.
    info: { Title: `Evidence ${pack.audit_id}`, CreationDate: new Date(pack.audited_at) },
  })
  const chunks: Buffer[] = []
  paper.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => paper.on('end', () => resolve()))
  writeHead(paper, pack, writeMoney)
  writeDays(paper, pack, writeMoney)
  writeStatements(paper, pack)
  writeChecking(paper, pack)
  paper.end()
  await ended
  return Buffer.concat(chunks)
}

type Paper = PDFKit.PDFDocument

function writeHead(paper: Paper, pack: EvidencePack, writeMoney: WriteMoney): void {
  const { invoice, audit } = pack
  writeTitle(paper, 'Audit of an invoice, with evidence', 18)
  writeLine(paper, `For ${pack.account.company_name}. What was known on ${pack.audited_at}.`)
  writeLine(
    paper,
    `Invoice ${statedOrUnknown(invoice['number'])} of ${statedOrUnknown(invoice['invoiced_on'])}: ${statedOrUnknown(invoice['kind'])} charged by ${statedOrUnknown(invoice['charged_by'])} ${statedOrUnknown(invoice['charger_code'])}, bills ${statedOrUnknown((invoice['bills'] as readonly string[]).join(', '))}.`,
  )
  for (const [name, label] of [
    ['agreed', 'Agrees with our days'],
    ['in_dispute', 'In dispute'],
    ['not_judged', 'Cannot be judged'],
  ] as const) {
    const sums = (audit[name] as readonly Money[]).map(writeMoney)
    writeLine(paper, `${label}: ${sums.length === 0 ? 'nothing' : sums.join(', ')}.`, { isBold: true })
  }
  const missing = audit['missing_items'] as readonly { readonly clause: string; readonly item: string }[]
  if (missing.length > 0)
    writeLine(
      paper,
      `Items of 46 CFR 541.6 that are missing: ${missing.map(({ clause, item }) => `${item} (${clause})`).join(', ')}.`,
    )
  for (const { clause, check, given, limit } of (audit['dates'] as readonly Readonly<Record<string, unknown>>[]).filter(
    ({ outcome }) => outcome === 'not_met',
  ))
    writeLine(
      paper,
      `${statedOrUnknown(check)} (46 CFR ${statedOrUnknown(clause)}): ${statedOrUnknown(given)}, where ${statedOrUnknown(limit)} is the limit.`,
    )
}

function writeDays(paper: Paper, { audit }: EvidencePack, writeMoney: WriteMoney): void {
  writeTitle(paper, 'Days')
  for (const day of audit.days as readonly Day[]) {
    const billed = day.billed === null ? 'no rate' : writeMoney(day.billed)
    writeLine(
      paper,
      `${statedOrUnknown(day['on'])}  ${statedOrUnknown(day['container'])}  ${billed}  ${statedOrUnknown(day['finding'])}`,
      {
        isBold: true,
      },
    )
    writeLine(
      paper,
      `${statedOrUnknown(day['sentence'])} ${day.claim_ids.length > 0 ? `Statements ${day.claim_ids.join(', ')}.` : ''}`,
    )
  }
}

function writeStatements(paper: Paper, { statements, roots }: EvidencePack): void {
  writeTitle(paper, 'Statements on which the days are based')
  for (const { claim_id: id, proof, not_proven: why, ...statement } of statements) {
    writeLine(paper, `${id} of ${statement.source_kind} ${statement.source_code}`, { isBold: true })
    writeLine(
      paper,
      `Read ${statement.read_at}, recorded ${statement.recorded_at}. SHA-256 of the answer: ${statement.snapshot_sha256 ?? 'none'}.`,
    )
    writeLine(paper, JSON.stringify(statement.observation), { size: 7 })
    writeLine(paper, proof === null ? `Not proven: ${why ?? ''}.` : `In root ${proof.root}.`)
  }
  writeTitle(paper, 'Roots')
  for (const root of roots) writeLine(paper, `${root.sequence}, until ${root.to}: ${root.root}`)
}

function writeChecking(paper: Paper, { audit_id: id, signature, does_not_prove: notProven }: EvidencePack): void {
  writeTitle(paper, 'How to check it')
  writeLine(
    paper,
    `This PDF is for reading. Only the JSON at /v2/invoices/audits/${id}/evidence is signed (key ${signature.kid}). check-evidence.mjs checks it without a server, against roots that you have stored. Characters outside Latin-1 are shown here as a question mark.`,
  )
  writeTitle(paper, 'What it does not prove')
  for (const sentence of notProven) writeLine(paper, `- ${sentence}`)
}

function writeTitle(paper: Paper, text: string, size = 13): void {
  paper.moveDown(0.6).font('Helvetica-Bold').fontSize(size).text(toLatin1(text), margin, paper.y, { width })
}

function writeLine(paper: Paper, text: string, { isBold = false, size = 9 } = {}): void {
  paper
    .font(isBold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(size)
    .text(toLatin1(text), margin, paper.y + 2, { width })
}

function statedOrUnknown(value: unknown): string {
  return value === null || value === undefined || value === '' ? 'not said' : String(value)
}

/** The built-in fonts have the signs of Latin-1. */
function toLatin1(text: string): string {
  return text.replace(/[^\x20-\x7e\u00a0-\u00ff]/g, '?')
}
