import { classes } from '@podium/contract/classes'
import { studentSubjects } from '@podium/contract/students/calls-register'
import type { ReactNode } from 'react'
import { useEndpoint } from '#shell/query.ts'
import { FilterRow } from '#ui/filter-row.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField, TextField } from '#ui/text-field.tsx'
import type { Students } from './use-students.ts'
import { words } from './words.ts'

type Values = Students['filters']['values']
type Pick = 'classId' | 'subject' | 'fee' | 'standing' | 'seasons' | 'sort'
type Choices = readonly (readonly [string, string])[]

/** Search by the child, by the school, and what else a child is looked for by. */
export function StudentFilters({ students, view }: { students: Students; view: ReactNode }) {
  const t = words.use()
  const { filters, set, season } = students
  const subjects = useEndpoint(studentSubjects).data?.data ?? []
  const select = (name: Pick, label: string, choices: Choices) => (
    <SelectField
      label={label}
      value={filters.shown[name]}
      choices={choices.map(([value, said]) => ({ value, label: said }))}
      onChange={(event) => filters.change({ [name]: event.currentTarget.value } as Partial<Values>)}
    />
  )
  const text = (name: 'school', label: string, hint: string) => (
    <TextField
      label={label}
      placeholder={hint}
      value={filters.shown[name]}
      onChange={(event) => filters.change({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <FilterRow
      view={view}
      set={Math.max(0, set - (filters.values.search === '' ? 0 : 1))}
      {...(set > 0 ? { onClear: filters.clear } : {})}
      search={
        <SearchField
          label={t('search')}
          placeholder={t('searchHint')}
          value={filters.shown.search}
          onChange={(event) => filters.change({ search: event.currentTarget.value })}
        />
      }
    >
      {text('school', t('school'), t('schoolHint'))}
      {select('classId', t('class'), [
        ['', t('all')],
        ...classes.map((one) => [String(one.classId), one.className] as const),
      ])}
      {select('subject', t('subject'), [
        ['', t('all')],
        ...subjects.map((one) => [one.letter, `${one.letter} · ${one.name}`] as const),
      ])}
      {select('fee', t('fee'), [
        ['', t('all')],
        ['due', t('feeDue')],
        ['sent', t('feeSent')],
        ['paid', t('feePaid')],
        ['waived', t('feeWaived')],
      ])}
      {select('standing', t('standing'), [
        ['active', t('active')],
        ['deleted', t('deleted')],
        ['all', t('all')],
      ])}
      {select('seasons', t('seasons'), [
        ['', t('thisSeason', { season })],
        ['all', t('allSeasons')],
      ])}
      {filters.values.school !== '' &&
        select('sort', t('order'), [
          ['name', t('orderName')],
          ['class', t('orderClass')],
        ])}
    </FilterRow>
  )
}
