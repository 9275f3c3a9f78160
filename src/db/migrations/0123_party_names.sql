-- With the name in it, companies whose name begins alike are counted in the index, without their rows: ten thousand in
-- 1.5 ms instead of 6.
create index parties_named on parties (account_id, lower(company_name) text_pattern_ops) include (company_name);
drop index parties_by_name;
