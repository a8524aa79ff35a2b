-- How many days before an event's first date its choice of dates closes; a rule of the season.
alter table seasons add column date_choice_days int not null default 30 check (date_choice_days >= 0);
