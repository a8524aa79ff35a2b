import { getStudentByClassAndSchool } from '@podium/contract/students/calls'
import { useState } from 'react'
import type { Answer } from '#shell/call.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PersonCard, PersonCards } from '#ui/person-cards.tsx'
import { type Figure, sectionText, useClassName } from './figure.ts'
import { words } from './words.ts'

type Row = Answer<typeof getStudentByClassAndSchool>['data'][number] & { key: string }

interface Props {
  figure: Figure
  onClose: () => void
}

/** The students of a class in a subject with the family's mobile and e-mail, as cards or a table. */
export function FinalDialog({ figure, onClose }: Props) {
  const t = words.use()
  const nameOf = useClassName()
  const schoolCode = useSession()?.schCode
  const [view, setView] = useState<'list' | 'table'>('table')
  const { season: FYear, subjectName, eventLetter, classId } = figure
  const { data, error, refetch } = useEndpoint(getStudentByClassAndSchool, {
    body: { FYear, eventLetter, subjectName, classCode: classId, ...(schoolCode ? { schoolCode } : {}) },
  })
  // The rows have no id: two children may agree in all four fields.
  const rows: Row[] | undefined = data?.data.map((row, n) => ({ ...row, key: String(n) }))
  const title = t('dialogTitle', { subject: subjectName, class: nameOf(classId) })
  const columns: Column<Row>[] = [
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
      <DialogFoot>
        <Button onClick={onClose}>{t('close')}</Button>
      </DialogFoot>
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
