-- The unguessable link of a family and its access code; holds the children of one school that share a parent's mobile.
create table family_links (
  id text primary key,
  school_id bigint not null references schools (id),
  season text not null,
  parent_mobile text not null default '',
  access_code_hash text not null,
  -- The code encrypted with the key of the installation, so that the school can print it on the family's letter
  access_code_sealed text not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  first_opened_at timestamptz,
  last_opened_at timestamptz
);
create index family_links_of_school on family_links (school_id, season);
create unique index family_links_by_mobile on family_links (school_id, season, parent_mobile) where parent_mobile <> '' and revoked_at is null;
alter table students add foreign key (family_link_id) references family_links (id);
