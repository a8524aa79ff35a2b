import { sections } from '@podium/contract/classes'
import { formatRupees } from '@podium/contract/money'
import type { OfficeStudent } from '@podium/contract/students/calls-record'
import { cancelStudent, moveStudent, previewMove, studentMove } from '@podium/contract/students/calls-write'
import { useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { useInvalidate } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { type StudentOne, shownOfStudents } from './use-record.ts'
import { words } from './words-record.ts'

/** What was paid for the child and counts, in rupees. */
const paidOf = ({ payments }: StudentOne) =>
  (payments ?? []).filter(({ state }) => state === 'verified').reduce((sum, { amount }) => sum + amount, 0)

/** Cancels the entry; says what becomes of the money before it is done. */
export function CancelDialog({ one, onClose }: { one: StudentOne; onClose: () => void }) {
  const t = words.use()
  const { id, version, studentName: name } = one.student
  const paid = paidOf(one)
  return (
    <ReasonDialog
      title={t('cancelTitle', { name })}
      says={
        <p>
          {t('cancelSays')} {paid > 0 && <b>{t('cancelCredit', { amount: formatRupees(paid) })}</b>}
        </p>
      }
      action={t('cancelEntry')}
      danger
      done={t('cancelDone', { name })}
      draftKey={`student.cancel.${id}`}
      act={(reason) => call(cancelStudent, { body: { id, version, reason } })}
      invalidates={shownOfStudents}
      onClose={onClose}
    />
  )
}

type Preview = Answer<typeof previewMove>

/** Moves the child to another school: what goes with it and what stays is shown before it can be saved. */
export function MoveDialog({ student, onClose }: { student: OfficeStudent; onClose: () => void }) {
  const t = words.use()
  const renew = useInvalidate(shownOfStudents)
  const { id, version, studentName: name } = student
  const [preview, setPreview] = useState<Preview>()
  const [problem, setProblem] = useState<string>()
  const [looking, setLooking] = useState(false)
  const say = useSentences()
  const f = usePortalForm({
    schema: studentMove,
    initialValues: {
      schCode: '',
      section: student.section,
      rollno: String(student.rollNo),
      reason: '',
    },
    save: async (body) => {
      await call(moveStudent, { body: { ...body, id, version } }).finally(renew)
      toast.success(t('moveDone', { name, school: preview?.to.schName ?? body.schCode }))
      onClose()
    },
  })
  const code = f.form.useWatchValue('schCode').trim().toUpperCase()
  const seen = preview?.to.schCode === code ? preview : undefined
  const look = async () => {
    setLooking(true)
    setProblem(undefined)
    try {
      const found = await call(previewMove, { query: { id: String(id), schCode: code } })
      setPreview(found)
      f.form.setFieldValue('schCode', found.to.schCode)
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setProblem(say(cause.issues[0]?.message ?? cause.message))
    } finally {
      setLooking(false)
    }
  }
  const field = (path: 'schCode' | 'section' | 'rollno' | 'reason') => ({
    key: f.form.key(path),
    ...f.form.getInputProps(path),
  })
  return (
    <FormDialog
      of={f}
      onClose={onClose}
      title={t('moveTitle', { name })}
      fact={student.schName}
      save={t('move')}
      disabled={seen ? false : t('moveFirst')}
    >
      <div className="grid">
        <TextField
          label={t('code')}
          className="c8"
          data-autofocus
          hint={t('moveHint')}
          {...field('schCode')}
        />
        <div className="c4" style={{ alignSelf: 'start', paddingTop: 22 }}>
          <Button busy={looking} disabled={code === '' ? t('moveFirst') : false} onClick={() => void look()}>
            {t('moveLook')}
          </Button>
        </div>
        {problem && (
          <div className="c12">
            <Note kind="bad">{problem}</Note>
          </div>
        )}
        {seen && <Consequences preview={seen} />}
        <SelectField
          label={t('section')}
          className="c6"
          choices={sections.map((value) => ({ value, label: value }))}
          {...field('section')}
        />
        <TextField label={t('rollNo')} className="c6" inputMode="numeric" {...field('rollno')} />
        <TextArea label={t('reason')} className="c12" rows={2} hint={t('reasonHint')} {...field('reason')} />
      </div>
    </FormDialog>
  )
}

function Consequences({ preview }: { preview: Preview }) {
  const t = words.use()
  const { to, entries, books, paid, examRollNo } = preview
  return (
    <div className="c12">
      <Note>
        <b>
          {to.schName}, {to.city}
        </b>
        <ul className="bullets">
          <li>{t('movesWith', { entries, books })}</li>
          {paid > 0 && <li>{t('moneyStays', { amount: formatRupees(paid) })}</li>}
          {examRollNo !== '' && <li>{t('newExamRoll', { examRollNo })}</li>}
          <li>{t('newFamilyLink')}</li>
        </ul>
      </Note>
    </div>
  )
}
