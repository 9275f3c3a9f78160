-- Work is taken one account at a time: an account's tasks stand together, and every key begins with it. There is no index
-- by the id alone: with one, an account's few tasks were looked for behind another's hundred thousand. A program of before
-- that is still at work finds a task by reading the table, which is small.
alter table tasks drop constraint tasks_pkey;
alter table tasks add primary key (account_id, id);
drop index tasks_of_request;
create index tasks_of_request on tasks (account_id, tracking_request_id, id);
-- What may be taken stands before what is put off: a hundred thousand that wait are not read to find the one that does not.
create index tasks_due on tasks (account_id, not_before, id);
