-- A key with the scope `admin` may invite people; then no person is the inviter.
alter table invitations alter column invited_by drop not null;
