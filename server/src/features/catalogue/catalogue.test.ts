import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getSubject } from '@podium/contract/catalogue/calls'
import {
  addEvent,
  type ClassFees,
  catalogueEvent,
  catalogueEvents,
  feesEffect,
  saveCatalogueEvent,
  saveFees,
  subjectsToAdd,
} from '@podium/contract/catalogue/calls-events'
import {
  deleteSeason,
  officeSeasons,
  openingPlan,
  openSeason,
  saveSeason,
  setSeasonState,
} from '@podium/contract/catalogue/calls-seasons'
import type { BodyOf } from '@podium/contract/endpoint'
import { officeMessages } from '@podium/contract/office/messages'
import { addDays, type Season, seasonOfYear } from '@podium/contract/season'
import { getStudentDetails, saveStudentDetails } from '@podium/contract/students/calls'
import { aDay, anOfficer, aSeason, aTeacher, eventOf, season } from '#test/factories'
import { auditLines } from '#test/file-call'
import { addRow, findRows, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import { anEnteredStudent, anEntry, aSeasonOfItsOwn } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))
const next = season('2027-28')

const lines = (kind: string, id: string | number) =>
  auditLines(['action', 'change'], { subject_kind: kind, subject_id: id })

/** An event's prices and version, as the office sees them. */
async function pricesOf(eventYearId: number, token: string) {
  const body = await server.ask(catalogueEvent, { eventYearId: String(eventYearId) }, { token })
  const classes = body.fees.map(({ className: _, students: __, ...row }): ClassFees => row)
  return { version: body.event.version, event: body.event, classes, fees: body.fees }
}

const changed = (classes: readonly ClassFees[], classId: number, change: Partial<ClassFees>) =>
  classes.map((row) => (row.classId === classId ? { ...row, ...change } : row))

/** The plan's proposal, sent back unchanged. */
async function proposed(token: string) {
  await aSeason()
  const plan = await server.ask(openingPlan, { from: '2026-27' }, { token })
  const opening: BodyOf<typeof openSeason> = {
    from: '2026-27',
    token: plan.token,
    feeDueOn: plan.feeDueOn.to,
    resultsFrom: plan.resultsFrom.to,
    dateChoiceDays: plan.dateChoiceDays,
    share: plan.share,
    events: plan.events.map((event) => ({
      eventLetter: event.eventLetter,
      examLevel: event.examLevel,
      examMode: event.examMode,
      closesOn: event.closesOn.to,
      firstDate: event.firstDate?.to ?? '',
      secondDate: event.secondDate?.to ?? '',
    })),
  }
  return { plan, opening }
}

const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay()

test('the plan for a new season moves each date to the same weekday a year later and saves nothing', async () => {
  const { token } = await anOfficer('viewer')
  const { plan } = await proposed(token)
  assert.equal(plan.FYear, next)
  assert.equal(plan.events.length, 14)
  for (const { closesOn, firstDate } of plan.events) {
    assert.equal(weekday(closesOn.from), weekday(closesOn.to))
    assert.equal(firstDate?.to, addDays(firstDate?.from ?? '', 364))
  }
  const body = await server.ask(officeSeasons, {}, { token })
  assert.deepEqual(body.next, { FYear: next, from: '2026-27' })
  assert.equal(
    body.data.some(({ FYear }) => FYear === next),
    false,
  )
})

test('the plan for a new season names the exams that fall on a holiday', async () => {
  const { token } = await anOfficer('operations')
  const first = await proposed(token)
  const day = first.plan.events[0]?.firstDate?.to ?? ''
  assert(first.plan.decisions.some(({ kind }) => kind === 'noHolidays'))
  await addRow('holidays', { held_on: day, name: 'Namuna Jayanti' })
  const { plan } = await proposed(token)
  assert(
    plan.decisions.some(
      (decision) => decision.kind === 'holiday' && decision.day === day && decision.name === 'Namuna Jayanti',
    ),
  )
  assert.equal(
    plan.decisions.some(({ kind }) => kind === 'noHolidays'),
    false,
  )
})

