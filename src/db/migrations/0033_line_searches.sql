-- How an account's numbers are searched for when no line is named: how many lines are asked at most (null: every line
-- with a way in), and whether lines whose calls cost are asked as well.
alter table accounts add column search_lines_max integer constraint search_lines_max_positive check (search_lines_max > 0);
alter table accounts add column searches_billed_lines boolean not null default false;
