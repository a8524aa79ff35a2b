// What to ask the calls for on the big data set: ids and words that are there.
import { addDays, istDay, seasonAt } from '@podium/contract/season'
import { sql } from 'kysely'
import type { Db } from '../server/src/platform/db/database.ts'
import type { Samples } from '../server/test/asked.ts'

interface Found {
  school: number
  code: string
  name: string
  state: string
  district: string
  student: number
  roll: string
  mobile: string
  event: number
  set: number
  payment: number
  receipt: string
  line: number
  utr: string
  packet: number
  consignment: string
  application: number
  result: string
  link: string
  other: string
  online: number
  certificate: string
  unplaced: number
  waiting: number
  waitingCode: string
}

/** A school that has paid, by what is left of its id by 100 (1 to 9: of 150 children, 40 to 99: of some twenty), Mathematics and its results, and something of each other kind. */
export async function samplesOf(
  db: Db,
  now: Date,
  which = 5,
): Promise<{ samples: Samples; found: Found; season: string }> {
  const season = seasonAt(now)
  const { rows } = await sql<Found>`
    with school as (
      select o.* from schools o where o.id % 100 = ${which}::int and exists (select from results r where r.school_id = o.id)
      order by o.id limit 1),
    event as (select id from events where season = ${season} and letter = 'M' and level = 1),
    student as (
      select s.* from students s where s.school_id = (select id from school) and s.season = ${season} and s.paid and s.letters like 'M%'
        and s.family_link_id is not null order by s.id limit 1),
    payment as (select * from payments where state = 'verified' and utr <> '' order by id limit 1),
    line as (select * from bank_lines where state = 'open' order by id limit 1),
    waiting as (select * from result_sets where state = 'computed' order by id limit 1),
    packet as (select * from packets where consignment_no <> '' order by id limit 1)
    select (select id from school) as school, (select code from school) as code, (select name_key from school) as name,
      (select state from school) as state, (select district from school) as district, (select id from student) as student,
      (select exam_roll_no from student) as roll, (select parent_mobile from student) as mobile, (select id from event) as event,
      (select t.id from result_sets t where t.event_id = (select id from event) order by version desc limit 1) as set,
      (select id from payment) as payment, (select receipt_no from payment) as receipt, (select utr from payment) as utr,
      (select id from line) as line, (select id from packet) as packet, (select consignment_no from packet) as consignment,
      (select min(id) from applications) as application,
      (select r.set_id || '-' || r.student_id from results r where r.student_id = (select id from student) limit 1) as result,
      (select family_link_id from student) as link, (select code from schools where id = (select id + 1 from school)) as other,
      (select id from events where season = ${season} and mode = 'Online' order by id limit 1) as online, (select min(number) from certificates) as certificate,
      (select s.id from students s where s.season = ${season} and s.active and not s.paid order by s.id limit 1) as unplaced,
      (select id from waiting) as waiting,
      (select o.code from schools o where exists (
        select from results r where r.school_id = o.id and r.event_id = (select event_id from waiting) and r.set_id = (select id from waiting))
        order by o.id limit 1) as "waitingCode"`.execute(db)
  const [found] = rows
  if (!found?.school || !found.student) throw new Error('the database is not the big data set')
  const today = istDay(now)
  const id = (value: number) => [String(value)]
  const samples: Samples = {
    FYear: [season],
    Fyear: [season],
    season: [season],
    search: [
      'sha',
      'sha aar',
      'ram vid mod',
      found.code,
      found.mobile,
      '42',
      found.roll,
      found.receipt,
      found.consignment,
      found.utr,
      'teacher',
      'a',
      'zzzz',
    ],
    page: ['20', '200'],
    state: [found.state],
    district: [found.district],
    school: [found.code, found.name],
    classId: ['7'],
    subject: ['M', 'K'],
    letter: ['M'],
    courier: ['1'],
    statement: ['1'],
    who: ['officer 3', 'teacher 4', 'zzzz'],
    action: ['student.', 'student.imported', 'payment.verified', 'zzzz'],
    '/api/office/audit-log/list search': ['namunawala', found.code, 'teacher 4 cancelled', 'zzzz'],
    '/api/office/audit-log/list kind': ['student', 'payment', 'zzzz'],
    '/api/office/audit-log/list from': [today, addDays(today, -30)],
    '/api/office/audit-log/list until': [addDays(today, -60), '2020-01-01'],
    '/api/office/receipts/list from': [addDays(today, -7)],
    '/api/office/receipts/list until': [addDays(today, -60)],
    '/api/office/mails/queue search': ['payment', 'teacher12', 'teacher125@bg.example', 'zzzz'],
    '/api/office/audit-log/record kind': ['student'],
    '/api/office/audit-log/record id': id(found.student),
    '/api/office/catalogue/plan from': [season],
    '/api/office/views/list list': ['students'],
    record: id(found.student),
    eventYearId: id(found.event),
    setId: id(found.set),
    resultId: [found.result],
    schoolId: id(found.school),
    schCode: [found.code],
    packetId: id(found.packet),
    '/api/office/Application id': id(found.application),
    '/api/office/bank/line id': id(found.line),
    '/api/office/payments/one id': id(found.payment),
    '/api/office/schools/history id': id(found.school),
    '/api/office/schools/importOne id': ['bigimport'],
    '/api/office/schools/importRows id': ['bigimport'],
    '/api/office/schools/mergeCandidates id': id(found.school),
    '/api/office/schools/one id': id(found.school),
    '/api/office/schools/years id': id(found.school),
    '/api/office/staff/sessions id': ['3'],
    '/api/office/students/one id': id(found.student),
    '/api/office/students/movePreview id': id(found.unplaced),
    '/api/office/students/movePreview schCode': [found.other],
    '/api/office/schedules/slots eventYearId': id(found.online),
    stays: id(found.school),
    leaves: id(found.school + 1),
    nioRollNo: [found.roll],
    '/api/office/results/previewCorrections setId': id(found.waiting),
    '/api/office/results/previewSchools setId': id(found.waiting),
    '/api/office/results/schoolPreview setId': id(found.waiting),
    '/api/office/results/schoolPreview schCode': [found.waitingCode],
    '/api/office/results/preview pageSize': [],
    '/api/office/results/anomalies pageSize': [],
    // Schools and families
    PacketId: id(found.packet),
    GroupId: [found.link],
    id: [`${found.result}`],
    number: [found.certificate],
    countryId: ['1'],
    '/api/Account/GetDistrict state': [found.state],
  }
  return { samples, found, season }
}
