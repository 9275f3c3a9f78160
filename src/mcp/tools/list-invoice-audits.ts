/** `list_invoice_audits`: audited invoices for demurrage and detention: how much of each agrees with the record. */

import type { PageRequest } from '../../db/listing/page.ts'
import { getAudit, pageAudits } from '../../modules/invoices/audit-invoice.ts'
import type { AuditRow } from '../../modules/invoices/invoice-audits-sql.ts'
import { journeyNow } from '../../modules/service.ts'
import { Type } from '../../platform/json-schema.ts'
import { readFittingPage } from '../lists/fit-rows.ts'
import { listSchema, writeFitting } from '../lists/lists.ts'
import { markUnlessCode } from '../presenters/fence.ts'
import { writeInstant } from '../presenters/local-time.ts'
import { writeNamedMoney } from '../presenters/money.ts'
import { closed, paging, uuid } from '../tool/inputs.ts'
import { type Members, schemaOf, writeMembers } from '../tool/members.ts'
import { list, object, optional, text, textOrNull, texts } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

const day = object({ container: textOrNull, on: text, finding: text, reason: textOrNull, billed: textOrNull })

const item: Members<AuditRow & { readonly isWhole: boolean }> = {
  id: [text, ({ id }) => id],
  number: [textOrNull, (row) => markUnlessCode(row.number)],
  kind: [text, ({ invoice }) => invoice.kind],
  chargedBy: [text, ({ invoice }) => invoice.chargedBy],
  billsOfLading: [texts, ({ invoice }) => invoice.bills.map((bill) => markUnlessCode(bill))],
  billed: [textOrNull, ({ invoice }) => writeAmountOf(invoice.totalMinor, invoice.currency)],
  agrees: [texts, ({ audit }) => audit.agrees.map(writeNamedMoney)],
  disputed: [texts, ({ audit }) => audit.disputed.map(writeNamedMoney)],
  unknown: [texts, ({ audit }) => audit.unknown.map(writeNamedMoney)],
  disputeUntil: [textOrNull, ({ invoice }) => invoice.disputeUntil],
  missing: [texts, ({ audit }) => audit.missing.map((each) => each.item)],
  auditedAt: [text, ({ madeAt }) => writeInstant(madeAt, null)],
  days: [
    optional(list(day)),
    ({ audit, invoice, isWhole }) =>
      isWhole
        ? audit.days.map(({ container, on, finding, reason, billed }) => ({
            container: markUnlessCode(container),
            on,
            finding,
            reason,
            billed: billed === null ? null : writeAmountOf(billed.minor, invoice.currency),
          }))
        : undefined,
  ],
}

export const listInvoiceAudits = defineTool({
  name: 'list_invoice_audits',
  title: 'List audited invoices',
  about: 'Invoices for demurrage or detention compared with the record: agrees, disputed, unknown. `id`: each day.',
  effect: 'read',
  input: Type.Object(
    {
      number: Type.Optional(Type.String({ description: 'Of the invoice' })),
      id: Type.Optional({ ...uuid, description: 'One audit, with each charged day' }),
      ...paging,
    },
    closed,
  ),
  output: listSchema(schemaOf(item)),
  run: async ({ service, context }, { number = null, id, ...paged }) => {
    const now = journeyNow(service, context.account.isSandbox)
    const write = (row: AuditRow) => writeMembers(item, { ...row, isWhole: id !== undefined })
    const readRows = async (page: PageRequest) => {
      const found =
        id === undefined
          ? await pageAudits(service, context, { filter: { number }, page })
          : { rows: [await getAudit(service, context, { id })], total: 1 }
      return { found, items: found.rows.map(write) }
    }
    return makeResult(
      writeFitting(await readFittingPage(paged, { isWhole: id !== undefined, read: readRows }), { now }),
      {
        presentation: 'Say what is disputed and why, what agrees, and what nobody knows; and until when to dispute.',
        tools: ['get_charges', 'list_documents'],
      },
    )
  },
})

function writeAmountOf(minor: number | null, currency: string): string | null {
  return minor === null ? null : writeNamedMoney({ minor, currency })
}
