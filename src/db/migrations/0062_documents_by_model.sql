-- What became of asking a language model about a document, and whether its kind is only what the model says.
alter table documents
  add column model_state text check (model_state in ('answered', 'waiting', 'failed')),
  add column model_reason text,
  add column model_tries integer default 0 not null,
  add column is_kind_by_model boolean default false not null;

-- The model is asked once more.
alter table document_tasks
  drop constraint document_tasks_verb_check,
  add constraint document_tasks_verb_check
    check (verb in ('read', 'classify', 'extract', 'link', 'rotate', 'say', 'model'));
