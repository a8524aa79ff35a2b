import { getBook, getSubject } from '@podium/contract/catalogue/calls'
import {
  amountFields,
  lateFeeOf,
  offerOf,
  type PricedChoice,
  priceChoice,
  type StudentFee,
} from '@podium/contract/catalogue/rules-fee'
import { classes, isLittleStarClass, sections } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import { formatRupees, paise, rupees } from '@podium/contract/money'
import { getStudentDetails, type StudentRow, saveStudentDetails } from '@podium/contract/students/calls'
import { isOddName, type RowCatalogue } from '@podium/contract/students/rules-row'
import type { StudentFields } from '@podium/contract/students/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { FormFrame, useCloseQuestion, usePortalForm } from '#shell/form-frame.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { useEndpoint } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Figure, Sums } from '#ui/money-sum.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { LikelyNote, type SavedStudent } from './likely-note.tsx'
import {
  catalogueOf,
  choiceOf,
  emptyValues,
  nextValues,
  nothingChosen,
  type StudentValues,
  studentSchema,
  studentSchemaOf,
  valuesOf,
} from './student-values.ts'
import { BookGrid, SubjectChoice } from './subject-choice.tsx'
import { useClassName, words } from './words.ts'

const spaced = (value: string | number) => String(value || '–').replaceAll(',', ', ')

/** Describes what another user changed in a student, as `Roll no 12 → 14`. */
function useChangeText() {
  const t = words.use()
  return (before: StudentRow, after: StudentRow): string => {
    const shown: [string, string | number, string | number][] = [
      [t('class'), translateSentence(before.className), translateSentence(after.className)],
      [t('section'), before.section, after.section],
      [t('rollNo'), before.rollNo, after.rollNo],
      [t('studentName'), before.studentName, after.studentName],
      [t('parentName'), before.parentName, after.parentName],
      [t('parentEmail'), before.parentEmailId, after.parentEmailId],
      [t('parentMobile'), before.parentMobileNo, after.parentMobileNo],
      [t('subjects'), before.subjectName, after.subjectName],
      [t('cb'), before.cb, after.cb],
      [t('pyqp'), before.pyqp, after.pyqp],
      [t('geneX'), before.genex, after.genex],
      [t('tb'), before.tb, after.tb],
      [t('wb'), before.wb, after.wb],
    ]
    return shown
      .filter(([, earlier, is]) => earlier !== is)
      .map(
        ([name, earlier, is]) =>
          `${name} ${translateSentence(spaced(earlier))} → ${translateSentence(spaced(is))}`,
      )
      .join('; ')
  }
}

/**
 * Saves a student. Pressing again sends the same key, so nothing is entered twice. If another user changed the row
 * meanwhile, its latest state is fetched and the next save is based on it. Throws CallError.
 */
function useSaveStudent(season: string, row: StudentRow | undefined) {
  const t = words.use()
  const changes = useChangeText()
  const client = useQueryClient()
  const latest = useRef(row)

  const afterChange = async (refusal: CallError): Promise<never> => {
    const list = await call(getStudentDetails, { body: { FYear: season } })
    const before = latest.current
    const after = list.data.find((candidate) => candidate.id === before?.id)
    void client.invalidateQueries()
    if (!before || !after) throw refusal
    latest.current = after
    const changeText = changes(before, after)
    const message = changeText ? t('changedBy', { what: changeText }) : t('changedSame')
    throw new CallError(message, refusal.status, refusal.code, [], refusal.id)
  }

  return async (fields: StudentFields, fee: StudentFee | undefined) => {
    const { subjectName, cb, pyqp, geneX, tb, wb, ...plain } = fields
    const body = {
      id: latest.current?.id ?? 0,
      version: latest.current?.version,
      FYear: season,
      ...plain,
      subjectName: subjectName.join(','),
      cb: cb.join(','),
      pyqp: pyqp.join(','),
      geneX: geneX.join(','),
      tb: tb.join(','),
      wb: wb.join(','),
      currency: 'INR' as const,
      ...(fee ? amountFields(fee) : {}),
    }
    try {
      const answer = await call(saveStudentDetails, { body })
      void client.invalidateQueries()
      return answer
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      if (cause.code === 'changed_meanwhile') return afterChange(cause)
      // The new amounts come with the catalogue, which all prices here are computed from.
      if (cause.code === 'enrolment.amounts_changed') await client.invalidateQueries()
      throw cause
    }
  }
}

