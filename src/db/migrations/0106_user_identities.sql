-- Who a person is at another server by which people sign in: the subject that its ID tokens name.
create table user_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index user_identities_of_user on user_identities (user_id);
