-- Mails on their way: written in the transaction of what they tell of, gone once the mail server has taken them or what
-- they carry has run out. Addresses and links stand here sealed.
create table mails (
  id               uuid primary key,
  kind             text not null check (kind in ('invitation', 'password_reset_asked', 'password_reset', 'webhook_disabled')),
  -- The invitation, person or webhook; what is taken back takes its mails along.
  about            uuid,
  content_sealed   bytea not null,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  next_attempt_at  timestamptz not null,
  -- Begun ones, so that a mail that kills its process is counted too.
  attempts         integer not null default 0,
  lease_token      uuid,
  leased_until     timestamptz
);
create index mails_due on mails (next_attempt_at);
create index mails_about on mails (about);

-- The keys of the authorization server, sealed. Each signs from its time until the next one's. Of two processes that
-- make the next one at the same moment, the number lets one.
create table oauth_signing_keys (
  generation  integer primary key,
  key_sealed  bytea not null,
  made_at     timestamptz not null,
  signs_from  timestamptz not null
);
-- The one key that there was. A process of the version before has it in its memory; one that starts later makes another,
-- which nobody needs: it signed nothing.
insert into oauth_signing_keys (generation, key_sealed, made_at, signs_from)
select 1, decode(value ->> 'sealed', 'base64'), now(), now() from settings where name = 'oauth_signing_key';
delete from settings where name = 'oauth_signing_key';
