import { officeSchools, type RegisterRow } from '@podium/contract/schools/calls-register'
import { maxStatusChanges } from '@podium/contract/schools/calls-write'
import { Link } from '@tanstack/react-router'
import { useFilters } from '#shell/filters.ts'
import { count, placeText, Rupees } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { countryName } from '#shell/language/country.ts'
import { useLanguage } from '#shell/language/language.ts'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { SchoolLink } from '#shell/record-links.tsx'
import { useSeason } from '#shell/season.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { registerFilters, schoolFilterKeys } from '../filters.ts'
import { words } from './words.ts'

/** Loads the schools for the filters in the URL; `money` if the user may see what they owe. */
export function useRegister() {
  const season = useSeason()
  const filters = useFilters(registerFilters)
  const { page, ...filterValues } = filters.values
  const request = { FYear: season, ...filterValues }
  const list = useEndpoint(officeSchools, { query: { ...request, page: String(page) } })
  const set = filters.countSet(...schoolFilterKeys)
  const money = useMay('payments.read')
  return { season, filters, request, list, set, money }
}

export const StatusBulkDialog = lazyDialog(() => import('./dialogs.tsx'), 'StatusBulkDialog')

interface BarProps {
  rows: readonly RegisterRow[]
  /** Deactivates or reactivates */
  onStatus: (to: 'off' | 'on') => void
  onClear: () => void
}

/** The actions for the selected schools: invitation letters, deactivate, reactivate. */
export function RegisterBar({ rows, onStatus, onClear }: BarProps) {
  const t = words.use()
  const mayWrite = useMay('schools.write')
  const on = rows.filter(({ active }) => active)
  const off = rows.filter(({ active }) => !active)
  const refusalFor = (schools: readonly RegisterRow[]) => {
    if (!mayWrite) return t('mayNotWrite')
    return schools.length > maxStatusChanges ? t('tooMany', { n: maxStatusChanges }) : undefined
  }
  return (
    <>
      <span aria-live="polite">
        <b>{t('chosen', { n: rows.length })}</b>
      </span>
      <Link
        to={officePaths.schoolLetters}
        search={{ ids: rows.map(({ id }) => id).join(',') }}
        className={buttonClass('primary')}>
        {t('letters')}
      </Link>
      <Link
        to={officePaths.schoolMailings}
        search={{ ids: rows.map(({ id }) => id).join(',') }}
        className={buttonClass('secondary')}>
        {t('emailThem')}
      </Link>
      {on.length > 0 && (
        <Button
          kind="danger"
          disabled={refusalFor(on)}
          onPointerEnter={() => void StatusBulkDialog.load()}
          onClick={() => onStatus('off')}>
          {t('switchOff')}
        </Button>
      )}
      {off.length > 0 && (
        <Button
          disabled={refusalFor(off)}
          onPointerEnter={() => void StatusBulkDialog.load()}
          onClick={() => onStatus('on')}>
          {t('switchOn')}
        </Button>
      )}
      <Button kind="text" onClick={onClear}>
        {t('unchoose')}
      </Button>
    </>
  )
}

/** Returns all columns the register can show. */
export function useColumns(): Column<RegisterRow>[] {
  const t = words.use()
  const language = useLanguage()
  return columnsOf(t, [
    {
      key: 'name',
      title: true,
      sortable: true,
      cell: (row) =>
        lines(
          <SchoolLink id={row.id}>{row.schName}</SchoolLink>,
          row.contacts > 0 && <Badge kind="waiting">{t('contactsToConfirm', { n: row.contacts })}</Badge>,
        ),
    },
    {
      key: 'city',
      label: t('place'),
      sortable: true,
      card: 'wide',
      cell: (row) =>
        placeText(row.city, row.country === 'India' ? row.state : countryName(language, row.country)),
    },
    {
      key: 'code',
      card: 'lead',
      sortable: true,
      cell: (row) => <span className="nowrap num">{row.schCode}</span>,
    },
    { key: 'staff', label: t('people'), num: true, cell: (row) => count(row.staff) },
    { key: 'students', num: true, card: 'said', sortable: true, cell: (row) => count(row.students) },
    { key: 'due', num: true, card: 'said', sortable: true, cell: (row) => <Rupees amount={row.due} dash /> },
    {
      key: 'status',
      cell: (row) => (
        <Badge kind={row.active ? 'active' : 'inactive'}>{t(row.active ? 'active' : 'inactive')}</Badge>
      ),
    },
  ])
}
