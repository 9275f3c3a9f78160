-- What people do with the things that need attention. A row is of one reason: it is set aside until a time, or done
-- while what it follows from stays the same (`done_basis`, a hash). The row with the reason `any` is of the container,
-- shipment or request as a whole, and names the member to whom it is assigned.
alter table attention_snoozes
  alter column until drop not null,
  add column done_basis text,
  add column assigned_to uuid,
  -- Of rows that are not set aside.
  add column changed_at timestamptz;
create index attention_snoozes_changed on attention_snoozes (changed_at) where until is null;
