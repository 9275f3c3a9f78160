-- When an operator saw an access work with the line itself, and with which profile: with another one it is unproven again.
alter table channels
  add column verified_at timestamptz,
  add column verified_profile jsonb;
