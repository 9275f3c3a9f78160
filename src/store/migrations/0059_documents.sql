-- Files that a client is to upload, and those that it has uploaded. Their bytes are in the file store, encrypted.
create table uploads (
  account_id uuid not null references accounts (id),
  id uuid not null,
  file_name text not null,
  content_type text,
  byte_size bigint not null check (byte_size > 0),
  md5 bytea not null,
  created_at timestamptz not null,
  -- Null until the bytes have come.
  uploaded_at timestamptz,
  -- Null until a document was made of the file. Unused files are deleted after a day.
  used_at timestamptz,
  primary key (account_id, id)
);
create index uploads_unused on uploads (created_at) where used_at is null;

create table documents (
  account_id uuid not null references accounts (id),
  id uuid not null,
  name text not null,
  source text not null check (source in ('upload', 'api', 'email', 'split_document')),
  user_id uuid,
  -- Who handed it in, in words, for sorting: a user's address, a key's name, an e-mail's sender.
  added_by text not null,
  email_submission_id uuid,
  file_name text not null,
  file_content_type text,
  file_size_bytes bigint not null,
  -- Where the bytes are in the file store. Rotating an image makes a new file.
  file_id uuid not null,
  -- Of the bytes that were handed in, with the installation's secret.
  content_hash bytea not null,
  document_type text not null default 'unknown',
  document_type_manual text,
  classification_notes text,
  -- What a person wrote instead of what was read; null for nothing.
  extracted_data_manual jsonb,
  state text not null default 'waiting' check (state in ('waiting', 'read', 'failed')),
  -- Why nothing could be read: a word of the product and a sentence.
  failure_reason text,
  failure_detail text,
  page_count integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  discarded_at timestamptz,
  primary key (account_id, id)
);
create unique index documents_same_bytes on documents (account_id, content_hash) where discarded_at is null;
create index documents_newest on documents (account_id, created_at desc, id desc) where discarded_at is null;
create index documents_of_email on documents (account_id, email_submission_id) where email_submission_id is not null;

-- The words of a page with their places, encrypted: a document is read again without looking at its pixels again.
create table document_pages (
  account_id uuid not null,
  document_id uuid not null,
  -- From 1.
  page integer not null,
  sealed_words bytea not null,
  primary key (account_id, document_id, page),
  foreign key (account_id, document_id) references documents (account_id, id)
);

-- What was read from a document, once per reading. The newest counts.
create table document_representations (
  account_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  document_type text not null,
  schema_version text not null,
  payload jsonb not null,
  -- Each field with its confidence, who read it, its page and its box on the page.
  fields jsonb not null,
  -- Version of the rules that read it.
  reader_version integer not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, document_id) references documents (account_id, id)
);
create index document_representations_newest on document_representations (account_id, document_id, created_at desc, id desc);

-- Numbers that a document names, tidied (no spaces, upper case): for linking and for the filter by reference.
create table document_references (
  account_id uuid not null,
  document_id uuid not null,
  kind text not null check (kind in ('bill_of_lading', 'booking', 'container', 'reference')),
  number text not null,
  primary key (account_id, document_id, kind, number),
  foreign key (account_id, document_id) references documents (account_id, id)
);
create index document_references_by_number on document_references (account_id, number);

-- Shipments and containers to which a document belongs.
create table document_links (
  account_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  shipment_id uuid not null,
  container_id uuid,
  -- By which kind of number it was found, or `person`.
  found_by text not null check (found_by in ('bill_of_lading', 'booking', 'container', 'reference', 'customer', 'person')),
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, document_id) references documents (account_id, id),
  foreign key (account_id, shipment_id) references shipments (account_id, id)
);
create unique index document_links_once
  on document_links (account_id, document_id, shipment_id, container_id) nulls not distinct;
create index document_links_of_shipment on document_links (account_id, shipment_id);

-- What is to be done with documents. A process reads them one at a time.
create table document_tasks (
  account_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  verb text not null check (verb in ('read', 'classify', 'extract', 'link', 'rotate')),
  -- Of a rotation, clockwise.
  degrees integer check (degrees in (90, 180, 270)),
  due_at timestamptz not null,
  leased_until timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, document_id) references documents (account_id, id),
  check ((verb = 'rotate') = (degrees is not null))
);
create index document_tasks_due on document_tasks (due_at);
create index document_tasks_of_document on document_tasks (account_id, document_id);

-- What an account has decided about its documents.
create table document_settings (
  account_id uuid primary key references accounts (id),
  -- A language model that the operator has configured may read this account's documents.
  uses_model boolean not null default false,
  changed_at timestamptz not null
);
