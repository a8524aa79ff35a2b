import { sections } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import { formatRupees } from '@podium/contract/money'
import { askOfficeWaiver, waiverReason } from '@podium/contract/payments/calls-waivers'
import {
  cancelStudent,
  correctStudent,
  type FamilyOfStudent,
  moveStudent,
  type OfficeStudent,
  previewMove,
  renewOfficeFamilyLink,
  revokeFamilyLink,
  showStudentContact,
  studentCorrection,
  studentMove,
} from '@podium/contract/students/calls-register'
import { type RefObject, useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { type Answer, CallError, call } from '#shell/call.ts'
import { callOnce } from '#shell/call-once.ts'
import { DialogForm, FormDialog, useAsOpened, useFormDialog, useLeaveQuestion } from '#shell/form-dialog.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { classChoices } from '#shell/list-table.tsx'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { useAttempt } from '#shell/use-action.ts'
import { proofKinds, useProof } from '#shell/use-proof.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody } from '#ui/dialog.tsx'
import { FileField } from '#ui/file-field.tsx'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { type StudentRecord, studentCalls, words } from './use-record.ts'

export type LinkAction = 'renew' | 'revoke'

interface LinkProps {
  action: LinkAction
  student: OfficeStudent
  family: FamilyOfStudent | null
  onClose: () => void
}

/** Replaces or withdraws the family's link and code. */
export function LinkDialog({ action, student, family, onClose }: LinkProps) {
  const t = words.use()
  const { id } = student
  // As it was when the dialog opened: a link that another user has renewed meanwhile is not renewed again.
  const [createdAt] = useState(family?.createdAt)
  const renews = action === 'renew'
  return (
    <ReasonDialog
      title={t(renews ? 'renewTitle' : 'revokeTitle')}
      description={t(renews ? 'renewHint' : 'revokeHint')}
      action={t(renews ? 'renew' : 'revoke')}
      danger={!renews}
      done={t(renews ? 'renewDone' : 'revokeDone')}
      draftKey={`family.${action}.${id}`}
      act={async (reason) => {
        await (renews
          ? call(renewOfficeFamilyLink, { body: { id, createdAt, reason } })
          : call(revokeFamilyLink, { body: { id, reason } }))
      }}
      invalidates={studentCalls}
      onClose={onClose}
    />
  )
}

type Contact = Answer<typeof showStudentContact>

/** Corrects a student. It fetches the parents' contact details, which is recorded like any other view of them. */
export function CorrectDialog({ record, onClose }: { record: StudentRecord; onClose: () => void }) {
  const t = words.use()
  const translate = useSentences()
  const { student } = record
  const [contact, setContact] = useState<Contact>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    let isMounted = true
    call(showStudentContact, { body: { id: student.id } }).then(
      (answer) => isMounted && setContact(answer),
      (cause) => isMounted && cause instanceof CallError && setProblem(translate(cause.message)),
    )
    return () => {
      isMounted = false
    }
  }, [student.id, translate])
  const isTyped = useRef(() => false)
  const { leave, question } = useLeaveQuestion(() => isTyped.current(), onClose)
  return (
    <Dialog opened onClose={leave} title={t('correctTitle')} fact={student.studentName}>
      {contact ? (
        <CorrectForm record={record} contact={contact} isTyped={isTyped} onClose={onClose} />
      ) : (
        <DialogBody>{problem ? <Note kind="bad">{problem}</Note> : <Skeleton shape="form" />}</DialogBody>
      )}
      {question}
    </Dialog>
  )
}

interface FormProps {
  record: StudentRecord
  contact: Contact
  /** Says whether closing would lose something; for the dialog around the form. */
  isTyped: RefObject<() => boolean>
  onClose: () => void
}

function CorrectForm({ record, contact, isTyped, onClose }: FormProps) {
  const t = words.use()
  const { student, can } = record
  const { id, version } = useAsOpened(student)
  const f = useFormDialog({
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
    save: (body) => call(correctStudent, { body: { ...body, id, version } }),
    invalidates: studentCalls,
    done: t('corrected'),
    onClose,
  })
  isTyped.current = () => !f.saving && f.form.isDirty()
  const { field } = f.form
  const fixed = can.place !== true
  return (
    <DialogForm of={f} save={t('saveCorrection')}>
      <div className="grid">
        <TextField label={t('name')} className="c12" {...field('studentName')} />
        <SelectField
          label={t('class')}
          className="c4"
          disabled={fixed}
          choices={classChoices()}
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
        <TextArea label={t('reason')} className="c12" rows={2} hint={t('reasonHint')} {...field('reason')} />
        <Note className="c12">{t(fixed ? 'placeFixed' : 'feeStays')}</Note>
      </div>
    </DialogForm>
  )
}

