-- Why and since when a school is switched off; empty and null while it is active
alter table schools add column inactive_reason text not null default '';
alter table schools add column inactive_since timestamptz;
-- All that the office searches a school by, folded as names are; the numbers without what people write between digits
alter table schools add column search_key text not null generated always as (
  name_key || ' ' || lower(code)
  || ' ' || regexp_replace(translate(lower(city || ' ' || affiliation_no), '.,-/()''', '       '), ' +', ' ', 'g')
  || ' ' || udise_code || ' ' || lower(pin_code) || ' ' || regexp_replace(phone || '/' || whatsapp || '/' || landline, '[^0-9/]', '', 'g')
) stored;
-- The orders in which the office reads the list, page by page
create index schools_in_order on schools (name_key, id);
create index schools_by_city on schools (city, name_key, id);
create index schools_by_place on schools (state, district);

-- The access code encrypted with the key of the installation, so that the office can print the letter again; empty for
-- links made before codes were kept
alter table school_links add column access_code_sealed text not null default '';
alter table school_links add column created_by bigint references staff (id);

-- Contacts that schools have asked for and nobody has confirmed yet
create index contacts_to_confirm on contacts (school_id) where confirmed_at is null;
