import {
  getStudentByClassAndSchool,
  getStudentDetails,
  type StudentRow,
} from '@podium/contract/students/calls'
import type { Answer } from '#shell/call.ts'
import { nothing } from '#shell/format.tsx'
import { PersonsDialog } from '#shell/persons-dialog.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { Badge } from '#ui/badge.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { type Figure, sectionText, useClassName, words } from './words.ts'

interface Props {
  figure: Figure
  onClose: () => void
}

/** The active students of a class in a subject. */
export function StudentsDialog({ figure, onClose }: Props) {
  const t = words.use()
  const nameOf = useClassName()
  const { season: FYear, subjectName, classId } = figure
  const { data, error, refetch } = useEndpoint(getStudentDetails, { body: { FYear, subjectName, classId } })
  // The answer includes deleted students; the figure leaves them out.
  const rows = data?.data.filter(({ status }) => status)
  const title = t('dialogTitle', { subject: subjectName, class: nameOf(classId) })
  const columns: Column<StudentRow>[] = columnsOf(t, [
    { key: 'name', label: t('studentName'), title: true, cell: (row) => row.studentName },
    { key: 'section', cell: (row) => sectionText(row.section) },
    { key: 'rollNo', num: true, cell: (row) => row.rollNo },
    {
      key: 'fee',
      cell: ({ paymentStatus }) => (
        <Badge kind={paymentStatus ? 'paid' : 'unpaid'}>{t(paymentStatus ? 'paid' : 'unpaid')}</Badge>
      ),
    },
  ])
  return (
    <PersonsDialog
      title={title}
      fact={rows && t('dialogFact', { n: rows.length })}
      t={t}
      caption={title}
      columns={columns}
      rows={rows}
      rowKey={(row) => String(row.id)}
      error={error}
      retry={refetch}
      onClose={onClose}
    />
  )
}

type FinalRow = Answer<typeof getStudentByClassAndSchool>['data'][number] & { key: string }

/** The students of a class in a subject with the family's mobile and e-mail, as cards or a table. */
export function FinalDialog({ figure, onClose }: Props) {
  const t = words.use()
  const nameOf = useClassName()
  const schoolCode = useSession()?.schCode
  const { season: FYear, subjectName, eventLetter, classId } = figure
  const { data, error, refetch } = useEndpoint(getStudentByClassAndSchool, {
    body: { FYear, eventLetter, subjectName, classCode: classId, ...(schoolCode ? { schoolCode } : {}) },
  })
  // The rows have no id, and two students may agree in all four fields.
  const rows: FinalRow[] | undefined = data?.data.map((row, n) => ({ ...row, key: String(n) }))
  const title = t('dialogTitle', { subject: subjectName, class: nameOf(classId) })
  const columns: Column<FinalRow>[] = columnsOf(t, [
    { key: 'name', label: t('studentName'), title: true, cell: (row) => row.studentName },
    { key: 'section', cell: (row) => sectionText(row.section) },
    { key: 'mobile', cell: (row) => <Phone of={row.mobileNo} /> },
    { key: 'email', card: 'wide', cell: (row) => row.email || nothing },
  ])
  return (
    <PersonsDialog
      title={title}
      fact={rows && t('dialogFact', { n: rows.length })}
      t={t}
      caption={title}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.key}
      cardColumns={2}
      card={(row) => ({
        name: row.studentName,
        facts: [
          [t('section'), sectionText(row.section)],
          [t('mobile'), <Phone key="mobile" of={row.mobileNo} />],
          [t('email'), row.email || '–'],
        ],
      })}
      error={error}
      retry={refetch}
      onClose={onClose}
    />
  )
}

function Phone({ of }: { of: string }) {
  return of === '' ? (
    nothing
  ) : (
    <a className="lk nowrap" href={`tel:${of}`}>
      {of}
    </a>
  )
}
