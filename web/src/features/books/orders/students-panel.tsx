import { classes } from '@podium/contract/classes'
import { getStudentDetails, type StudentRow } from '@podium/contract/students/calls'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useNames } from '../summary/figure.ts'
import { words } from '../words.ts'

const pageSize = 20
const listed = (names: string) => names.split(',').filter(Boolean)
const nobody = { classId: '', subject: '', section: '', rollNo: '', name: '' }

/** The book order by student, as the specification has it (2.11): found by class, subject, section, roll no and name. */
export function StudentsPanel({ season }: { season: string }) {
  const t = words.use()
  const { ofClass } = useNames()
  const [asked, ask] = useState(nobody)
  const [page, setPage] = useState(1)
  const all = useEndpoint(getStudentDetails, { body: { FYear: season } })
  const active = all.data?.data.filter((row) => row.status)
  const found = active?.filter((row) => fits(row, asked))
  const field = (name: keyof typeof nobody) => ({
    value: asked[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      ask({ ...asked, [name]: event.currentTarget.value })
      setPage(1)
    },
  })
  const choices = (of: (row: StudentRow) => readonly string[]) =>
    [...new Set(active?.flatMap(of))].sort().map((value) => ({ value, label: value }))
  const columns: Column<StudentRow>[] = [
    {
      key: 'class',
      label: t('class'),
      cell: (row) => <span className="nowrap">{ofClass(row.classId)}</span>,
    },
    { key: 'subject', label: t('subject'), card: 'wide', cell: (row) => listed(row.subjectName).join(', ') },
    { key: 'section', label: t('section'), cell: (row) => row.section },
    { key: 'rollNo', label: t('rollNo'), num: true, cell: (row) => row.rollNo },
    { key: 'name', label: t('name'), title: true, cell: (row) => row.studentName },
    { key: 'books', label: t('books'), num: true, cell: (row) => row.bookCount },
    {
      key: 'order',
      label: t('orderNow'),
      act: true,
      cell: (row) => (
        <Link
          to={paths.studentEntry}
          search={{ name: row.studentName, classId: row.classId, section: row.section }}
          aria-label={t('orderFor', { name: row.studentName })}
        >
          {t('orderNow')}
        </Link>
      ),
    },
  ]
  return (
    <Panel title={t('studentsOrder')} padded={false}>
      <div className="bo-find">
        <p className="hint">{t('forStudents')}</p>
        <div className="grid">
          <SelectField
            label={t('class')}
            className="c2"
            empty={t('all')}
            choices={classes.map(({ classId }) => ({ value: String(classId), label: ofClass(classId) }))}
            {...field('classId')}
          />
          <SelectField
            label={t('subject')}
            className="c3"
            empty={t('all')}
            choices={choices((row) => listed(row.subjectName))}
            {...field('subject')}
          />
          <SelectField
            label={t('section')}
            className="c2"
            empty={t('all')}
            choices={choices((row) => [row.section])}
            {...field('section')}
          />
          <TextField label={t('rollNo')} className="c2" inputMode="numeric" {...field('rollNo')} />
          <TextField label={t('name')} className="c3" {...field('name')} />
        </div>
      </div>
      {all.isError && !found ? (
        <LoadProblem error={all.error} retry={() => all.refetch()} />
      ) : (
        <DataTable
          caption={t('studentsOrder')}
          columns={columns}
          rows={found?.slice((page - 1) * pageSize, page * pageSize)}
          rowKey={(row) => String(row.id)}
          stale={all.isPlaceholderData}
          empty={t('noStudentFound')}
          paging={{ total: found?.length ?? 0, page, size: pageSize, onPage: setPage }}
        />
      )}
    </Panel>
  )
}

function fits(row: StudentRow, asked: typeof nobody): boolean {
  const { classId, subject, section, rollNo, name } = asked
  if (classId !== '' && row.classId !== Number(classId)) return false
  if (subject !== '' && !listed(row.subjectName).includes(subject)) return false
  if (section !== '' && row.section !== section) return false
  if (rollNo.trim() !== '' && row.rollNo !== Number(rollNo)) return false
  return row.studentName.toLowerCase().includes(name.trim().toLowerCase())
}