const nothing: StudentFee = {
  regAmount: paise(0),
  schoolExpenses: paise(0),
  bookAmount: paise(0),
  bookSchoolExpenses: paise(0),
}

/** What is collected, what the school keeps and what is payable, from the shared fee function. */
function StudentSums({ priced }: { priced?: PricedChoice | undefined }) {
  const t = words.use()
  const fee = priced?.fee ?? nothing
  const late = priced ? rupees(lateFeeOf(priced)) : 0
  const schoolShare = rupees(fee.schoolExpenses) + rupees(fee.bookSchoolExpenses)
  const registration = rupees(fee.regAmount)
  const books = rupees(fee.bookAmount)
  return (
    <Sums>
      <Figure label={t('registration')}>{formatRupees(registration)}</Figure>
      {late > 0 && <Figure label={t('lateLine')}>{formatRupees(late)}</Figure>}
      <Figure label={t('books')}>{formatRupees(books)}</Figure>
      <Figure label={t('keeps')}>
        {schoolShare > 0 && '−'}
        {formatRupees(schoolShare)}
      </Figure>
      <Figure label={t('payable')} className="pay">
        {formatRupees(registration + books - schoolShare)}
      </Figure>
    </Sums>
  )
}

interface StudentDialogProps {
  season: string
  /** The student to change; undefined for a new one. */
  row?: StudentRow | undefined
  /** Class and section of the list's filters: a new student starts with them. */
  start: { classId: string; section: string }
  /** Called after each save, with possible duplicates. */
  onSaved: (saved: SavedStudent) => void
  onClose: () => void
}

