import { classes, isLittleStarClass, sections } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import { formatRupees, rupees } from '@podium/contract/money'
import type { StudentRow } from '@podium/contract/students/calls'
import { priceChoice } from '@podium/contract/students/rules-fee'
import type { RowCatalogue } from '@podium/contract/students/rules-row'
import { lazy, Suspense, startTransition, useRef, useState } from 'react'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { BookGrid } from './book-grid.tsx'
import { LikelyNote, type Saved } from './likely-note.tsx'
import { useClassName } from './names.ts'
import { StudentSums } from './student-sums.tsx'
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
import { SubjectChoice } from './subject-choice.tsx'
import { useOffer } from './use-offer.ts'
import { useSaveStudent } from './use-save-student.ts'
import { words } from './words.ts'

const LeaveDialog = lazy(() => import('#shell/leave-dialog.tsx').then((m) => ({ default: m.LeaveDialog })))

interface StudentDialogProps {
  season: string
  /** The student to change; a new one without. */
  row?: StudentRow | undefined
  /** Class and section that the list is filtered by: a new student starts there. */
  start: { classId: string; section: string }
  /** After each save, with who may be the same child. */
  onSaved: (saved: Saved) => void
  onClose: () => void
}

/** Add or edit a student (specification, 2.9, 3, 4, 5). */
export function StudentDialog({ season, row, start, onSaved, onClose }: StudentDialogProps) {
  const t = words.use()
  const say = useSentences()
  const nameOf = useClassName()
  const [asking, setAsking] = useState(false)
  const [before, setBefore] = useState<Saved>()
  const save = useSaveStudent(season, row)
  const price = useRef<ReturnType<typeof priceChoice>>(undefined)
  const catalogue = useRef<RowCatalogue>(undefined)
  const f = usePortalForm({
    schema: catalogue.current ? studentSchemaOf(catalogue.current) : studentSchema,
    initialValues: row ? valuesOf(row) : emptyValues(start),
    draftKey: row ? `student.${row.id}` : 'student.new',
    save: async (fields, { again }) => {
      const { data, likely } = await save(fields, price.current?.fee)
      toast.success(say(messages.saved))
      onSaved({ studentName: data.studentName, likely })
      if (!again || row) return onClose()
      setBefore({ studentName: data.studentName, likely })
      startNext(nextValues(f.form.getValues()))
    },
  })
  const { form } = f
  const classId = form.useWatchValue('classId')
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
  // The specification: choosing a class resets the chosen subjects and books.
  const forgetChoice = () => {
    choose(nothingChosen())
    form.clearErrors()
  }
  const close = () => {
    // Escape belongs to an open list first.
    if (f.element.current?.querySelector('[role="combobox"][aria-expanded="true"]')) return
    if (f.saving) return
    if (form.isDirty()) startTransition(() => setAsking(true))
    else onClose()
  }
  const field = (path: string) => ({ key: form.key(path), ...form.getInputProps(path) })
  const classField = form.getInputProps('classId')
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
              choices={classes.map((one) => ({ value: String(one.classId), label: nameOf(one.classId) }))}
              key={form.key('classId')}
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
              choices={sections.map((one) => ({ value: one, label: one }))}
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
        <DialogFoot sums={<StudentSums priced={priced} />}>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            busy={f.saving}
            title={row ? undefined : t('saveNextHint')}
            aria-keyshortcuts={row ? undefined : 'Control+Enter'}
          >
            {total > 0 ? t('saveAmount', { amount: formatRupees(total) }) : t('save')}
          </Button>
        </DialogFoot>
      </FormFrame>
      {asking && (
        <Suspense>
          <LeaveDialog kept onLeave={onClose} onStay={() => setAsking(false)} />
        </Suspense>
      )}
    </Dialog>
  )
}
