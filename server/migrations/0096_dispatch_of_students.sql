-- Books may be paid for before the child's fee: with such a child they change their class or school, too.
drop trigger dispatch_of_students on students;
create trigger dispatch_of_students after update of school_id, class_id, active, paid, letters, cb, pyqp, genex, tb, wb on students
  for each row
  when ((old.paid and (new.paid, new.letters, new.cb, new.pyqp, new.genex, new.tb, new.wb)
      is distinct from (old.paid, old.letters, old.cb, old.pyqp, old.genex, old.tb, old.wb))
    or (new.school_id, new.class_id) is distinct from (old.school_id, old.class_id)
    or (old.active and not new.active))
  execute function mark_dispatch_stale();