/** Returns the verified payments for the student, in rupees. */
const paidAmount = ({ payments }: StudentRecord) =>
  (payments ?? []).filter(({ state }) => state === 'verified').reduce((sum, { amount }) => sum + amount, 0)

/** Cancels the entry; says first what happens to the money. */
export function CancelDialog({ record, onClose }: { record: StudentRecord; onClose: () => void }) {
  const t = words.use()
  const { id, version, studentName: name } = record.student
  const paid = paidAmount(record)
  return (
    <ReasonDialog
      title={t('cancelTitle', { name })}
      description={
        <p>
          {t('cancelHint')} {paid > 0 && <b>{t('cancelCredit', { amount: formatRupees(paid) })}</b>}
        </p>
      }
      action={t('cancelEntry')}
      danger
      done={t('cancelDone', { name })}
      draftKey={`student.cancel.${id}`}
      act={(reason) => call(cancelStudent, { body: { id, version, reason } })}
      invalidates={studentCalls}
      onClose={onClose}
    />
  )
}

type Preview = Answer<typeof previewMove>

/** Moves a student to another school, after showing what moves along and what stays. */
export function MoveDialog({ student, onClose }: { student: OfficeStudent; onClose: () => void }) {
  const t = words.use()
  const { id, version, studentName: name } = student
  const [preview, setPreview] = useState<Preview>()
  const looking = useAttempt()
  const translate = useSentences()
  const f = useFormDialog({
    schema: studentMove,
    initialValues: { schCode: '', section: student.section, rollno: String(student.rollNo), reason: '' },
    save: (body) => call(moveStudent, { body: { ...body, id, version } }),
    invalidates: studentCalls,
    done: (_, { schCode }) => t('moveDone', { name, school: preview?.to.schName ?? schCode }),
    onClose,
  })
  const codeIn = (typed: string) => typed.trim().toUpperCase()
  const code = codeIn(f.form.useWatchValue('schCode'))
  const currentPreview = preview?.to.schCode === code ? preview : undefined
  const problem = looking.error?.issues[0]?.message ?? looking.error?.message
  const loadPreview = () =>
    looking.attempt(async () => {
      const answer = await call(previewMove, { query: { id: String(id), schCode: code } })
      setPreview(answer)
      // Another code may have been typed meanwhile.
      if (codeIn(f.form.getValues().schCode) === code) f.form.setFieldValue('schCode', answer.to.schCode)
    })
  const { field } = f.form
  return (
    <FormDialog
      of={f}
      title={t('moveTitle', { name })}
      fact={student.schName}
      save={t('move')}
      disabled={currentPreview ? false : t('moveFirst')}>
      <div className="grid">
        <TextField
          label={t('code')}
          className="c8"
          data-autofocus
          hint={t('moveHint')}
          {...field('schCode')}
        />
        <div className="c4" style={{ alignSelf: 'start', paddingTop: 22 }}>
          <Button
            busy={looking.busy}
            disabled={code === '' ? t('moveFirst') : false}
            onClick={() => void loadPreview()}>
            {t('moveLook')}
          </Button>
        </div>
        {problem && (
          <Note className="c12" kind="bad">
            {translate(problem)}
          </Note>
        )}
        {currentPreview && <Consequences preview={currentPreview} />}
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
    <Note className="c12">
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
  )
}

/** The form's values. `attechment` is the chosen file's name, so the check is about the file. */
const waiverSchema = (fileCheck: z.core.$ZodCheck<string>) =>
  z.object({ reason: waiverReason, attechment: z.string().check(fileCheck) })

/** Requests a fee waiver for a student; what is typed is kept until it is sent. */
export function WaiverDialog({ student, onClose }: { student: OfficeStudent; onClose: () => void }) {
  const t = words.use()
  const proof = useProof()
  const [key] = useState(() => crypto.randomUUID())
  const [schema] = useState(() => waiverSchema(proof.check(messages.evidenceRequired)))
  const f = useFormDialog({
    schema,
    initialValues: { reason: '', attechment: '' },
    draftKey: `waiver.${student.id}`,
    save: async ({ reason }) => {
      const body = { studentId: student.id, reason, ...(await proof.take(messages.evidenceRequired)) }
      return callOnce(askOfficeWaiver, { idempotencyKey: key, body })
    },
    invalidates: studentCalls,
    done: t('waiveDone'),
    onClose,
  })
  return (
    <FormDialog of={f} title={t('waiveTitle', { name: student.studentName })} size="small" save={t('ask')}>
      <p>{t('waiveHint')}</p>
      <TextArea label={t('waiveReason')} rows={3} data-autofocus {...f.form.field('reason')} />
      <FileField
        label={t('evidence')}
        accept={proofKinds}
        hint={t('evidenceHint', { n: proof.megabytes })}
        error={f.form.errors.attechment}
        onChange={(file) => void proof.choose(f.form, file)}
        data-path="attechment"
      />
    </FormDialog>
  )
}
