-- A computed version in figures, class by class, and what differs from the version that schools saw before it: written with
-- the results, since reading half a million rows of a large olympiad for each look at it took seconds.
create table result_figures (
  set_id bigint not null references result_sets (id) on delete cascade,
  class_id int not null,
  present int not null,
  absent int not null,
  schools int not null,
  gold int not null,
  silver int not null,
  bronze int not null,
  medals int not null,
  prizes int not null,
  -- Paise
  amount bigint not null,
  awards int not null,
  next_level int not null,
  highest int not null,
  -- A result has changed since: counted anew by whoever reads next
  stale boolean not null default false,
  primary key (set_id, class_id)
);
create table result_differences (
  set_id bigint primary key references result_sets (id) on delete cascade,
  -- The version that is compared with
  before_id bigint not null references result_sets (id) on delete cascade,
  added int not null,
  removed int not null,
  changed int not null
);
create index result_differences_before on result_differences (before_id);

-- What a change of a result leaves uncounted. The lines of the classes are written in any case and before comparisons are
-- looked for: whoever counts or compares meanwhile has them locked, so that the mark comes behind the count.
create function note_uncounted(sets bigint[], classes int[]) returns void language plpgsql as $$
begin
  perform from result_figures f join unnest(sets, classes) t (set_id, class_id) using (set_id, class_id)
    order by f.set_id, f.class_id for update of f;
  update result_figures f set stale = true
    from unnest(sets, classes) t (set_id, class_id) where t.set_id = f.set_id and t.class_id = f.class_id;
  delete from result_differences where set_id = any(sets) or before_id = any(sets);
end $$;
create function note_changed_results() returns trigger language plpgsql as $$
begin
  perform note_uncounted(array_agg(set_id), array_agg(class_id)) from (
    with own as (
      select set_id, student_id, class_id, school_id, present, raw_score, final_score, class_rank, state_rank, zonal_rank,
        olympiad_rank, medal, prize, prize_amount, award, next_level from gone),
    other as (
      select set_id, student_id, class_id, school_id, present, raw_score, final_score, class_rank, state_rank, zonal_rank,
        olympiad_rank, medal, prize, prize_amount, award, next_level from fresh)
    select set_id, class_id from (table own except table other) a
    union select set_id, class_id from (table other except table own) b) t having count(*) > 0;
  return null;
end $$;
create function note_gone_results() returns trigger language plpgsql as $$
begin
  perform note_uncounted(array_agg(set_id), array_agg(class_id)) from (select distinct set_id, class_id from gone) t
    having count(*) > 0;
  return null;
end $$;
create trigger result_figures_of_changed after update on results referencing old table as gone new table as fresh
  for each statement execute function note_changed_results();
create trigger result_figures_of_gone after delete on results referencing old table as gone
  for each statement execute function note_gone_results();

insert into result_figures
select set_id, class_id, count(*) filter (where present), count(*) filter (where not present), count(distinct school_id),
  count(*) filter (where medal = 'Gold'), count(*) filter (where medal = 'Silver'), count(*) filter (where medal = 'Bronze'),
  count(*) filter (where medal <> ''), count(*) filter (where prize <> ''), sum(prize_amount),
  count(*) filter (where award <> ''), count(*) filter (where next_level), coalesce(max(final_score), 0)
from results group by set_id, class_id;

-- Who has won something, by rank: a few among many.
create index results_with_medal on results (set_id, olympiad_rank, class_id, exam_roll_no) include (student_id)
  where medal <> '';
create index results_with_prize on results (set_id, olympiad_rank, class_id, exam_roll_no) include (student_id)
  where prize <> '';
create index results_with_award on results (set_id, olympiad_rank, class_id, exam_roll_no) include (student_id)
  where award <> '';

-- The queue of payments in each order, and what a payment is found by beside its school.
create index payments_oldest on payments (season, state, submitted_at, id);
create index payments_dearest on payments (season, state, payable desc, id);
alter table payments add column search_key text not null
  generated always as (lower(utr || chr(10) || reference || chr(10) || coalesce(receipt_no, ''))) stored;

-- How many students that have paid a school has entered for an olympiad, kept with a season's figures: for lists over all
-- schools of a large season.
create table event_school_figures (
  event_id bigint not null,
  school_id bigint not null,
  students int not null,
  primary key (event_id, school_id)
);
