-- Messages that come unasked teach whose box it is: a line's of its own (`told`), a terminal's or railway's of all that it
-- handles (`seen`). Code of before writes neither and reads all alike.
alter table inference_outcomes
  drop constraint inference_outcomes_source_check,
  add constraint inference_outcomes_source_check
    check (source in ('request', 'bill', 'told', 'seen', 'not_found', 'override', 'import'));
