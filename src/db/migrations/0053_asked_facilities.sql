alter table asked_numbers
  -- At which of a channel's facilities a box is asked about: its own code of it, null where it has one or needs none.
  add column facility text,
  -- Where what is asked about is only published, and what is known of it then comes from a queue: when it was published last.
  add column published_at timestamptz;
