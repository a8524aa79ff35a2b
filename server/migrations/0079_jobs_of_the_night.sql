-- outside a transaction
-- A database from before the baseline has this by another name and for other kinds.
drop index concurrently if exists jobs_of_the_night;
create unique index concurrently jobs_once_a_night on jobs (kind) where state in ('waiting', 'running') and kind like '%.night';
