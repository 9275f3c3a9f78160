-- As what a webhook is sent; null for the installation's. Receivers that work today read the type that there was, and go
-- on being sent it.
alter table webhooks add column content_type text;
update webhooks set content_type = 'application/vnd.api+json';
