-- Why marks were imported before the last exam date of the event; empty where they were not.
alter table result_sets add column early_reason text not null default '';
