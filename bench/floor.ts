// The floor that calls are compared with: node:http, pg with prepared statements and JSON.stringify; no framework,
// sign-in or checks. The measurements start it beside the real server, on the same database.
import { createServer } from 'node:http'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
pg.types.setTypeParser(20, Number)

const statements: Readonly<Record<string, string>> = {
  // Fifty rows in an indexed order
  list: `select s.id, s.season, s.name, s.class_id, s.section, s.roll_no, s.exam_roll_no, s.letters, o.code, o.name as school, o.city
    from students s join schools o on o.id = s.school_id where s.season = $1 and s.active order by s.name_key, s.id limit 50`,
  // R1: a school's results of an event
  results: `select student_id, exam_roll_no, student_name, class_id, section, section_marks, raw_score, final_score, class_rank,
      state_rank, zonal_rank, olympiad_rank, medal, prize, award, next_level, present
    from results r join result_sets t on t.id = r.set_id and t.state = 'released'
    where r.school_id = $1 and r.event_id = $2 order by class_id, section, exam_roll_no`,
  // R2: a school's students with subjects, books and amounts
  students: `select s.id, s.class_id, s.section, s.roll_no, s.name, s.parent_name, s.parent_email, s.parent_mobile, s.paid, s.locked,
      coalesce((select json_agg(json_build_object('event', e.letter, 'fee', n.fee, 'retained', n.retained)) from enrolments n
        join events e on e.id = n.event_id where n.student_id = s.id), '[]') as subjects,
      coalesce((select json_agg(json_build_object('kind', b.kind, 'price', b.price)) from book_choices b where b.student_id = s.id), '[]') as books
    from students s where s.school_id = $1 and s.season = $2 and s.active order by s.class_id, s.section, s.roll_no`,
  // R4: participation of a school by class and subject
  save: `with child as (
      insert into students (school_id, season, class_id, section, roll_no, name, name_key, created_at, updated_at)
      values ($1, $2, 7, 'Z', $3, 'Namuna Child', 'namuna child', now(), now()) returning id, school_id, class_id),
    prices as (
      select f.event_id, f.fee, f.retained, f.cb, f.book_retained, e.letter from events e join event_fees f on f.event_id = e.id
      where e.season = $2 and e.letter in ('M', 'S', 'E') and f.class_id = 7),
    entered as (
      insert into enrolments (student_id, event_id, school_id, class_id, fee, retained, created_at)
      select c.id, p.event_id, c.school_id, c.class_id, p.fee, p.retained, now() from child c, prices p),
    ordered as (
      insert into book_choices (student_id, event_id, kind, school_id, class_id, price, retained, created_at)
      select c.id, p.event_id, 'cb', c.school_id, c.class_id, p.cb, p.book_retained, now() from child c, prices p where p.letter <> 'E')
    select id from child`,
  // R4: participation of a school by class and subject
  summary: `select n.class_id, n.event_id, count(*) as students, sum(n.fee) as fee, sum(n.retained) as retained
    from enrolments n join students s on s.id = n.student_id and s.active
    where n.school_id = $1 and s.season = $2 group by n.class_id, n.event_id order by 1, 2`,
}

createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://floor')
  const name = url.pathname.slice(1)
  const text = statements[name]
  if (text === undefined) return response.end('ok')
  pool.query({ name, text, values: url.searchParams.getAll('v') }).then(
    ({ rows }) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: rows })),
    (error: Error) => response.writeHead(500).end(error.message),
  )
}).listen(Number(process.env.PORT), '127.0.0.1')
