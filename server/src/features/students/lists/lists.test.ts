import assert from 'node:assert/strict'
import { test } from 'node:test'
import { downloadForm, formKinds } from '@podium/contract/dashboard/calls'
import type { BodyOf } from '@podium/contract/endpoint'
import { deleteStudent } from '@podium/contract/students/calls'
import {
  blankForm,
  cancelPrint,
  printFile,
  printPaper,
  printStatus,
} from '@podium/contract/students/calls-print-lists'
import { addRow } from '#platform/db/rows'
import { dropDayOld } from '#platform/files/files'
import { pdfLines, pdfText } from '#test/archives'
import { aDay, anApplication, aTeacher, thisSeason } from '#test/factories'
import { changeRows, findRow } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import { anEnteredStudent, aSeasonOfItsOwn, aTeacherInSeason } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))

interface Teacher {
  token: string
  schoolId: number
}
type Wanted = Partial<BodyOf<typeof printPaper>>

const start = (teacher: Teacher, wanted: Wanted = {}) =>
  server.call(printPaper, { body: { FYear: thisSeason, paper: 'class-list', ...wanted } }, teacher)

/** The text of a PDF requested as the school does. */
async function printed(teacher: Teacher, wanted: Wanted = {}) {
  const { status, body } = await start(teacher, wanted)
  assert.equal(status, 200, body.message)
  await server.jobs.drain()
  const { printId } = body
  const done = await server.ask(printStatus, { printId }, teacher)
  assert.deepEqual([done.state, done.done], ['done', done.total], done.error)
  const file = await server.download(printFile, { printId }, teacher)
  assert.equal(file.headers.get('content-type'), 'application/pdf')
  return {
    printId,
    name: file.headers.get('content-disposition') ?? '',
    text: pdfText(file.bytes),
    lines: pdfLines(file.bytes),
    pages: pagesOf(file.bytes),
  }
}

/** Pages are uncompressed in a PDF. */
const pagesOf = (bytes: Buffer) => bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length

const has = (text: string, ...words: RegExp[]) => {
  for (const word of words) assert.match(text, word)
}

async function aClass(teacher: Teacher) {
  const maths = { subjectName: 'Mathematics', cb: '' }
  await anEnteredStudent(server, teacher, {
    rollno: 3,
    studentName: 'Anandavardhana Venkatasubramanian Lakshminarayanan',
    parentMobileNo: '9876512340',
  })
  await anEnteredStudent(server, teacher, { ...maths, rollno: 4, section: 'B', studentName: 'ईशिता मिसाल' })
  const gone = await anEnteredStudent(server, teacher, { ...maths, rollno: 5, studentName: 'Gone Misaal' })
  await server.ask(deleteStudent, { studentId: String(gone.id) }, teacher)
}

test('the class list starts each section on a new page, has full names and no deleted students', async () => {
  const teacher = await aTeacherInSeason()
  await aClass(teacher)
  const { text, name } = await printed(teacher)
  has(
    text,
    /Class 7 A/,
    /Class 7 B/,
    /Class 7 A, .* school code/,
    /Page 1 of 1 .*Page 1 of 1/,
    /Venkatasubramanian\s*Lakshminarayanan/,
    /9876512340/,
  )
  assert.doesNotMatch(text, /Gone Misaal/)
  assert.match(name, /Class list 2026-27\.pdf/)
  const only = await printed(teacher, { classId: 7, section: 'B', subjectName: 'Mathematics' })
  has(only.text, /Class list, Mathematics 2026-27/, /Class 7 B/)
  assert.doesNotMatch(only.text, /Class 7 A/)
})

test("the fee list shows what to collect from each student, the school's share, and the totals", async () => {
  const teacher = await aTeacherInSeason()
  await aClass(teacher)
  const { text } = await printed(teacher, { paper: 'fee-list' })
  // 2 × 175 + 220 and 175; the school keeps 25 of a subject and 20 of a book.
  has(text, /570/, /₹745/, /To the foundation ₹650/, /School’s share ₹95/, /Already paid ₹0/, /Due/)
  has(text, /Collected on, signature/, /Collected by, name and signature/)
})

