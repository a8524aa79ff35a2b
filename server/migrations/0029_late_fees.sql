-- From this day (IST) on an entry of the event costs so much more (paise); both or neither.
alter table events add column late_from date;
alter table events add column late_fee int not null default 0;
alter table events add constraint events_late_fee_check check (late_fee >= 0 and (late_from is null) = (late_fee = 0));

-- The part of the fee that is a late fee, as it was when the entry was made. The school keeps nothing of it.
alter table enrolments add column late_fee int not null default 0;
alter table enrolments add constraint enrolments_late_fee_check check (late_fee >= 0 and late_fee <= fee);
-- Sum of the same, as reg_amount is of the fees
alter table students add column late_amount int not null default 0;
