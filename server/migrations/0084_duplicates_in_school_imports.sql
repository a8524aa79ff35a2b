-- What a row of a file of schools may be once more: known schools and earlier rows of the file, the likest first,
-- [{"school"}] or [{"row"}]; and what the officer says: '' (not yet), 'same', 'different'.
alter table school_import_rows add column alike jsonb not null default '[]';
alter table school_import_rows add column decision text not null default '' check (decision in ('', 'same', 'different'));
