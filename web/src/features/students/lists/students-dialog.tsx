import '#ui/person-cards.css'
import { getStudentDetails, type StudentRow } from '@podium/contract/students/calls'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { EmptyState } from '#ui/note.tsx'
import { type Figure, sectionText, useClassName } from './figure.ts'
import { words } from './words.ts'

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
  // The call answers with deleted ones, too; the figure leaves them out.
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
      <DialogFoot>
        <Button onClick={onClose}>{t('close')}</Button>
      </DialogFoot>
    </Dialog>
  )
}
