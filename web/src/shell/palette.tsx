import { createSpotlight, Spotlight } from '@mantine/spotlight'
import {
  officeSearch,
  type SearchHit,
  searchHitKinds,
  shortestSearch,
} from '@podium/contract/office/calls-overview'
import { findStudentsByName } from '@podium/contract/students/calls'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { useScrollLock } from '#ui/scroll-lock.ts'
import { useMay } from './guard.ts'
import { translateSentence } from './language/sentences.ts'
import { officePaths, paths } from './paths.ts'
import { useDebounced, useEndpoint } from './query.ts'
import { useSeason } from './season.ts'
import type { MenuGroup } from './side-menu.tsx'
import { takeKeyBuffer } from './use-shortcuts.ts'
import { words } from './words.ts'
import '#ui/dialog.css'
import '#ui/field.css'
import '#ui/multi-select.css'

const [store, palette] = createSpotlight()

interface PaletteProps {
  groups: MenuGroup[]
  /** Also finds records. */
  records?: boolean
  /** Also finds the school's students. */
  students?: boolean
  onClose: () => void
}

/**
 * Marks the first entry for Enter whenever the list changes. The library marks one as soon as something is typed, by an
 * attribute that disappears with the old entries when new results come. An Enter pressed before waits for the results.
 */
function useFirstEntry(listed: string, looking: boolean) {
  const entered = useRef(false)
  useEffect(() => {
    const entries = [...document.querySelectorAll<HTMLElement>('.palette-list [data-action]')]
    for (const [index, entry] of entries.entries())
      entry.toggleAttribute('data-selected', index === 0 && listed !== '')
    store.updateState((state) => ({ ...state, selected: listed === '' ? -1 : 0 }))
    if (!looking && entered.current) entries[0]?.click()
    if (!looking) entered.current = false
  }, [listed, looking])
  return entered
}

/** Returns the address that shows a found record. */
function addressOfHit({ kind, id, title, FYear, state }: SearchHit) {
  const season: Record<string, string> = FYear === '' ? {} : { season: FYear }
  const address = (to: string, search: Record<string, string | number> = {}) => ({ to, search })
  if (kind === 'school') return address(`${officePaths.schools}/${id}`)
  if (kind === 'person') return address(`${officePaths.schools}/${id}`, { tab: 'people' })
  if (kind === 'student') return address(`${officePaths.students}/${id}`, season)
  if (kind === 'packet') return address(`${officePaths.packets}/${id}`, season)
  if (kind === 'payment') return address(officePaths.payments, { ...season, state, id })
  return address(officePaths.statements, { ...season, state, search: title, id })
}

/** Returns the number of a parcel typed as it is shown: «Parcel 44». */
const parcelNo = (typed: string, prefix: string) =>
  typed.toLowerCase().startsWith(prefix.toLowerCase()) ? typed.slice(prefix.length).trim() : typed

/** A parent's mobile, and a whole e-mail address: only their own lists search for these, because it is logged. */
const wholeMobile = /^(\+?91[ -]?|0)?[6-9]\d{4}[ -]?\d{5}$/
const wholeAddress = /^\S+@\S+\.\S+$/

