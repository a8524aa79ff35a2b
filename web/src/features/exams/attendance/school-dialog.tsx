import {
  type AttendanceEvent,
  attendanceEvents,
  attendanceList,
  saveAttendance,
} from '@podium/contract/exams/calls-attendance'
import { type FormEvent, useState } from 'react'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpointMutation, useFreshQuery } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/toast.tsx'
import type en from '#words/en/exams-attendance-school.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/exams-attendance-school.json'))

export type ClassList = Omit<AttendanceEvent, 'classes'> & AttendanceEvent['classes'][number]

interface ListDialogProps {
  list: ClassList
  subject: string
  onClose: () => void
}

/** One class list: a tick for each student who was absent. */
export function ListDialog({ list, subject, onClose }: ListDialogProps) {
  const t = words.use()
  const { eventManagementId, classId } = list
  const found = useFreshQuery(attendanceList, {
    query: { eventManagementId: String(eventManagementId), classId: String(classId) },
  })
  const [changed, setChanged] = useState<ReadonlyMap<number, boolean>>(new Map())
  const save = useEndpointMutation(saveAttendance, {
    invalidates: [attendanceEvents, attendanceList],
    onSuccess: () => {
      toast.success(t('saved'))
      onClose()
    },
  })
  const students = found.data?.students ?? []
  const isAbsent = (one: (typeof students)[number]) => changed.get(one.studentId) ?? one.absent
  const absent = students.filter(isAbsent)
  const open = list.can === true
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    if (!found.data || !open) return
    const { version } = found.data
    const ids = absent.map(({ studentId }) => studentId)
    save.mutate({ body: { lists: [{ eventManagementId, classId, version, absent: ids }] } })
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('listTitle', { subject, class: list.className })}
      fact={
        found.data && t('presentCount', { present: students.length - absent.length, absent: absent.length })
      }
    >
      <form onSubmit={submit} noValidate>
        <DialogBody>
          <div className="stack">
            {found.isError && !found.data && <LoadProblem error={found.error} retry={found.refetch} />}
            {found.isPending && <Skeleton shape="text" rows={6} />}
            {open && students.length > 0 && <p>{t('listSays')}</p>}
            {save.error && <Note kind="bad">{translateSentence(save.error.message)}</Note>}
            <div className="stack">
              {students.map((one) => (
                <CheckField
                  key={one.studentId}
                  label={t('student', { name: one.studentName, section: one.section, roll: one.rollNo })}
                  hint={one.nioRollNo ? t('examRoll', { roll: one.nioRollNo }) : undefined}
                  disabled={!open}
                  checked={isAbsent(one)}
                  onChange={({ currentTarget: { checked } }) =>
                    setChanged(new Map(changed).set(one.studentId, checked))
                  }
                />
              ))}
            </div>
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t(open ? 'cancel' : 'close')}</Button>
          {open && (
            <Button type="submit" kind="primary" busy={save.isPending} disabled={!found.data}>
              {t('save')}
            </Button>
          )}
        </DialogFoot>
      </form>
    </Dialog>
  )
}
