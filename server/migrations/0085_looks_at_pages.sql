-- The further items of the same kind that an officer has open: a page that shows several below each other.
alter table staff_looks add column beside bigint[] not null default '{}';
