import { classes, sections } from '@podium/contract/classes'
import { showStudentContact } from '@podium/contract/students/calls-record'
import { correctStudent, studentCorrection } from '@podium/contract/students/calls-write'
import { useEffect, useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { useInvalidate } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { type StudentOne, shownOfStudents } from './use-record.ts'
import { words } from './words-record.ts'

type Contact = Answer<typeof showStudentContact>

/** Corrects a child; the parents' contact is fetched for it, which is recorded as any look is. */
export function CorrectDialog({ one, onClose }: { one: StudentOne; onClose: () => void }) {
  const t = words.use()
  const say = useSentences()
  const { student } = one
  const [contact, setContact] = useState<Contact>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    let here = true
    call(showStudentContact, { body: { id: student.id } }).then(
      (found) => here && setContact(found),
      (cause) => here && cause instanceof CallError && setProblem(say(cause.message)),
    )
    return () => {
      here = false
    }
  }, [student.id, say])
  return (
    <Dialog opened onClose={onClose} title={t('correctTitle')} fact={student.studentName}>
      {contact ? (
        <CorrectForm one={one} contact={contact} onClose={onClose} />
      ) : (
        <DialogBody>{problem ? <Note kind="bad">{problem}</Note> : <Skeleton shape="form" />}</DialogBody>
      )}
    </Dialog>
  )
}

interface FormProps {
  one: StudentOne
  contact: Contact
  onClose: () => void
}

function CorrectForm({ one, contact, onClose }: FormProps) {
  const t = words.use()
  const renew = useInvalidate(shownOfStudents)
  const { student, can } = one
  const { id, version } = student
  const f = usePortalForm({
    schema: studentCorrection,
    initialValues: {
      classId: String(student.classId),
      section: student.section,
      rollno: String(student.rollNo),
      studentName: student.studentName,
      parentName: contact.parentName,
      parentEmailId: contact.parentEmail,
      parentMobileNo: contact.parentMobile,
      reason: '',
    },
    save: async (body) => {
      await call(correctStudent, { body: { ...body, id, version } }).finally(renew)
      toast.success(t('corrected'))
      onClose()
    },
  })
  type Name = keyof ReturnType<typeof f.form.getValues>
  const field = (name: Name) => ({ key: f.form.key(name), ...f.form.getInputProps(name) })
  const fixed = can.place !== true
  return (
    <FormFrame of={f} asksBeforeLeaving={false}>
      <DialogBody>
        <div className="grid">
          <TextField label={t('name')} className="c12" {...field('studentName')} />
          <SelectField
            label={t('class')}
            className="c4"
            disabled={fixed}
            choices={classes.map((one) => ({
              value: String(one.classId),
              label: translateSentence(one.className),
            }))}
            {...field('classId')}
          />
          <SelectField
            label={t('section')}
            className="c4"
            disabled={fixed}
            choices={sections.map((value) => ({ value, label: value }))}
            {...field('section')}
          />
          <TextField label={t('rollNo')} className="c4" inputMode="numeric" {...field('rollno')} />
          <TextField label={t('parent')} className="c12" optional {...field('parentName')} />
          <TextField
            label={t('mobile')}
            className="c6"
            optional
            type="tel"
            hint={t('mobileHint')}
            {...field('parentMobileNo')}
          />
          <TextField label={t('email')} className="c6" optional type="email" {...field('parentEmailId')} />
          <TextArea
            label={t('reason')}
            className="c12"
            rows={2}
            hint={t('reasonHint')}
            {...field('reason')}
          />
          <div className="c12">
            <Note>{t(fixed ? 'placeFixed' : 'feeStays')}</Note>
          </div>
        </div>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button type="submit" kind="primary" busy={f.saving}>
          {t('saveCorrection')}
        </Button>
      </DialogFoot>
    </FormFrame>
  )
}
