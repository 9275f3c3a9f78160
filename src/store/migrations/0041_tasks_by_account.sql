-- Work is taken one account at a time: an account's tasks stand together, and every key begins with it.
alter table tasks drop constraint tasks_pkey;
alter table tasks add primary key (account_id, id);
-- A program of before may still be at work: it takes tasks by their id alone.
create index tasks_by_id on tasks (id);
