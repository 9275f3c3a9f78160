-- What documents say enters by a channel of their account.
alter table channels
  drop constraint channels_speaker_check,
  add constraint channels_speaker_check
    check (speaker_kind in ('shipping_line', 'terminal', 'rail', 'user', 'document'));

-- The last word of each document, so that the next is said only where it differs, and takes back what it leaves out.
create table document_words (
  account_id uuid not null references accounts (id),
  document_id uuid not null,
  -- Counts the words that were said.
  version integer not null check (version > 0),
  -- On the clock of the account's journeys.
  said_at timestamptz not null,
  sealed_word bytea not null,
  primary key (account_id, document_id),
  foreign key (account_id, document_id) references documents (account_id, id)
);
