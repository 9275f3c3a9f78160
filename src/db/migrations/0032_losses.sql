-- Every loss is seen: where in an answer an issue was found and what is missing by it, how much of each answer was
-- understood, and the lines of which suddenly less is understood than before.
alter table issues add column scac text;
alter table issues add column tracking_request_id uuid;
alter table issues add column page integer;
alter table issues add column path text;
alter table issues add column lost text;

-- What is there says its line, and what shows of statements alone what is lost by it; page, pointer and loss of the
-- others come with the next answer that has the issue again.
update issues i
   set scac = s.scac,
       tracking_request_id = (
         select r.id from tracking_requests r
          where r.account_id = i.account_id and r.subject_id = i.subject_id
          order by r.created_at desc, r.id desc limit 1)
  from subjects s
 where s.id = i.subject_id;
update issues i
   set scac = s.scac,
       lost = case when i.kind in ('future_actual', 'unmapped_event') then 'event' else 'nothing' end
  from shipments s
 where i.shipment_id is not null and s.account_id = i.account_id and s.id = i.shipment_id;

drop index issues_of_subject;
create index issues_newest on issues (account_id, last_at desc, id);
create index issues_by_line on issues (account_id, scac, last_at desc, id);
create index issues_by_kind on issues (account_id, kind, last_at desc, id);
create index issues_of_request on issues (account_id, tracking_request_id) where tracking_request_id is not null;
create index issues_of_shipment on issues (account_id, shipment_id) where shipment_id is not null;

-- Null where nothing was read: no answer, or the same bytes as before.
alter table looks add column credential_id uuid;
alter table looks add column events_told integer;
alter table looks add column events_aside integer;
alter table looks add column events_understood integer;
alter table looks add column events_lost integer;
alter table looks add column unread jsonb;
create index looks_of_line on looks (credential_id, ended_at desc) where events_told > events_aside;

-- Of the last answer that told of events.
alter table subjects add column is_partly_understood boolean;

create table unread_jumps (
  credential_id uuid primary key references credentials (id),
  began_at timestamptz not null,
  share_before double precision not null,
  share_now double precision not null,
  example jsonb not null
);
