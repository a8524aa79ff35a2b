-- outside a transaction
-- The words of an activity line: who did it, and the texts that its change tells; not its keys and numbers, what is told of
-- parents to nobody, nor the program's own ids. What an import writes for each student is found by the student.
create index concurrently audit_by_words on audit using gin (
  array_to_tsvector(array_remove(regexp_split_to_array(lower(left(regexp_replace(
    actor_name || ' ' || acting_for || ' ' || jsonb_path_query_array(change, '$.** ? (@.type() == "object").keyvalue()
      ? (@.key != "parentName" && @.key != "parentEmail" && @.key != "parentMobile" && @.key != "fileId" && @.key != "jobId"
        && @.key != "import" && @.key != "invitation" && @.key != "sort").value[*] ? (@.type() == "string")')::text,
    '(\S{200})', '\1 ', 'g'), 20000)), '(?:\\.|[\x01-/:-@[-\x60{-\xbf\u0964\u0965\u2000-\u206f\u20b9])+'), ''))
) where action <> 'student.imported';