test('a new season is refused with wrong dates, without events or from an outdated plan', async () => {
  const { token } = await anOfficer('operations')
  const { opening } = await proposed(token)
  const [first, ...others] = opening.events
  assert(first)
  const refused = async (change: Partial<typeof opening>) => {
    const { status, body } = await server.call(openSeason, { body: { ...opening, ...change } }, { token })
    assert.notEqual(status, 200)
    return [status, body.code, body.issues?.[0]?.path, body.issues?.[0]?.message]
  }
  assert.deepEqual(await refused({ events: [{ ...first, firstDate: '2026-12-03' }, ...others] }), [
    400,
    'input.invalid',
    'events.0.firstDate',
    officeMessages.dayOutsideSeason,
  ])
  assert.deepEqual(await refused({ events: [{ ...first, secondDate: first.firstDate }, ...others] }), [
    400,
    'input.invalid',
    'events.0.secondDate',
    officeMessages.secondDateEarly,
  ])
  assert.deepEqual(await refused({ events: [{ ...first, closesOn: first.firstDate }, ...others] }), [
    400,
    'input.invalid',
    'events.0.closesOn',
    officeMessages.closesLate,
  ])
  assert.deepEqual(await refused({ events: [] }), [
    400,
    'input.invalid',
    'events',
    officeMessages.eventsRequired,
  ])
  assert.deepEqual((await refused({ events: [{ ...first, eventLetter: 'X' }] })).slice(0, 2), [
    404,
    'not_found',
  ])
  assert.deepEqual((await refused({ events: [first, first] })).slice(0, 2), [404, 'not_found'])
  assert.deepEqual((await refused({ token: 'another' })).slice(0, 2), [409, 'catalogue.plan_changed'])
  assert.deepEqual((await refused({ from: '2025-26' })).slice(0, 2), [409, 'catalogue.season_exists'])
  assert.deepEqual((await refused({ from: '2027-28' })).slice(0, 2), [409, 'catalogue.not_next'])
  assert.deepEqual((await refused({ events: [{ ...first, feeChange: -500 }, ...others] })).slice(0, 2), [
    400,
    'input.invalid',
  ])
  const made = await findRows('seasons', { label: next }, ['label'])
  assert.deepEqual(made, [])
})

test('a season is created once, as a whole, and schools do not see it until it is opened', async () => {
  const { token } = await anOfficer('operations')
  const teacher = await aTeacher()
  const { opening } = await proposed(token)
  const dearer = opening.events.map((event) =>
    event.eventLetter === 'M' ? { ...event, feeChange: 25 } : event,
  )
  const events = dearer.filter(({ eventLetter }) => eventLetter !== 'F')
  const body = await server.ask(openSeason, { ...opening, events }, { token })
  assert.equal(body.events, 13)
  await server.refuses('catalogue.season_exists', openSeason, { ...opening, events }, { token })

  const asked = { query: { FYear: next, classId: '7' } }
  const before = await server.call(getSubject, asked, teacher)
  assert.deepEqual(before.body.data, [], 'a season in preparation is not shown')
  const entry = { body: anEntry({ FYear: next }) }
  await refused('enrolment.season_closed', server.call(saveStudentDetails, entry, teacher))

  const rows = await server.ask(catalogueEvents, { FYear: next }, { token })
  assert.equal(
    rows.data.some(({ eventLetter }) => eventLetter === 'F'),
    false,
  )
  const old = await eventOf('S')
  const made = await eventOf('S', next)
  assert.deepEqual([made.rules, made.sections, made.rules_version], [old.rules, old.sections, 1])

  const state = async (state: 'open' | 'closed', version: number) =>
    server.call(setSeasonState, { body: { FYear: next, version, state } }, { token })
  assert.equal((await state('open', 1)).status, 200)
  await refused('catalogue.season_state', state('open', 2))
  await refused('changed_meanwhile', state('closed', 1))
  const after = await server.call(getSubject, asked, teacher)
  const fees = Object.fromEntries(after.body.data.map((row) => [row.eventLetter, row.eventFee]))
  assert.deepEqual([fees.M, fees.S, fees.F], [200, 175, undefined])
  await server.ask(saveStudentDetails, anEntry({ FYear: next }), teacher)
  assert.deepEqual(valuesOf(await lines('season', next), 'action'), ['season.made', 'season.opened'])
})

