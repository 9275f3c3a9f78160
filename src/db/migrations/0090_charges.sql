-- Terms of free time and the calendars that they count by. Each row is one version; no row is ever changed, so that what
-- was calculated once can be calculated again.
create table charge_terms (
  account_id uuid not null references accounts (id),
  -- The same for all versions of one code.
  id uuid not null,
  code text not null,
  version integer not null check (version > 0),
  -- `TermsContent` of src/core/charges/terms.ts.
  content jsonb not null,
  recorded_at timestamptz not null,
  recorded_by jsonb not null,
  primary key (account_id, id, version),
  unique (account_id, code, version)
);
create table charge_calendars (
  account_id uuid not null references accounts (id),
  id uuid not null,
  code text not null,
  version integer not null check (version > 0),
  -- `CalendarContent` of src/core/charges/calendar.ts.
  content jsonb not null,
  recorded_at timestamptz not null,
  recorded_by jsonb not null,
  primary key (account_id, id, version),
  unique (account_id, code, version)
);
