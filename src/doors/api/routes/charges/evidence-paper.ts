/** A pack of evidence as a paper for people: what was found, day by day, on whose word, and how to check it. */

import PDFDocument from 'pdfkit'
import type { EvidencePack } from '../../../../platform/evidence/evidence-pack.ts'

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
  const parts: Buffer[] = []
  paper.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise<void>((resolve) => paper.on('end', () => resolve()))
  writeHead(paper, pack, writeMoney)
  writeDays(paper, pack, writeMoney)
  writeStatements(paper, pack)
  writeChecking(paper, pack)
  paper.end()
  await ended
  return Buffer.concat(parts)
}

type Paper = PDFKit.PDFDocument

function writeHead(paper: Paper, pack: EvidencePack, writeMoney: WriteMoney): void {
  const { invoice, audit } = pack
  title(paper, 'Audit of an invoice, with evidence', 18)
  line(paper, `For ${pack.account.company_name}. What was known on ${pack.audited_at}.`)
  line(
    paper,
    `Invoice ${said(invoice['number'])} of ${said(invoice['invoiced_on'])}: ${said(invoice['kind'])} charged by ${said(invoice['charged_by'])} ${said(invoice['charger_code'])}, bills ${said((invoice['bills'] as readonly string[]).join(', '))}.`,
  )
  for (const [name, words] of [
    ['agreed', 'Agrees with our days'],
    ['in_dispute', 'In dispute'],
    ['not_judged', 'Nobody here can tell'],
  ] as const) {
    const sums = (audit[name] as readonly Money[]).map(writeMoney)
    line(paper, `${words}: ${sums.length === 0 ? 'nothing' : sums.join(', ')}.`, { isBold: true })
  }
  const missing = audit['missing_items'] as readonly { readonly clause: string; readonly item: string }[]
  if (missing.length > 0)
    line(
      paper,
      `Items of 46 CFR 541.6 that are missing: ${missing.map(({ clause, item }) => `${item} (${clause})`).join(', ')}.`,
    )
  for (const { clause, check, given, limit } of (
    audit['dates'] as readonly Readonly<Record<string, unknown>>[]
  ).filter(({ outcome }) => outcome === 'not_met'))
    line(paper, `${said(check)} (46 CFR ${said(clause)}): ${said(given)}, where ${said(limit)} is the limit.`)
}

function writeDays(paper: Paper, { audit }: EvidencePack, writeMoney: WriteMoney): void {
  title(paper, 'Days')
  for (const day of audit.days as readonly Day[]) {
    const billed = day.billed === null ? 'no rate' : writeMoney(day.billed)
    line(paper, `${said(day['on'])}  ${said(day['container'])}  ${billed}  ${said(day['finding'])}`, {
      isBold: true,
    })
    line(
      paper,
      `${said(day['sentence'])} ${day.claim_ids.length > 0 ? `Statements ${day.claim_ids.join(', ')}.` : ''}`,
    )
  }
}

function writeStatements(paper: Paper, { statements, roots }: EvidencePack): void {
  title(paper, 'Statements that the days stand on')
  for (const { claim_id: id, proof, not_proven: why, ...said } of statements) {
    line(paper, `${id} of ${said.source_kind} ${said.source_code}`, { isBold: true })
    line(
      paper,
      `Read ${said.read_at}, recorded ${said.recorded_at}. SHA-256 of the answer: ${said.snapshot_sha256 ?? 'none'}.`,
    )
    line(paper, JSON.stringify(said.observation), { size: 7 })
    line(paper, proof === null ? `Not proven: ${why ?? ''}.` : `In root ${proof.root}.`)
  }
  title(paper, 'Roots')
  for (const root of roots) line(paper, `${root.sequence}, until ${root.to}: ${root.root}`)
}

function writeChecking(
  paper: Paper,
  { audit_id: id, signature, does_not_prove: notProven }: EvidencePack,
): void {
  title(paper, 'How to check it')
  line(
    paper,
    `This paper is for reading. What is signed is the JSON at /v2/invoices/audits/${id}/evidence (key ${signature.kid}). check-evidence.mjs checks it without a server, against roots that you hold. Signs outside Latin-1 stand here as a question mark.`,
  )
  title(paper, 'What it does not prove')
  for (const sentence of notProven) line(paper, `- ${sentence}`)
}

function title(paper: Paper, text: string, size = 13): void {
  paper.moveDown(0.6).font('Helvetica-Bold').fontSize(size).text(plain(text), margin, paper.y, { width })
}

function line(paper: Paper, text: string, { isBold = false, size = 9 } = {}): void {
  paper
    .font(isBold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(size)
    .text(plain(text), margin, paper.y + 2, { width })
}

function said(value: unknown): string {
  return value === null || value === undefined || value === '' ? 'not said' : String(value)
}

/** The built-in fonts have the signs of Latin-1. */
function plain(text: string): string {
  return text.replace(/[^\x20-\x7e\u00a0-\u00ff]/g, '?')
}