test('a season with an event that no one could enter cannot be opened for schools', async () => {
  const label = await aSeasonOfItsOwn('preparing')
  const { token } = await anOfficer('operations')
  const { id } = await eventOf('M', label)
  await server.deps.db.deleteFrom('exam_dates').where('event_id', '=', id).where('ordinal', '=', 2).execute()
  const open = { body: { FYear: label, version: 1, state: 'open' as const } }
  await refused('catalogue.season_incomplete', server.call(setSeasonState, open, { token }))
})

test('a draft season that is not in use is deleted; one that is open or in use stays', async () => {
  const { token } = await anOfficer('operations')
  const remove = async (FYear: Season, version = 1, who = token) => {
    const { status, body } = await server.call(deleteSeason, { body: { FYear, version } }, { token: who })
    return status === 200 ? 'deleted' : body.code
  }
  const open = await aSeasonOfItsOwn()
  assert.equal(await remove(open), 'catalogue.season_state')
  const draft = await aSeasonOfItsOwn('preparing')
  assert.equal(await remove(draft, 1, (await anOfficer('accounts')).token), 'access.denied')
  assert.equal(await remove(draft, 2), 'changed_meanwhile')
  const { id } = await eventOf('M', draft)
  const { schoolId } = await aTeacher()
  const used = await addRow('participations', { school_id: schoolId, event_id: id, created_at: aDay })
  assert.equal(await remove(draft), 'catalogue.season_used')
  assert.equal((await pricesOf(id, token)).classes.length > 0, true, 'a refused deletion removes nothing')
  await server.deps.db.deleteFrom('participations').where('id', '=', used.id).execute()
  assert.equal(await remove(draft), 'deleted')
  const { body } = await server.call(officeSeasons, {}, { token })
  assert.deepEqual(
    body.data.filter(({ FYear }) => FYear === draft),
    [],
  )
  assert.deepEqual(valuesOf(await lines('season', draft), 'action'), ['season.deleted'])
  assert.equal(await remove(draft), 'not_found')
})

test('a new fee shows its effect before it is saved, and students already entered keep the old fee', async () => {
  const label = await aSeasonOfItsOwn()
  const teacher = await aTeacher()
  const { token } = await anOfficer('operations')
  const student = await anEnteredStudent(server, teacher, {
    FYear: label,
    subjectName: 'Mathematics',
    cb: 'Mathematics',
  })
  const { id } = await eventOf('M', label)
  const { version, classes } = await pricesOf(id, token)
  const dearer = changed(classes, 7, { fee: 300, cb: 250 })
  const effect = await server.ask(feesEffect, { eventYearId: id, classes: dearer }, { token })
  assert.deepEqual(effect.changes, [
    { className: 'Class 7', what: 'fee', from: 175, to: 300, atOldPrice: 1, unpaid: 1 },
    { className: 'Class 7', what: 'cb', from: 220, to: 250, atOldPrice: 1, unpaid: 1 },
  ])
  assert.deepEqual([effect.atOldPrice, effect.unpaid], [1, 1])
  assert.equal((await pricesOf(id, token)).version, version, 'the effect is only computed')

  const save = { eventYearId: id, version, classes: dearer }
  await server.ask(saveFees, save, { token })
  await server.refuses('changed_meanwhile', saveFees, save, { token })
  const list = await server.ask(getStudentDetails, { FYear: label }, teacher)
  const row = list.data.find((row) => row.id === student.id)
  assert.deepEqual([row?.regAmount, row?.bookAmount], [175, 220])
  const later = await anEnteredStudent(server, teacher, {
    FYear: label,
    subjectName: 'Mathematics',
    cb: 'Mathematics',
  })
  assert.deepEqual([later.regAmount, later.bookAmount], [300, 250])

  // After a change by the school, existing entries keep their price; added ones cost the new price.
  const science = (await eventOf('S', label)).id
  const science7 = await pricesOf(science, token)
  const body = {
    eventYearId: science,
    version: science7.version,
    classes: changed(science7.classes, 7, { fee: 180 }),
  }
  await server.ask(saveFees, body, { token })
  const own = { query: { FYear: label, classId: '7', studentId: String(student.id) } }
  const { body: shown } = await server.call(getSubject, own, teacher)
  assert.equal(shown.data.find(({ eventLetter }) => eventLetter === 'M')?.eventFee, 175)
  const { body: foreign } = await server.call(getSubject, own, await aTeacher())
  assert.equal(foreign.data.find(({ eventLetter }) => eventLetter === 'M')?.eventFee, 300)
  const entry = { FYear: label, id: student.id, version: student.version, rollno: student.rollNo }
  const more = anEntry({ ...entry, subjectName: 'Mathematics,Science', cb: 'Mathematics', regAmount: 355 })
  const saved = await server.ask(saveStudentDetails, more, teacher)
  assert.deepEqual([saved.data.regAmount, saved.data.bookAmount], [355, 220])
  const elsewhere = anEntry({
    ...entry,
    version: student.version + 1,
    classId: 8,
    subjectName: 'Mathematics',
    cb: '',
  })
  const moved = await server.ask(saveStudentDetails, elsewhere, teacher)
  assert.equal(moved.data.regAmount, 175, 'the price of the other class')
  assert.deepEqual((await lines('event_terms', id)).at(-1), {
    action: 'event.prices_changed',
    change: {
      from: { 'fee 7': 17_500, 'cb 7': 22_000 },
      to: { 'fee 7': 30_000, 'cb 7': 25_000 },
      kept_at_old_price: 1,
    },
  })
})