test('the totals of a fee list share the page with the last two students, however many there are', async () => {
  const teacher = await aTeacherInSeason()
  let second = 0
  for (let n = 1; n <= 16; n++) {
    await anEnteredStudent(server, teacher, {
      rollno: n,
      studentName: `Child ${'abcdefghijklmnop'[n - 1]} Misaal`,
    })
    if (n < 8) continue
    const { lines } = await printed(teacher, { paper: 'fee-list' })
    const page = lines.split('\f').find((item) => item.includes('To the foundation')) ?? ''
    if (!page.includes('Child a ')) second++
    for (const letter of 'abcdefghijklmnop'.slice(n - 2, n))
      assert.match(page, new RegExp(`Child ${letter} Misaal`))
  }
  assert.ok(second > 0, 'some of them want a second page')
})

test("the registration form has what is known of the student and what is chosen, in the family's language", async () => {
  const teacher = await aTeacherInSeason()
  const { id } = await anEnteredStudent(server, teacher, { rollno: 3, parentName: 'Hema Misaal' })
  await anEnteredStudent(server, teacher, { rollno: 4 })
  const chosen = { paper: 'registration' as const, ids: [id] }
  const { text, pages } = await printed(teacher, chosen)
  has(text, /Registration and book order form/, /Hema Misaal/, /₹570/)
  assert.equal(pages, 1)
  has(text, /Mathematics 03-Dec-2026 \/ 17-Dec-2026 ₹175 X ₹220 X/, /English .* ₹175 ₹220/)
  const hindi = await printed(teacher, { ...chosen, language: 'hi' })
  assert.equal(hindi.pages, 1)
  has(hindi.text, /पंजीकरण/, /हस्ताक्षर/, /Hema Misaal/, /गणित 03-Dec-2026/, /CB व्यापक पुस्तक/)
  assert.doesNotMatch(hindi.text, /Mathematics|Comprehensive/)
  assert.doesNotMatch(hindi.text, /Class \d/, 'the class stands behind its own word, as a number')
})

test('names and addresses longer than a line appear in full on the form', async () => {
  const teacher = await aTeacherInSeason()
  const parentName = `Ananthanarayanan ${'Venkatasubramanian '.repeat(4)}Pillai`
  const parentEmailId = `${'a.parent.with.dots.'.repeat(3)}in@${'a-long-school-'.repeat(4)}domain.example`
  const { id } = await anEnteredStudent(server, teacher, { parentName, parentEmailId })
  const { text, pages } = await printed(teacher, { paper: 'registration', ids: [id] })
  const bare = text.replace(/\s/g, '')
  for (const whole of [parentName, parentEmailId]) assert.ok(bare.includes(whole.replaceAll(' ', '')), text)
  assert.equal(pages, 1)
})

test("a class's blank form has its subjects with prices and no student", async () => {
  const teacher = await aTeacherInSeason()
  const query = { FYear: thisSeason, classId: '13', language: 'en' }
  const { status, bytes } = await server.download(blankForm, query, teacher)
  assert.equal(status, 200)
  has(pdfText(bytes), /Class LKG|LKG/, /Text Book/, /Parent’s signature/)
  const nothing = await server.download(blankForm, { ...query, FYear: '2090-91' }, teacher)
  assert.equal(nothing.status, 409)
})

