-- Signed reports of installations about lines, imported by the operator (src/modules/attestations/).
create table attestations (
  signature text primary key,
  content jsonb not null
);