test("a new school's share in percent applies to new entries only", async () => {
  const label = await aSeasonOfItsOwn()
  const teacher = await aTeacher()
  const { token } = await anOfficer('owner')
  const before = await anEnteredStudent(server, teacher, { FYear: label, subjectName: 'Science', cb: '' })
  const year = Number(label.slice(0, 4))
  const values = { feeDueOn: `${year}-11-30`, resultsFrom: `${year + 1}-01-15`, dateChoiceDays: 20 }
  const body = { FYear: label, version: 1, ...values, share: { kind: 'percent' as const, percent: 20 } }
  await server.ask(saveSeason, body, { token })
  await server.refuses('changed_meanwhile', saveSeason, body, { token })
  const after = await anEnteredStudent(server, teacher, { FYear: label, subjectName: 'Science', cb: '' })
  const list = await server.ask(getStudentDetails, { FYear: label }, teacher)
  const shareOf = (of: number) => list.data.find(({ id }) => id === of)?.school_Expenses
  assert.deepEqual([before.id, after.id].map(shareOf), [25, 35])
  const saved = (feeDueOn: string) =>
    server.call(saveSeason, { body: { ...body, version: 2, feeDueOn } }, { token })
  const outside = { path: 'feeDueOn', message: officeMessages.dayOutsideSeason }
  assert.deepEqual((await saved(`${year - 1}-11-30`)).body.issues, [outside])
  const crossed = { path: 'resultsFrom', message: officeMessages.resultsBeforeFees }
  assert.deepEqual((await saved(values.resultsFrom)).body.issues, [crossed])
})

