-- Which exceptions are told to whom, by mail or to a chat.
create table alert_rules (
  account_id uuid not null references accounts (id),
  id uuid not null,
  name text not null,
  reasons text[] not null,
  -- Which shipments: line, customer, tags, port of discharge. A missing member is no condition.
  shipments jsonb not null,
  emails text[] not null,
  -- The address of a chat's incoming webhook is a secret: whoever knows it can write there.
  url_sealed bytea,
  url_format text check (url_format in ('slack', 'teams', 'json')),
  delivery text not null check (delivery in ('immediately', 'daily')),
  daily_hour smallint not null check (daily_hour between 0 and 23),
  time_zone text not null,
  is_active boolean not null,
  next_digest_at timestamptz,
  last_sent_at timestamptz,
  last_failed_at timestamptz,
  last_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);

-- Accounts that have rules: up to which event they have been looked through, and when the next look without one is due.
create table alert_watches (
  account_id uuid not null references accounts (id),
  sequence bigint not null,
  due_at timestamptz not null,
  worked_at timestamptz not null,
  lease_token uuid,
  leased_until timestamptz,
  primary key (account_id)
);
create index alert_watches_due on alert_watches (due_at);

-- What a rule has told, or will tell with its next message. It goes when it is over, and would then be told anew.
create table alert_told (
  account_id uuid not null,
  rule_id uuid not null,
  reason text not null,
  subject_id uuid not null,
  shipment_id uuid,
  text text not null,
  found_at timestamptz not null,
  checked_at timestamptz not null,
  -- Null while it waits for the daily message.
  told_at timestamptz,
  primary key (account_id, rule_id, reason, subject_id),
  foreign key (account_id, rule_id) references alert_rules (account_id, id) on delete cascade
);
create index alert_told_by_check on alert_told (account_id, rule_id, checked_at);
create index alert_told_by_subject on alert_told (account_id, subject_id);
create index alert_told_waiting on alert_told (account_id, rule_id, found_at) where told_at is null;

-- Messages to chats on their way. Mails have a queue of their own.
create table alert_messages (
  account_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  body jsonb not null,
  made_at timestamptz not null,
  status text not null check (status in ('pending', 'sent', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  ended_at timestamptz,
  last_error text,
  lease_token uuid,
  leased_until timestamptz,
  primary key (account_id, id),
  foreign key (account_id, rule_id) references alert_rules (account_id, id) on delete cascade
);
create index alert_messages_due on alert_messages (next_attempt_at) where status = 'pending';
create index alert_messages_of_rule on alert_messages (account_id, rule_id, made_at desc);

-- Addresses that rules name. The link in a mail confirms that somebody reads there, as an accepted invitation does.
create table alert_addresses (
  account_id uuid not null references accounts (id),
  email_key text not null,
  token_hmac bytea not null unique,
  asked_at timestamptz not null,
  confirmed_at timestamptz,
  -- Confirmed by an invitation: it counts while the person is in the account.
  is_member boolean not null,
  -- The reader wanted no more.
  stopped_at timestamptz,
  primary key (account_id, email_key)
);

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check
  check (kind in ('invitation', 'password_reset_asked', 'password_reset', 'webhook_disabled', 'alert', 'alert_address'));