/** Adds or edits a student (specification, 2.9, 3, 4, 5). */
export function StudentDialog({ season, row, start, onSaved, onClose }: StudentDialogProps) {
  const t = words.use()
  const translate = useSentences()
  const nameOf = useClassName()
  const [before, setBefore] = useState<SavedStudent>()
  const save = useSaveStudent(season, row)
  const price = useRef<ReturnType<typeof priceChoice>>(undefined)
  const catalogue = useRef<RowCatalogue>(undefined)
  const f = usePortalForm({
    schema: catalogue.current ? studentSchemaOf(catalogue.current) : studentSchema,
    initialValues: row ? valuesOf(row) : emptyValues(start),
    draftKey: row ? `student.${row.id}` : 'student.new',
    save: async (fields, { again }) => {
      const { data, likely } = await save(fields, price.current?.fee)
      toast.success(translate(messages.saved))
      onSaved({ studentName: data.studentName, duplicates: likely })
      if (!again || row) return onClose()
      setBefore({ studentName: data.studentName, duplicates: likely })
      startNext(nextValues(f.form.getValues()))
    },
  })
  const { form } = f
  const { leave, question } = useCloseQuestion(form.isDirty, onClose, true)
  const classId = form.useWatchValue('classId')
  const name = form.useWatchValue('studentName')
  const chosen: StudentValues = {
    ...form.getValues(),
    subjectName: form.useWatchValue('subjectName'),
    cb: form.useWatchValue('cb'),
    pyqp: form.useWatchValue('pyqp'),
    geneX: form.useWatchValue('geneX'),
    tb: form.useWatchValue('tb'),
    wb: form.useWatchValue('wb'),
  }
  const { subjects, offer, error, reload } = useOffer(season, classId, row?.id)
  const priced = offer && priceChoice(offer, choiceOf(chosen))
  price.current = priced
  catalogue.current = offer && catalogueOf(offer, subjects ?? [])
  const total = priced ? rupees(priced.fee.regAmount) + rupees(priced.fee.bookAmount) : 0

  const startNext = (values: StudentValues) => {
    form.setInitialValues(values)
    form.setValues(values)
    form.clearErrors()
    form.resetTouched()
    requestAnimationFrame(() => form.getInputNode('studentName')?.focus())
  }
  const choose = (some: Partial<StudentValues>) => {
    for (const [path, value] of Object.entries(some)) form.setFieldValue(path, value)
  }
  // Choosing a class resets the chosen subjects and books (specification).
  const forgetChoice = () => {
    choose(nothingChosen())
    form.clearErrors()
  }
  const close = () => {
    // Escape first closes an open list.
    if (f.element.current?.querySelector('[role="combobox"][aria-expanded="true"]')) return
    if (!f.saving) leave()
  }
  const { field } = form
  const classField = field('classId')
  return (
    <Dialog opened onClose={close} title={row ? t('editTitle') : t('addTitle')} fact={season}>
      <FormFrame of={f}>
        <DialogBody>
          {before && <LikelyNote saved={before} onDismiss={() => setBefore(undefined)} />}
          <div className="grid st-grid">
            <SelectField
              className="c2"
              label={t('class')}
              empty={t('chooseClass')}
              choices={classes.map((schoolClass) => ({
                value: String(schoolClass.classId),
                label: nameOf(schoolClass.classId),
              }))}
              {...classField}
              onChange={(event) => {
                classField.onChange(event)
                forgetChoice()
              }}
            />
            <SelectField
              className="c2"
              label={t('section')}
              empty={t('chooseClass')}
              choices={sections.map((option) => ({ value: option, label: option }))}
              {...field('section')}
            />
            <TextField
              className="st-roll"
              label={t('rollNo')}
              inputMode="numeric"
              autoComplete="off"
              maxLength={9}
              {...field('rollno')}
            />
            <TextField
              className="c5 full-sm"
              label={t('studentName')}
              hint={isOddName(name) && t('oddName')}
              autoComplete="off"
              maxLength={100}
              {...field('studentName')}
            />
            <TextField
              className="c4 full-sm"
              optional
              label={t('parentName')}
              autoComplete="off"
              maxLength={100}
              {...field('parentName')}
            />
            <TextField
              className="c4 full-sm"
              optional
              type="email"
              label={t('parentEmail')}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...field('parentEmailId')}
            />
            <TextField
              className="c4 full-sm"
              optional
              type="tel"
              inputMode="tel"
              label={t('parentMobile')}
              placeholder={t('tenDigits')}
              autoComplete="off"
              {...field('parentMobileNo')}
            />
          </div>
          <SubjectChoice
            season={season}
            classId={classId}
            subjects={subjects}
            error={error}
            reload={reload}
            values={chosen}
            choose={choose}
            invalid={form.errors.subjectName}
            onBlur={() => form.validateField('subjectName')}
          />
          <BookGrid
            littleStar={isLittleStarClass(Number(classId))}
            offer={offer}
            values={chosen}
            choose={choose}
            errors={form.errors}
          />
        </DialogBody>
        <DialogFoot sums={<StudentSums priced={priced} />} onCancel={close}>
          <Button
            type="submit"
            kind="primary"
            busy={f.saving}
            title={row ? undefined : t('saveNextHint')}
            aria-keyshortcuts={row ? undefined : 'Control+Enter'}>
            {total > 0 ? t('saveAmount', { amount: formatRupees(total) }) : t('save')}
          </Button>
        </DialogFoot>
      </FormFrame>
      {question}
    </Dialog>
  )
}

/**
 * Loads what a class is offered in a season: its subjects, and the prices for the shared fee function. When a student
 * is edited, what is already entered keeps its price.
 */
function useOffer(season: string, classId: string, studentId?: number) {
  const enabled = classId !== ''
  const studentQuery = studentId === undefined ? {} : { studentId: String(studentId) }
  const query = { FYear: season, classId, ...studentQuery }
  const subjects = useEndpoint(getSubject, { query, enabled })
  const books = useEndpoint(getBook, { query, enabled })
  // Earlier answers stay while new ones load, but they may hold another class's prices.
  const loaded = enabled && !subjects.isPlaceholderData && !books.isPlaceholderData
  const subjectList = loaded ? subjects.data?.data : undefined
  const bookList = loaded ? books.data?.data : undefined
  const offer = useMemo(
    () => (subjectList && bookList ? offerOf(subjectList, bookList) : undefined),
    [subjectList, bookList],
  )
  return {
    subjects: subjectList,
    offer,
    error: enabled ? (subjects.error ?? books.error) : null,
    reload: () => Promise.all([subjects.refetch(), books.refetch()]),
  }
}
