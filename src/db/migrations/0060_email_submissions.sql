-- The addresses to which an account's documents can be sent by e-mail. The token in the address names the account. It is
-- found by its HMAC, and encrypted for showing the address again.
create table mailboxes (
  account_id uuid not null references accounts (id),
  id uuid not null,
  token_hmac bytea not null unique,
  token_sealed bytea not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (account_id, id)
);

-- Senders whose e-mail is accepted: an address, or `@` and a domain, in lower case.
create table mailbox_senders (
  account_id uuid not null references accounts (id),
  id uuid not null,
  sender text not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, sender)
);

create table email_submissions (
  account_id uuid not null references accounts (id),
  id uuid not null,
  mailbox_id uuid not null,
  -- Of the e-mail without what servers on the way add, with the installation's secret: the same e-mail sent again is the
  -- same submission.
  content_hash bytea not null,
  -- Where the whole e-mail is in the file store, encrypted. Null once it is deleted.
  file_id uuid,
  byte_size bigint not null,
  -- What the conversation with the sending server said, for SPF. Null where a server in front did not say it.
  client_ip text,
  helo text,
  mail_from text not null,
  -- What it says itself is known from here on.
  is_taken_apart boolean not null default false,
  subject text not null default '',
  sealed_body bytea,
  from_addresses text[] not null default '{}',
  to_addresses text[] not null default '{}',
  cc_addresses text[] not null default '{}',
  message_id text,
  in_reply_to text,
  reference_ids text[] not null default '{}',
  content_type text,
  sent_at timestamptz,
  -- Results of RFC 7208 and RFC 6376, as their words are: pass, fail, none, ...; null until they are known.
  spf text,
  dkim text,
  -- The sender is on the account's list, and SPF or DKIM passed for the sender's own domain.
  is_sender_proven boolean,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Null once all parts have been handed over.
  due_at timestamptz,
  lease_token uuid,
  attempts integer not null default 0,
  primary key (account_id, id),
  unique (account_id, content_hash),
  foreign key (account_id, mailbox_id) references mailboxes (account_id, id)
);
create index email_submissions_due on email_submissions (due_at) where due_at is not null;
create index email_submissions_kept on email_submissions (created_at) where file_id is not null and due_at is null;
create index email_submissions_newest on email_submissions (account_id, created_at desc, id);

-- What became of each attachment.
create table email_parts (
  account_id uuid not null,
  submission_id uuid not null,
  -- In the e-mail, from 0.
  place integer not null,
  file_name text,
  content_type text,
  byte_size bigint not null,
  state text not null check (state in ('waiting', 'document', 'import', 'message', 'repeated', 'refused', 'ignored')),
  -- Why it was refused or ignored, in words.
  reason text,
  document_id uuid,
  import_id uuid,
  message_id uuid,
  primary key (account_id, submission_id, place),
  foreign key (account_id, submission_id) references email_submissions (account_id, id)
);
create index email_parts_of_document on email_parts (account_id, document_id) where document_id is not null;

alter table documents
  add constraint documents_email_submission_fkey
    foreign key (account_id, email_submission_id) references email_submissions (account_id, id);
