import { auditActors, changeActions, changeList } from '@podium/contract/audit-log/calls'
import type { ReactNode } from 'react'
import { useFilters } from '#shell/filters.ts'
import { useActionName, useKindName } from '#shell/history/line-parts.tsx'
import { useEndpoint } from '#shell/query.ts'
import { FilterRow } from '#ui/filter-row.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { DateField, SearchField, TextField } from '#ui/text-field.tsx'
import { changeFilters } from './filters.ts'
import { words } from './words.ts'

const actorWords = {
  office: 'byOffice',
  account: 'byAccount',
  family: 'byFamily',
  system: 'bySystem',
} as const

/** The changes that the address asks for. */
export function useChanges() {
  const filters = useFilters(changeFilters)
  const { page, ...asked } = filters.values
  const list = useEndpoint(changeList, { query: { ...asked, page: String(page) } })
  const set = filters.countSet('who', 'by', 'action', 'kind', 'record', 'school', 'from', 'until')
  return { filters, asked, list, set }
}

export type Changes = ReturnType<typeof useChanges>

/** Who, what, of which record and school, from when until when. */
export function ChangeFilterRow({ changes, view }: { changes: Changes; view: ReactNode }) {
  const t = words.use()
  const { filters, set } = changes
  const { shown } = filters
  const by = auditActors.map((value) => ({ value, label: t(actorWords[value]) }))
  return (
    <FilterRow
      view={view}
      set={Math.max(0, set - (filters.values.who === '' ? 0 : 1))}
      {...(set > 0 ? { onClear: filters.clear } : {})}
      search={
        <SearchField
          label={t('who')}
          placeholder={t('whoHint')}
          value={shown.who}
          onChange={(event) => filters.change({ who: event.currentTarget.value })}
        />
      }
    >
      <SelectField
        label={t('by')}
        value={shown.by}
        empty={t('all')}
        choices={by}
        onChange={(event) => filters.change({ by: auditActors.find((a) => a === event.target.value) ?? '' })}
      />
      <WhatFilters changes={changes} />
      <TextField
        label={t('school')}
        autoCapitalize="characters"
        value={shown.school}
        onChange={(event) => filters.change({ school: event.currentTarget.value })}
      />
      <DateField
        label={t('from')}
        value={shown.from}
        onChange={(event) => filters.change({ from: event.currentTarget.value })}
      />
      <DateField
        label={t('until')}
        value={shown.until}
        onChange={(event) => filters.change({ until: event.currentTarget.value })}
      />
    </FilterRow>
  )
}

/** What was done, singly or by group, and to which kind of record. */
function WhatFilters({ changes }: { changes: Changes }) {
  const t = words.use()
  const nameOf = useActionName()
  const kindOf = useKindName()
  const { filters } = changes
  const { shown } = filters
  const known = useEndpoint(changeActions).data
  const actions = known?.actions ?? []
  const groups = [...new Set(actions.map((action) => action.split('.')[0] ?? ''))]
  const choices = groups.flatMap((group) => {
    const of = actions.filter((action) => action.startsWith(`${group}.`))
    const each = of.map((action) => ({ value: action, label: nameOf(action) }))
    return of.length > 1
      ? [{ value: `${group}.`, label: t('allOf', { group: kindOf(group) }) }, ...each]
      : each
  })
  const kinds = (known?.kinds ?? []).map((kind) => ({ value: kind, label: kindOf(kind) }))
  return (
    <>
      <SelectField
        label={t('what')}
        value={shown.action}
        empty={t('all')}
        choices={withChosen(choices, shown.action)}
        onChange={(event) => filters.change({ action: event.currentTarget.value })}
      />
      <SelectField
        label={t('kind')}
        value={shown.kind}
        empty={t('all')}
        choices={withChosen(kinds, shown.kind)}
        onChange={(event) => filters.change({ kind: event.currentTarget.value })}
      />
      {(shown.kind !== '' || shown.record !== '') && (
        <TextField
          label={t('record')}
          value={shown.record}
          onChange={(event) => filters.change({ record: event.currentTarget.value })}
        />
      )}
    </>
  )
}

/** What the address names is in the list, known or not. */
function withChosen(choices: { value: string; label: string }[], value: string) {
  if (value === '' || choices.some((choice) => choice.value === value)) return choices
  return [{ value, label: value }, ...choices]
}
