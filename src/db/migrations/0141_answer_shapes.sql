-- The shape of a channel's answers: which members they have, how often, since when; and what changed lately
-- (src/domain/tracking-requests/answer-shape.ts).
create table answer_shapes (
  credential_id uuid primary key references channels (id) on delete cascade,
  answers integer not null,
  members jsonb not null,
  changes jsonb not null,
  -- Polls that ended until then are read.
  read_to timestamptz not null
);
