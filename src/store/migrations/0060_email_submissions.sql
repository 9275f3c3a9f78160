-- The addresses to which an account's documents can be sent by e-mail. The token in the address names the account.
create table mailboxes (
  account_id uuid not null references accounts (id),
  id uuid not null,
  token text not null unique,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (account_id, id)
);

-- Senders whose e-mail is accepted: an address, or `@` and a domain.
create table mailbox_senders (
  account_id uuid not null references accounts (id),
  sender text not null,
  created_at timestamptz not null,
  primary key (account_id, sender)
);

create table email_submissions (
  account_id uuid not null references accounts (id),
  id uuid not null,
  mailbox_id uuid not null,
  -- The same e-mail sent again is the same submission.
  content_hash bytea not null,
  -- Where the whole e-mail is in the file store.
  file_id uuid not null,
  subject text not null,
  body text,
  from_addresses text[] not null,
  to_addresses text[] not null,
  cc_addresses text[] not null,
  message_id text,
  in_reply_to text,
  reference_ids text[] not null,
  content_type text,
  sent_at timestamptz,
  -- Results of RFC 7208 and RFC 6376, as their words are: pass, fail, none, ...
  spf text not null,
  dkim text not null,
  -- The sender is on the account's list, and SPF or DKIM passed for the sender's own domain.
  is_sender_proven boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Null once all parts have been handed over.
  due_at timestamptz,
  leased_until timestamptz,
  attempts integer not null default 0,
  primary key (account_id, id),
  unique (account_id, content_hash),
  foreign key (account_id, mailbox_id) references mailboxes (account_id, id)
);
create index email_submissions_due on email_submissions (due_at) where due_at is not null;
create index email_submissions_newest on email_submissions (account_id, created_at desc, id desc);

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
