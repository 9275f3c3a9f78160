-- Files in the file store that belong to no row yet, or no more. Whoever writes a file notes it here first, and takes
-- the note back in the transaction that gives it a row. After its time the file is deleted, then the note.
create table loose_files (
  account_id uuid not null references accounts (id),
  id uuid not null,
  delete_at timestamptz not null,
  primary key (account_id, id)
);
create index loose_files_due on loose_files (delete_at);

-- Bytes that each account has handed in, by day (UTC). Kept for two days.
create table document_days (
  account_id uuid not null references accounts (id),
  day date not null,
  bytes bigint not null,
  primary key (account_id, day)
);

-- Files that a client is to upload, and those that it has uploaded. Their bytes are in the file store, encrypted, under
-- the id of the row.
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
  -- Null until a document was made of the file, which then has the file. Rows are deleted after a day, and the files of
  -- those that were not used.
  used_at timestamptz,
  primary key (account_id, id)
);
create index uploads_oldest on uploads (created_at);

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
  -- The words of the name of the file, in small letters, for the filter.
  file_words text[] not null,
  file_content_type text,
  file_size_bytes bigint not null,
  -- Where the bytes are in the file store. Rotating an image makes a new file. Null once they are deleted.
  file_id uuid,
  -- Of the bytes that were handed in, with the installation's secret.
  content_hash bytea not null,
  document_type text not null default 'unknown',
  document_type_manual text,
  shown_type text not null generated always as (coalesce(document_type_manual, document_type)) stored,
  classification_notes text,
  -- What a person wrote instead of what was read; null for nothing.
  extracted_data_manual jsonb,
  state text not null default 'waiting' check (state in ('waiting', 'read', 'failed')),
  -- Why nothing could be read: a word of the product and a sentence.
  failure_reason text,
  failure_detail text,
  page_count integer,
  -- The file whose pages are kept. Another one than `file_id`: the pages are to be read again.
  pages_of uuid,
  -- Which reading is shown; null while there is none.
  representation_id uuid,
  -- Shipments that may be meant although no number tells for sure, each with a reason. A person decides.
  candidates jsonb not null default '[]'::jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  discarded_at timestamptz,
  primary key (account_id, id)
);
create unique index documents_same_bytes on documents (account_id, content_hash) where discarded_at is null;
create index documents_newest on documents (account_id, created_at desc, id) where discarded_at is null;
create index documents_by_type on documents (account_id, shown_type, created_at desc, id) where discarded_at is null;
create index documents_in_order_of_type on documents (account_id, shown_type desc, id) where discarded_at is null;
create index documents_in_order_of_adder on documents (account_id, added_by desc, id) where discarded_at is null;
create index documents_words on documents using gin (label_terms(account_id, file_words, '{}'::text[]))
  with (fastupdate = off) where discarded_at is null;
create index documents_of_email on documents (account_id, email_submission_id) where email_submission_id is not null;
create index documents_discarded on documents (discarded_at) where discarded_at is not null and file_id is not null;

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

-- What was read from a document, once per reading, and what a person wrote instead.
create table document_representations (
  account_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  document_type text not null,
  schema_version text not null,
  payload jsonb not null,
  -- Each field with its confidence, who read it, its page and its box on the page.
  fields jsonb not null,
  is_manual boolean not null default false,
  -- Version of the rules that read it; null when a person wrote it.
  reader_version integer,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, document_id) references documents (account_id, id)
);
create index document_representations_newest
  on document_representations (account_id, document_id, is_manual, created_at desc, id desc);

-- Numbers that a document names, tidied (no spaces, upper case): for linking and for the filter by reference.
create table document_references (
  account_id uuid not null,
  document_id uuid not null,
  kind text not null check (kind in ('bill_of_lading', 'booking', 'container', 'reference')),
  number text not null,
  -- As the document writes it: people write reference numbers of their own with blanks and dashes.
  written text not null,
  primary key (account_id, document_id, kind, number),
  foreign key (account_id, document_id) references documents (account_id, id)
);
create index document_references_by_number on document_references (account_id, number);

-- Shipments and containers to which a document belongs. No foreign key leads to these: a rebuild writes and deletes
-- them, and what is gone is not shown.
create table document_links (
  account_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  shipment_id uuid not null,
  container_id uuid,
  -- By which kind of number it was found, or `person`.
  found_by text not null check (found_by in ('bill_of_lading', 'booking', 'container', 'reference', 'person')),
  -- A person said that the document does not belong there. It is never linked there again by what it says.
  is_denied boolean not null default false,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, document_id) references documents (account_id, id),
  check (found_by = 'person' or not is_denied)
);
create unique index document_links_once
  on document_links (account_id, document_id, shipment_id, container_id) nulls not distinct;
create index document_links_of_shipment on document_links (account_id, shipment_id);

-- What is to be done with documents. A process reads them one at a time.
create table document_tasks (
  account_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  -- `read`: pages, kind, fields and links. `classify` and `extract`: kind and fields, or fields alone, from the pages
  -- that are kept. `say`: the journeys hear what the document says now.
  verb text not null check (verb in ('read', 'classify', 'extract', 'link', 'rotate', 'say')),
  -- Of a rotation, clockwise.
  degrees integer check (degrees in (90, 180, 270)),
  due_at timestamptz not null,
  lease_token uuid,
  leased_until timestamptz,
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, document_id) references documents (account_id, id),
  check ((verb = 'rotate') = (degrees is not null))
);
create index document_tasks_due on document_tasks (account_id, due_at, id);
create index document_tasks_of_document on document_tasks (account_id, document_id, created_at, id);

-- What an account has decided about its documents.
create table document_settings (
  account_id uuid primary key references accounts (id),
  -- A language model that the operator has configured may read this account's documents.
  uses_model boolean not null default false,
  changed_at timestamptz not null
);