/** Ctrl+K: opens any page by part of its name, in the office any record by name or number, in a school a student. */
export function Palette({ groups, records = false, students = false, onClose }: PaletteProps) {
  const t = words.use()
  useScrollLock(true)
  const title = t(records ? 'searchAll' : students ? 'paletteStudents' : 'paletteSearch')
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  // After going to a page the focus belongs to its title, not to where it was before.
  const [hasNavigated, setHasNavigated] = useState(false)
  const go = (to: string, search: Record<string, string | number> = {}) => {
    setHasNavigated(true)
    void navigate({ to, search: search as never })
  }
  useEffect(() => palette.open(), [])
  const search = query.trim().toLowerCase()
  const settled = useDebounced(query.trim(), 200)
  const asks = records && settled.length >= shortestSearch
  const answer = useEndpoint(officeSearch, {
    query: { search: parcelNo(settled, t('foundParcel', { id: '' })) },
    enabled: asks,
  })
  const season = useSeason()
  const asksStudents = students && settled.length >= shortestSearch
  const children = useEndpoint(findStudentsByName, {
    query: { FYear: season, studentName: settled },
    enabled: asksStudents,
  })
  const ofSchool = asksStudents && search.length >= shortestSearch ? (children.data?.data ?? []) : []
  const hits = asks && search.length >= shortestSearch ? (answer.data?.data ?? []) : []
  const looking =
    (records || students) &&
    search.length >= shortestSearch &&
    (settled !== query.trim() || answer.isFetching || children.isFetching)
  const findsMobiles = useMay('students.contact')
  const findsAddresses = useMay('mails.addresses')
  const byMobile = records && findsMobiles && wholeMobile.test(query.trim())
  const byAddress = records && findsAddresses && wholeAddress.test(query.trim())
  const matches = (label: string) => label.toLowerCase().includes(search)
  const matchingEntries = groups
    .flatMap((group) => group.entries.map((entry) => ({ ...entry, group: group.label })))
    .filter(
      (entry) => !entry.disabled && `${entry.group ?? ''} ${entry.label}`.toLowerCase().includes(search),
    )
    // Pages with that name come before pages in a group with that name.
    .toSorted((a, b) => Number(matches(b.label)) - Number(matches(a.label)))
  const listed = [
    ...hits.map(({ kind, id }) => `${kind}.${id}`),
    ...ofSchool.map(({ id }) => id),
    ...(byMobile || byAddress ? ['by'] : []),
    ...matchingEntries.map(({ to, label }) => `${to} ${label}`),
  ]
  const entered = useFirstEntry(search === '' ? '' : listed.join(), looking)
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      shortcut={null}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      overlayProps={{ className: 'scrim', transitionProps: { duration: 0 } }}
      classNames={{ inner: 'dlg-inner palette', content: 'dlg small', body: 'palette-body' }}
      attributes={{ content: { 'aria-label': title } }}
      returnFocus={!hasNavigated}>
      <div className="palette-search">
        <Icon name="search" />
        <Spotlight.Search
          placeholder={title}
          aria-label={title}
          onFocus={() => setQuery((typed) => typed + takeKeyBuffer())}
          onKeyDown={({ key }) => {
            entered.current = key === 'Enter' && looking && listed.length === 0
          }}
        />
      </div>
      <Spotlight.ActionsList className="palette-list">
        {searchHitKinds.map((kind) => {
          const those = hits.filter((hit) => hit.kind === kind)
          if (those.length === 0) return null
          return (
            <Spotlight.ActionsGroup key={kind} label={t(`found_${kind}`)} className="palette-group">
              {those.map((hit) => (
                <Spotlight.Action
                  key={`${kind}.${hit.id}.${hit.title}`}
                  className="palette-entry"
                  onClick={() => go(addressOfHit(hit).to, addressOfHit(hit).search)}>
                  <span>{kind === 'packet' ? t('foundParcel', { id: hit.title }) : hit.title}</span>
                  <small>{[...hit.facts, ...(hit.FYear ? [hit.FYear] : [])].join(' · ')}</small>
                </Spotlight.Action>
              ))}
            </Spotlight.ActionsGroup>
          )
        })}
        {ofSchool.length > 0 && (
          <Spotlight.ActionsGroup label={t('found_student')} className="palette-group">
            {ofSchool.map(({ id, studentName, className, section, rollNo }) => (
              <Spotlight.Action
                key={id}
                className="palette-entry"
                onClick={() => go(paths.studentEntry, { name: studentName })}>
                <span>{studentName}</span>
                <small>
                  {translateSentence(className)} {section === '-' ? '' : section} · {rollNo}
                </small>
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        )}
        {byMobile && (
          <Spotlight.Action
            className="palette-entry"
            onClick={() => go(officePaths.students, { search: query.trim() })}>
            <span>{t('findByMobile')}</span>
            <small>{t('findLogged')}</small>
          </Spotlight.Action>
        )}
        {byAddress && (
          <Spotlight.Action
            className="palette-entry"
            onClick={() => go(officePaths.mails, { search: query.trim() })}>
            <span>{t('findMails')}</span>
            <small>{t('findLogged')}</small>
          </Spotlight.Action>
        )}
        {matchingEntries.map((entry) => (
          <Spotlight.Action
            key={`${entry.to} ${entry.label}`}
            className="palette-entry"
            onClick={() => go(entry.to)}>
            <span>{entry.label}</span>
            {entry.group && <small>{entry.group}</small>}
          </Spotlight.Action>
        ))}
        {looking ? (
          <Spotlight.Empty className="none">{t('paletteLooking')}</Spotlight.Empty>
        ) : (
          hits.length + ofSchool.length + matchingEntries.length === 0 &&
          !byMobile &&
          !byAddress && (
            <Spotlight.Empty className="none">
              {t(records || students ? 'searchNothing' : 'paletteNothing')}
            </Spotlight.Empty>
          )
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
