-- Which of a sender's own codes each part of a delivery has, mapped or not, so that a mapping that is made, changed or
-- withdrawn finds what was said with the code. The meanings themselves stand in the profiles of the channels.
create table said_codes (
  channel_id uuid not null references channels (id),
  -- JSON pointer to the place of the profile where the meaning stands or would stand.
  field text not null,
  code text not null,
  mention_id uuid not null references mentions (id) on delete cascade,
  -- Of EDIFACT; empty else.
  reason text not null,
  text text not null,
  is_mapped boolean not null,
  received_at timestamptz not null,
  primary key (channel_id, field, code, mention_id, reason, text)
);
create index said_codes_of_mention on said_codes (mention_id);
create index said_codes_unmapped on said_codes (channel_id, field, code, reason, text, received_at) where not is_mapped;

-- False for parts that came before codes were noted, or through a program that does not note them.
alter table mentions add column codes_noted boolean not null default false;
create index mentions_codes_unnoted on mentions (id) where not codes_noted and expired_at is null;

-- Codes whose mapping has changed: what was said with them is read again, part by part, after `after_mention`.
create table code_rereads (
  id uuid not null,
  channel_id uuid not null references channels (id),
  field text not null,
  code text not null,
  after_mention uuid,
  -- A part may be read by the mapping of before while the mapping changes. A second pass finds it.
  passes_left smallint not null default 2,
  due_at timestamptz not null,
  primary key (id)
);
create index code_rereads_due on code_rereads (due_at);
