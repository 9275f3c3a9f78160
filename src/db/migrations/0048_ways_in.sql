-- A channel may be a folder as well, which an SFTP server or a gateway fills: its name below the operator's base folder.
alter table channels add column folder text unique;

-- What nobody listens to waits for a time and is let go of then; what was heard once is kept for good.
alter table mentions
  add column expired_at timestamptz,
  add column is_kept boolean not null default false,
  -- Of one that is let go of: its content goes with it.
  alter column snapshot_id drop not null;
create index mentions_may_expire on mentions (channel_id, received_at, id) where expired_at is null and not is_kept;
create index mentions_of_snapshot on mentions (snapshot_id) where snapshot_id is not null;
create index tasks_of_mention on tasks (((payload ->> 'mention')::uuid)) where payload ? 'mention';
