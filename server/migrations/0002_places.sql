-- Countries are named by the standard; India alone has a list of states, grouped in zones.
create table countries (
  id int primary key,
  code text not null unique,
  name text not null unique
);

create table states (
  id int generated always as identity primary key,
  country_id int not null references countries (id),
  code text not null unique,
  name text not null unique,
  zone text not null
);

create table districts (
  id int generated always as identity primary key,
  state_id int not null references states (id),
  name text not null,
  unique (state_id, name)
);

-- Contact persons' designations and titles.
create table designations (
  id int generated always as identity primary key,
  name text not null unique,
  position int not null
);

create table titles (
  id int generated always as identity primary key,
  name text not null unique,
  position int not null
);
