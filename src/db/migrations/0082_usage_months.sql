-- How much an account used in each month. What is in a row was counted once, up to `counted_to`, and is never counted
-- again.
create table usage_months (
  account_id uuid not null references accounts (id),
  month date not null,
  tracking_requests bigint not null,
  shipments bigint not null,
  containers bigint not null,
  events bigint not null,
  deliveries bigint not null,
  documents bigint not null,
  document_bytes bigint not null,
  counted_to timestamptz not null,
  primary key (account_id, month)
);
