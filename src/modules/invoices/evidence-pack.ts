/** The evidence of an audit: the basis of all its days, with hashes and proofs, signed. */

import { type EvidencePack, notProven, packFormat } from '../../platform/evidence/evidence-pack.ts'
import { dropZeroMilliseconds } from '../../platform/evidence/whole-times.ts'
import type { Context } from '../access/context.ts'
import { getEvidenceKeys, openSigner } from '../evidence/evidence-keys.ts'
import { proveStatements } from '../evidence/prove-statements.ts'
import type { Service } from '../service.ts'
import { getAudit } from './audit-invoice.ts'
import type { AuditRow } from './invoice-audits-sql.ts'

/** How the API names what is in an audit. */
export interface AuditWriters {
  readonly invoice: (row: AuditRow) => EvidencePack['invoice']
  readonly audit: (row: AuditRow) => EvidencePack['audit']
}

export async function makeEvidencePack(
  service: Service,
  context: Context,
  { id, auditWriters }: { readonly id: string; readonly auditWriters: AuditWriters },
): Promise<EvidencePack> {
  const row = await getAudit(service, context, { id })
  const ids = [...new Set(row.audit.days.flatMap(({ claimIds }) => claimIds))].toSorted()
  const { statements, roots } = await proveStatements(service, { accountId: context.account.id, ids })
  const content: Omit<EvidencePack, 'signature'> = dropZeroMilliseconds({
    format: packFormat,
    account: { id: context.account.id, company_name: context.account.companyName },
    audit_id: row.id,
    audited_at: row.madeAt,
    invoice: auditWriters.invoice(row),
    audit: auditWriters.audit(row),
    terms: row.audit.terms,
    calendars: row.audit.calendars,
    statements,
    roots,
    keys: await getEvidenceKeys(service),
    does_not_prove: notProven,
  })
  return { ...content, signature: (await openSigner(service))(content) }
}
