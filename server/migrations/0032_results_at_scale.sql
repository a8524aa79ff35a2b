alter table result_sets
  -- Row of the file up to which it has been read: a batch and this number commit together, so that a reading that was
  -- cut off goes on behind it
  add column read_to int not null default 0,
  -- Why it corrects a version that schools have seen; they read it. Empty for a first version
  add column reason text not null default '';
