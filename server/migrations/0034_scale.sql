-- What the big data set asked for (bench/README.md).

-- A row that is deleted is looked for in all tables that refer to it: without these an undone import of a thousand
-- students read a million lines of payments a thousand times.
create index payment_lines_of_student on payment_lines (student_id);
create index payments_of_proof on payments (proof_file_id) where proof_file_id is not null;
create index payments_of_receipt_file on payments (receipt_file_id) where receipt_file_id is not null;
create index waivers_of_evidence on waivers (evidence_file_id);
create index certificates_of_student on certificates (student_id);
create index participations_of_date on participations (exam_date_id) where exam_date_id is not null;

-- What is counted with a season's figures, for lists over all schools and all entries of a large season.
create table school_figures (
  season text not null,
  school_id bigint not null,
  students int not null,
  -- Owed and not sent, in paise
  due bigint not null,
  primary key (season, school_id)
);
create table event_figures (
  event_id bigint not null,
  -- 0: all classes together
  class_id int not null,
  -- Active students that are entered, and how many of them have not paid
  students int not null,
  unpaid int not null,
  -- Schools that have entered some who have paid
  schools int not null,
  primary key (event_id, class_id)
);
