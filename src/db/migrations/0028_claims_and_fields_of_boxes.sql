-- A box's own claims are found by its number, for documents that name its raw events: by the bill, a page of boxes read
-- all claims about all boxes of each bill. It takes the place of an index by time, which no question used; it is less
-- than half as large, since few values are different in it.
create index claims_of_box on claims (account_id, subject_id, equipment);
drop index claims_of_subject;

-- A value that came with a request for every container has '' as its number. It waits as long as the request lives, so
-- it says who has it already: one that was taken away afterwards does not come back.
alter table initial_custom_fields add column given_to uuid[] not null default '{}';
