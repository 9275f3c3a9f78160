-- Invoices that were held against what we know, each with what was found then. No row is ever changed.
create table invoice_audits (
  account_id uuid not null references accounts (id),
  id uuid not null,
  number text,
  -- `Invoice` of src/core/charges/invoice.ts.
  invoice jsonb not null,
  -- `InvoiceAudit` of src/core/charges/audit-invoice.ts, and the terms and calendars that it counted by.
  audit jsonb not null,
  -- On the clock of the account's journeys: what was known then is what was looked at.
  made_at timestamptz not null,
  made_by jsonb not null,
  primary key (account_id, id)
);
create index invoice_audits_by_time on invoice_audits (account_id, made_at, id);
create index invoice_audits_by_number on invoice_audits (account_id, number, made_at);
-- The lines of all audited invoices, to find a day that two invoices charge.
create table invoiced_days (
  account_id uuid not null,
  container text not null,
  audit_id uuid not null,
  line integer not null,
  kind text not null,
  charged_by text not null,
  from_day date not null,
  to_day date not null,
  primary key (account_id, container, audit_id, line),
  foreign key (account_id, audit_id) references invoice_audits (account_id, id)
);
