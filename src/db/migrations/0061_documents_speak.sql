-- What documents say enters by a channel of their account.
alter table channels
  drop constraint channels_speaker_check,
  add constraint channels_speaker_check
    check (speaker_kind in ('shipping_line', 'terminal', 'rail', 'user', 'document'));