test('impossible prices are refused at their field', async () => {
  const label = await aSeasonOfItsOwn()
  const teacher = await aTeacher()
  const { token } = await anOfficer('operations')
  await anEnteredStudent(server, teacher, { FYear: label, subjectName: 'Mathematics', cb: '' })
  const { id } = await eventOf('M', label)
  const { version, classes } = await pricesOf(id, token)
  const refused = async (rows: readonly ClassFees[]) => {
    const body = { eventYearId: id, version, classes: [...rows] }
    const { status, body: answer } = await server.call(saveFees, { body }, { token })
    assert.equal(status, 400)
    return answer.issues?.[0]
  }
  assert.deepEqual(await refused(changed(classes, 1, { retained: 200 })), {
    path: 'classes.0.retained',
    message: officeMessages.retainedHigh,
  })
  assert.equal((await refused(changed(classes, 1, { tb: 100 })))?.message, officeMessages.bookOfOthers)
  assert.equal((await refused(changed(classes, 1, { fee: 99.999 })))?.message, officeMessages.amountDecimals)
  assert.equal((await refused([]))?.message, officeMessages.classesRequired)
  assert.equal((await refused([...classes, ...classes.slice(0, 1)]))?.message, officeMessages.classTwice)
  assert.equal((await refused(changed(classes, 1, { classId: 15 })))?.message, officeMessages.classOfOthers)
  const without = classes.filter(({ classId }) => classId !== 7)
  assert.deepEqual(await refused(without), { path: 'classes', message: officeMessages.classUsed })
  const dropped = classes.filter(({ classId }) => classId !== 8)
  await server.ask(saveFees, { eventYearId: id, version, classes: dropped }, { token })
  assert.equal((await pricesOf(id, token)).classes.length, 11)
})

test('dates and sections of an event change together with the rules that depend on them', async () => {
  const label = await aSeasonOfItsOwn()
  const { token } = await anOfficer('operations')
  const { id } = await eventOf('S', label)
  const { version, event } = await pricesOf(id, token)
  const { examMode, closesOn, firstDate, secondDate } = event
  const [achievers, science, logic] = event.sections
  assert(achievers && science && logic)
  const good = {
    eventYearId: id,
    version,
    examMode,
    closesOn,
    firstDate,
    secondDate,
    sections: event.sections,
  }
  const refused = async (change: Partial<typeof good>) => {
    const { status, body } = await server.call(
      saveCatalogueEvent,
      { body: { ...good, ...change } },
      { token },
    )
    assert.equal(status, 400)
    return [body.issues?.[0]?.path, body.issues?.[0]?.message]
  }
  assert.deepEqual(await refused({ sections: [] }), ['sections', officeMessages.sectionsRequired])
  assert.deepEqual(await refused({ sections: [science, science] }), [
    'sections.1.name',
    officeMessages.sectionTwice,
  ])
  assert.deepEqual(await refused({ secondDate: '' }), ['secondDate', officeMessages.secondDateRequired])
  assert.deepEqual(await refused({ firstDate: '' }), ['firstDate', officeMessages.firstDateRequired])

  const [{ id: dateId } = { id: 0 }] = await findRows('exam_dates', { event_id: id, ordinal: 2 }, ['id'])
  const { schoolId } = await aTeacher()
  await addRow('participations', {
    school_id: schoolId,
    event_id: id,
    exam_date_id: dateId,
    created_at: aDay,
  })
  assert.deepEqual(await refused({ examMode: 'Online', secondDate: '' }), [
    'secondDate',
    officeMessages.dateChosen,
  ])

  const sections = [{ name: 'Thinking section', maximum: 20 }, science, logic]
  const moved = { ...good, secondDate: addDays(secondDate, 7), sections }
  await server.ask(saveCatalogueEvent, moved, { token })
  const after = await pricesOf(id, token)
  assert.deepEqual(
    [after.event.maximumMarks, after.event.secondDate, after.event.choseSecond],
    [70, moved.secondDate, 1],
  )
  const row = await eventOf('S', label)
  assert.equal((row.rules as { tieBreak: string[] }).tieBreak[0], 'Thinking section')
  assert.equal(row.rules_version, 2)
  await addRow('result_sets', { event_id: id, version: 1, state: 'imported', imported_at: aDay })
  const marked = { ...moved, version: after.version, sections: [science] }
  await server.refuses('catalogue.marks_imported', saveCatalogueEvent, marked, { token })
})

test('an officer who may only read the catalogue cannot change it', async () => {
  const { token } = await anOfficer('accounts')
  const body = await server.ask(officeSeasons, {}, { token })
  assert.deepEqual(body.can, { write: 'access.denied', rules: 'access.denied' })
  const label = seasonOfYear(2026)
  const { status } = await server.call(
    setSeasonState,
    { body: { FYear: label, version: 1, state: 'closed' } },
    { token },
  )
  assert.equal(status, 403)
})

