-- Invoices that were held against what we know, each with what was found then. No row is ever changed.
create table invoice_audits (
  account_id uuid not null references accounts (id),
  id uuid not null,
  -- `Invoice` of src/core/charges/invoice.ts.
  invoice jsonb not null,
  -- `InvoiceAudit` of src/core/charges/audit-invoice.ts.
  audit jsonb not null,
  created_at timestamptz not null,
  created_by jsonb not null,
  primary key (account_id, id)
);
create index invoice_audits_by_time on invoice_audits (account_id, created_at, id);
