-- Students typed or pasted in the grid are saved as an import, too: 'file', 'carry-over', 'grid'.
alter table student_imports drop constraint student_imports_source_check;
alter table student_imports add constraint student_imports_source_check check (source in ('file', 'carry-over', 'grid'));
