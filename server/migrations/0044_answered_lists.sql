-- Which paid students of a season have chosen what: the hours of an online olympiad are counted for these.
create index students_entered on students (season, letters, school_id, id) where active and paid;

-- What is packed and not wanted any more: a few lines, which sums of what is wanted have to leave out.
create index dispatch_needs_unwanted on dispatch_needs (season, contents) where wanted = 0;
