-- What points to a table that is made later
alter table backups add foreign key (staff_id) references staff (id);
alter table retention_runs add foreign key (staff_id) references staff (id);
alter table event_rules add foreign key (saved_by) references staff (id);
alter table sessions add foreign key (visit_id) references school_visits (id);
alter table students add foreign key (family_link_id) references family_links (id);
alter table library_lines add foreign key (payment_id) references payments (id);
alter table school_credits add foreign key (line_id) references bank_lines (id);
