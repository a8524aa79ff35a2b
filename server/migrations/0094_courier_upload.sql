-- The columns of the file in which a courier takes orders: [{ title, field, fixed }].
alter table couriers add column upload_columns jsonb not null default '[]';
