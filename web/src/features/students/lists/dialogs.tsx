import '#ui/person-cards.css'
import {
  getStudentByClassAndSchool,
  getStudentDetails,
  type StudentRow,
} from '@podium/contract/students/calls'
import { useState } from 'react'
import type { Answer } from '#shell/call.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { Badge } from '#ui/badge.tsx'
import { Segmented } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PersonCard, PersonCards } from '#ui/person-cards.tsx'
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
  const columns: Column<StudentRow>[] = [
    { key: 'name', label: t('studentName'), title: true, cell: (row) => row.studentName },
    { key: 'section', label: t('section'), cell: (row) => sectionText(row.section) },
    { key: 'rollNo', label: t('rollNo'), num: true, cell: (row) => row.rollNo },
    {
      key: 'fee',
      label: t('fee'),
      cell: ({ paymentStatus }) => (
        <Badge kind={paymentStatus ? 'paid' : 'unpaid'}>{t(paymentStatus ? 'paid' : 'unpaid')}</Badge>
      ),
    },
  ]
  return (
    <Dialog opened onClose={onClose} title={title} fact={rows && t('dialogFact', { n: rows.length })}>
      <DialogBody>
        {error && !rows ? (
          <LoadProblem error={error} retry={refetch} />
        ) : (
          <DataTable
            caption={title}
            columns={columns}
            rows={rows}
            rowKey={(row) => String(row.id)}
            compact
            empty={
              <EmptyState icon="users" title={t('noStudents')}>
                {t('noStudentsText')}
              </EmptyState>
            }
          />
        )}
      </DialogBody>
      <DialogFoot onClose={onClose} />
    </Dialog>
  )
}

type FinalRow = Answer<typeof getStudentByClassAndSchool>['data'][number] & { key: string }

interface FinalProps {
  figure: Figure
  onClose: () => void
}

/** The students of a class in a subject with the family's mobile and e-mail, as cards or a table. */
export function FinalDialog({ figure, onClose }: FinalProps) {
  const t = words.use()
  const nameOf = useClassName()
  const schoolCode = useSession()?.schCode
  const [view, setView] = useState<'list' | 'table'>('table')
  const { season: FYear, subjectName, eventLetter, classId } = figure
  const { data, error, refetch } = useEndpoint(getStudentByClassAndSchool, {
    body: { FYear, eventLetter, subjectName, classCode: classId, ...(schoolCode ? { schoolCode } : {}) },
  })
  // The rows have no id, and two students may agree in all four fields.
  const rows: FinalRow[] | undefined = data?.data.map((row, n) => ({ ...row, key: String(n) }))
  const title = t('dialogTitle', { subject: subjectName, class: nameOf(classId) })
  const columns: Column<FinalRow>[] = [
    { key: 'name', label: t('studentName'), title: true, cell: (row) => row.studentName },
    { key: 'section', label: t('section'), cell: (row) => sectionText(row.section) },
    { key: 'mobile', label: t('mobile'), cell: (row) => <Phone of={row.mobileNo} /> },
    { key: 'email', label: t('email'), card: 'wide', cell: (row) => row.email || '–' },
  ]
  return (
    <Dialog opened onClose={onClose} title={title} fact={rows && t('dialogFact', { n: rows.length })}>
      <DialogBody>
        {rows && rows.length > 0 && (
          <div className="dialog-view">
            <Segmented
              label={t('view')}
              value={view}
              choices={[
                { value: 'list', label: t('list'), icon: 'list' },
                { value: 'table', label: t('table'), icon: 'table' },
              ]}
              onChange={setView}
            />
          </div>
        )}
        {error && !rows ? (
          <LoadProblem error={error} retry={refetch} />
        ) : view === 'list' && rows && rows.length > 0 ? (
          <PersonCards label={title}>
            {rows.map((row) => (
              <PersonCard
                key={row.key}
                name={row.studentName}
                facts={[
                  [t('section'), sectionText(row.section)],
                  [t('mobile'), <Phone key="mobile" of={row.mobileNo} />],
                  [t('email'), row.email || '–'],
                ]}
              />
            ))}
          </PersonCards>
        ) : (
          <DataTable
            caption={title}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.key}
            compact
            cardColumns={2}
            empty={
              <EmptyState icon="users" title={t('noStudents')}>
                {t('noStudentsText')}
              </EmptyState>
            }
          />
        )}
      </DialogBody>
      <DialogFoot onClose={onClose} />
    </Dialog>
  )
}

function Phone({ of }: { of: string }) {
  return of === '' ? (
    '–'
  ) : (
    <a className="lk nowrap" href={`tel:${of}`}>
      {of}
    </a>
  )
}
