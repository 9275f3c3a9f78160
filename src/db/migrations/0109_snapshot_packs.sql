-- Old answers are compressed together, those of one subject in a frame of their own. A pack is some megabytes of such frames,
-- each encrypted. Past an age the bytes of a pack may lie in the file store instead (docs/decisions/0037).
create table snapshot_packs (
  id uuid primary key,
  made_at timestamptz not null,
  snapshot_ids uuid[] not null,
  -- Of the frames as they are stored, and of the bodies in them.
  bytes integer not null,
  body_bytes bigint not null,
  sha256 bytea not null,
  -- Null when the bytes are in the file store.
  body bytea,
  moved_at timestamptz,
  constraint snapshot_packs_body_check check ((body is null) = (moved_at is not null))
);
-- Parts of it are read by their place, which needs it as it is.
alter table snapshot_packs alter column body set storage external;
create index snapshot_packs_in_database on snapshot_packs (made_at) where moved_at is null;

-- Where the body of a packed snapshot is: its frame in the pack, and the body in the frame when that is decompressed.
alter table kept_snapshots
  add column pack_id uuid,
  add column frame_at integer,
  add column frame_bytes integer,
  add column body_at integer,
  add column body_bytes integer;

-- How far each of the two walks has come: through what was asked, and through what was told. A program of before that still
-- serves cannot read what is packed, so nothing is packed on the first day.
create table snapshot_walks (
  is_told boolean primary key,
  after_id uuid not null default '00000000-0000-0000-0000-000000000000',
  not_before timestamptz not null
);
insert into snapshot_walks (is_told, not_before) values (false, now() + interval '1 day'), (true, now() + interval '1 day');