test("a person waiting for a school gets each form blank, with the school's name and a line for the code", async () => {
  await aTeacherInSeason()
  const applicant = await aTeacher({ schoolId: null })
  const asked = { FYear: thisSeason, form: 'students' }
  const family = { FYear: thisSeason, classId: '7', language: 'en' }
  const nameless = await server.download(blankForm, family, applicant)
  has(pdfText(nameless.bytes), /_{32}\. School code _{16}/)
  await anApplication({ by: applicant, name: 'Prateeksha Vidyalaya' })
  for (const form of formKinds)
    for (const blank of ['0', '1']) {
      const { status, headers, bytes } = await server.download(
        downloadForm,
        { ...asked, form, blank },
        applicant,
      )
      assert.equal(status, 200)
      assert.match(headers.get('content-disposition') ?? '', / form blank 2026-27\.pdf"/)
      has(pdfText(bytes), /School code/, /Prateeksha Vidyalaya/, /signature/)
    }
  const named = await server.download(blankForm, family, applicant)
  has(pdfText(named.bytes), /Prateeksha Vidyalaya, Namunapur\. School code _{16}/, /Parent’s signature/)
  const other = { schId: (await aTeacherInSeason()).schoolId }
  assert.equal((await server.download(downloadForm, { ...asked, ...other }, applicant)).status, 403)
  assert.equal((await server.download(blankForm, { ...family, ...other }, applicant)).status, 403)
  const early = await aSeasonOfItsOwn('preparing')
  assert.equal((await server.download(downloadForm, { ...asked, FYear: early }, applicant)).status, 404)
})

test('a list without students is refused', async () => {
  const teacher = await aTeacherInSeason()
  await refused('paper.nobody', start(teacher))
})

test('a school can have three lists printing at a time; a cancelled one has no file', async () => {
  const teacher = await aTeacherInSeason()
  await anEnteredStudent(server, teacher)
  const { db } = server.deps
  await db.transaction().execute(async (tx) => {
    for (const n of [1, 2, 3])
      await addRow(tx, 'jobs', {
        id: `${teacher.schoolId}-${n}`.padEnd(22, 'x'),
        kind: 'students.print',
        school_id: teacher.schoolId,
        state: 'waiting',
        total: 1,
        input: '{}',
        created_at: aDay,
        due_at: new Date(aDay.getTime() + 1e9),
      })
  })
  await refused('busy', start(teacher))
  const printId = `${teacher.schoolId}-1`.padEnd(22, 'x')
  const stopped = await server.ask(cancelPrint, { printId }, teacher)
  assert.equal(stopped.state, 'cancelled')
  assert.equal((await server.download(printFile, { printId }, teacher)).status, 404)
  assert.equal((await start(teacher)).status, 200, 'its place is free')
})

test("another school's list is not found", async () => {
  const teacher = await aTeacherInSeason()
  await anEnteredStudent(server, teacher)
  const { printId } = await printed(teacher)
  const stranger = await aTeacherInSeason()
  assert.equal((await server.download(printFile, { printId }, stranger)).status, 404)
  assert.equal((await server.call(printStatus, { query: { printId } }, stranger)).status, 404)
  assert.equal((await server.call(cancelPrint, { body: { printId } }, stranger)).status, 404)
})

test('a printed file is neither downloaded nor kept after a day, with its content', async () => {
  const teacher = await aTeacherInSeason()
  await anEnteredStudent(server, teacher)
  const { printId } = await printed(teacher)
  const { db, files } = server.deps
  const longAgo = new Date(aDay.getTime() - 24 * 3_600_000 - 1)
  await changeRows('jobs', { id: printId }, { ended_at: longAgo })
  assert.equal((await server.download(printFile, { printId }, teacher)).status, 404, 'before it is deleted')
  await changeRows('jobs', { id: printId }, { ended_at: aDay })
  assert.equal((await server.download(printFile, { printId }, teacher)).status, 200)
  const kept = await findRow('files', { school_id: teacher.schoolId, kind: 'print' }, ['sha256'])
  await dropDayOld(db, files, 'print', new Date(aDay.getTime() + 24 * 3_600_000 + 1))
  assert.equal((await server.download(printFile, { printId }, teacher)).status, 404)
  await assert.rejects(files.read(kept.sha256))
})
