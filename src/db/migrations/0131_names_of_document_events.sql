-- Events about documents have two pairs of names at webhooks. The names that are stored with a subscription say which pair
-- its pattern means. A webhook from before there were such events has its pattern only, and keeps the earlier pair.
update webhooks set events = events || 'document.extracted'::text
 where events && array['*', 'document.*'] and not 'document.extracted' = any (events);
update webhooks set events = events || 'document.extraction_failed'::text
 where events && array['*', 'document.*'] and not 'document.extraction_failed' = any (events);
