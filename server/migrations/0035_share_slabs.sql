-- Since when the season's share rule counts; entries from before keep the share they had. Null: since the season was made.
alter table seasons add column share_since timestamptz;