test('the office adds a subject or a second level to a season; schools enter the subject once it has prices, the level never', async () => {
  const label = await aSeasonOfItsOwn()
  const { token } = await anOfficer('operations')
  const year = label.slice(0, 4)
  const added: BodyOf<typeof addEvent> = {
    ...{ FYear: label, eventLetter: 'Z', subjectName: 'Astronomy', littleStar: false, examLevel: 1 },
    ...{ examMode: 'Offline', closesOn: `${year}-10-30`, firstDate: `${year}-12-05`, secondDate: '' },
    maximumMarks: 40,
  }
  const add = (changes: Partial<typeof added> = {}, who = token) =>
    server.call(addEvent, { body: { ...added, ...changes } }, { token: who })
  const refusalFor = async (changes: Partial<typeof added>) => {
    const { body } = await add(changes)
    return body.issues?.[0]?.message ?? body.code
  }
  assert.equal(await refusalFor({}), officeMessages.secondDateRequired)
  const days = { secondDate: `${year}-12-19` }
  assert.equal(await refusalFor({ ...days, subjectName: ' ' }), officeMessages.entryNameRequired)
  assert.equal(await refusalFor({ ...days, subjectName: 'mathematics' }), officeMessages.entryTaken)
  assert.equal(await refusalFor({ ...days, subjectName: 'Stars, planets' }), officeMessages.nameComma)
  assert.equal(await refusalFor({ ...days, eventLetter: 'M' }), officeMessages.eventThere)
  assert.equal(await refusalFor({ ...days, examLevel: 2 }), officeMessages.levelBefore)
  assert.equal((await add(days, (await anOfficer('results')).token)).status, 403)
  const closed = await aSeasonOfItsOwn('closed')
  assert.equal(
    await refusalFor({ ...days, FYear: closed, closesOn: added.closesOn }),
    'catalogue.season_state',
  )

  const { status, body } = await add(days)
  assert.equal(status, 200, body.message)
  const teacher = await aTeacher()
  const offered = async () => {
    const query = { FYear: label, classId: '7' }
    const list = await server.ask(getSubject, query, teacher)
    return list.data.map(({ eventLetter, eventFee }) => `${eventLetter} ${eventFee}`)
  }
  assert.equal((await offered()).includes('Z 120'), false, 'not offered without prices')
  const { version, event } = await pricesOf(body.eventYearId, token)
  assert.deepEqual(event.sections, [{ name: 'Questions', nameHi: 'प्रश्न', maximum: 40 }])
  const prices = { fee: 120, retained: 20, bookRetained: 0 }
  const books = { cb: null, pyqp: null, geneX: null, tb: null, wb: null }
  const fees = { eventYearId: body.eventYearId, version, classes: [{ classId: 7, ...prices, ...books }] }
  await server.ask(saveFees, fees, { token })
  assert.equal((await offered()).at(-1), 'Z 120')

  const second = await add({ ...days, eventLetter: 'M', examLevel: 2 })
  assert.equal(second.status, 200, second.body.message)
  assert.equal((await offered()).filter((item) => item.startsWith('M')).length, 1)
  const list = await server.ask(subjectsToAdd, { FYear: label }, { token })
  assert.deepEqual(list.data.find(({ eventLetter }) => eventLetter === 'M')?.levels, [1, 2])
  assert.deepEqual(valuesOf(await lines('event_terms', body.eventYearId), 'action'), [
    'event.added',
    'event.prices_changed',
  ])
  const after = await aSeasonOfItsOwn()
  const again = await add({
    ...{ ...days, FYear: after, subjectName: '', closesOn: `${after.slice(0, 4)}-10-30` },
    ...{ firstDate: `${after.slice(0, 4)}-12-05`, secondDate: `${after.slice(0, 4)}-12-19` },
  })
  const taken = await pricesOf(again.body.eventYearId, token)
  assert.deepEqual(
    taken.classes[0],
    { classId: 7, ...prices, ...books },
    'prices come from the previous season',
  )
})
