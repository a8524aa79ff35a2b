-- Whether a child's row before was left out is asked of each batch of a marks file.
create index result_anomalies_by_roll on result_anomalies (set_id, exam_roll_no);
