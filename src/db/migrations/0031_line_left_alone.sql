-- A line that asked to be left alone (Retry-After): until when it is, and how often in a row it has asked. Both go with
-- its first good answer.
alter table credentials add column left_alone_until timestamptz;
alter table credentials add column refusals integer not null default 0;
