import '#shell/record.css'
import '../office.css'
import { officeSchoolHistory } from '@podium/contract/schools/calls-record'
import { Link } from '@tanstack/react-router'
import { Fragment, lazy, Suspense, useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { dayText, Mail, placeText } from '#shell/format.tsx'
import { History } from '#shell/history/record-history.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useSession } from '#shell/session.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Detail, type DetailProps, KeyValues, Website } from '#ui/copyable.tsx'
import { Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import { type RecordTab, recordFilters, recordTabs } from '../filters.ts'
import { Numbers, Returned, type SchoolOne, useRecord, words } from './parts.tsx'

const EditDialog = lazy(() => import('./record-dialogs.tsx').then((m) => ({ default: m.EditDialog })))
const StatusDialog = lazy(() => import('./record-dialogs.tsx').then((m) => ({ default: m.StatusDialog })))
const VisitDialog = lazy(() => import('./record-dialogs.tsx').then((m) => ({ default: m.VisitDialog })))
const People = lazy(() => import('./record-people.tsx').then((m) => ({ default: m.People })))
const Years = lazy(() => import('./record-years.tsx').then((m) => ({ default: m.Years })))
const Head = lazy(() => import('./record-years.tsx').then((m) => ({ default: m.Head })))
const Notes = lazy(() => import('../notes/notes.tsx').then((m) => ({ default: m.Notes })))
const Emails = lazy(() => import('../notes/emails.tsx').then((m) => ({ default: m.Emails })))
const SchoolLink = lazy(() => import('./record-link.tsx').then((m) => ({ default: m.SchoolLink })))

const tabWords = {
  details: 'tabDetails',
  students: 'students',
  money: 'tabMoney',
  parcels: 'tabParcels',
  results: 'tabResults',
  people: 'tabPeople',
  emails: 'tabEmails',
  notes: 'tabNotes',
  link: 'tabLink',
} as const satisfies Record<RecordTab, string>

/**
 * One school in the office: the season at a glance, then details, students, payments, parcels, results, staff and
 * link; the history is beside it.
 */
export function SchoolRecordPage() {
  const { record, data } = useRecord()
  if (record.isError && !data) return <PageProblem error={record.error} retry={record.refetch} />
  if (!data) return <Skeleton shape="form" page />
  return <Loaded one={data} />
}

function Loaded({ one }: { one: SchoolOne }) {
  const t = words.use()
  const { school } = one
  const { tab } = useFilters(recordFilters).values
  const mayMails = useSession()?.permissions?.includes('mails.read') ?? false
  const tabs = recordTabs.filter((name) => name !== 'emails' || mayMails)
  const waiting = one.contacts.filter((contact) => !contact.confirmed).length
  return (
    <>
      <PageHeader title={school.schName} fact={<Fact one={one} />}>
        <Acts one={one} />
      </PageHeader>
      <Merged school={school} />
      {!school.active && school.mergedInto === null && (
        <div className="mb-4">
          <Note kind="bad">
            {t('inactiveSince', { day: dayText(school.inactiveSince), reason: school.inactiveReason })}
          </Note>
        </div>
      )}
      <Suspense fallback={<Skeleton shape="text" rows={2} />}>
        <Head one={one} />
      </Suspense>
      <LinkTabs label={t('parts')}>
        {tabs.map((name) => (
          <Link
            key={name}
            to="."
            search={recordFilters.validate({ tab: name })}
            replace
            resetScroll={false}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={name === tab ? 'page' : undefined}
          >
            {t(tabWords[name])}
            {name === 'notes' && one.followUps > 0 && <Badge kind="waiting">{one.followUps}</Badge>}
            {name === 'people' && waiting > 0 && <Badge kind="waiting">{waiting}</Badge>}
          </Link>
        ))}
      </LinkTabs>
      <div className="with-aside">
        <div className="stack">
          <Suspense fallback={<Skeleton shape="table" rows={5} />}>
            <Part tab={tab} one={one} />
          </Suspense>
        </div>
        <History endpoint={officeSchoolHistory} query={{ id: String(school.id) }} />
      </div>
    </>
  )
}

function Part({ tab, one }: { tab: RecordTab; one: SchoolOne }) {
  if (tab === 'people') return <People one={one} />
  if (tab === 'notes') return <Notes school={one.school} />
  if (tab === 'emails') return <Emails id={one.school.id} />
  if (tab === 'link') return <SchoolLink one={one} />
  if (tab === 'details') return <Details one={one} />
  return <Years one={one} part={tab} />
}

function Fact({ one: { school } }: { one: SchoolOne }) {
  const t = words.use()
  return (
    <span className="row gap-4">
      <Badge kind={school.active ? 'active' : 'inactive'}>{t(school.active ? 'active' : 'inactive')}</Badge>
      <span className="num">{school.schCode}</span>
      <span>{placeText(school.city, school.country === 'India' ? school.state : school.country)}</span>
      <span>{t('since', { day: dayText(school.createdAt) })}</span>
    </span>
  )
}

/** Returns why the user can't sign in as this school, or undefined. */
function useMayNotAct({ school, staff }: SchoolOne): string | undefined {
  const t = words.use()
  if (!useSession()?.permissions?.includes('schools.act')) return t('mayNotAct')
  if (!school.active) return t('offToAct')
  return staff.some(({ disabled }) => !disabled) ? undefined : t('nobodyToAct')
}

/** Which school this one was merged into, or which were merged into it. */
function Merged({ school: { mergedInto, merged } }: Pick<SchoolOne, 'school'>) {
  const t = words.use()
  if (!mergedInto && merged.length === 0) return null
  const told = mergedInto ? [mergedInto] : merged
  return (
    <div className="mb-4">
      <Note kind={mergedInto ? 'due' : 'info'}>
        {t(mergedInto ? 'mergedInto' : 'mergedFrom')}{' '}
        {told.map(({ id, schCode, schName, at }, place) => (
          <Fragment key={id}>
            {place > 0 && ', '}
            <Link to={officePaths.school} params={{ id: String(id) }}>
              {schName} ({schCode})
            </Link>{' '}
            {t('mergedOn', { day: dayText(at) })}
          </Fragment>
        ))}
      </Note>
    </div>
  )
}

function MergeLink({ id, mayNot }: { id: number; mayNot: string | undefined }) {
  const t = words.use()
  if (mayNot !== undefined) return <Button disabled={mayNot}>{t('mergeWith')}</Button>
  return (
    <Link to={officePaths.schoolMerge} params={{ id: String(id) }} className={buttonClass('secondary')}>
      {t('mergeWith')}
    </Link>
  )
}

function Acts({ one }: { one: SchoolOne }) {
  const t = words.use()
  const [doing, setDoing] = useState<'edit' | 'standing' | 'visit'>()
  const { school, can } = one
  const gone = school.mergedInto === null ? undefined : t('mergedAway')
  const mayNot = gone ?? (can.write === true ? undefined : t('mayNotWrite'))
  const mayNotAct = useMayNotAct(one)
  const mayNotMerge = gone ?? (can.merge === true ? undefined : t('mayNotMerge'))
  const close = () => setDoing(undefined)
  return (
    <>
      <Link to={officePaths.schools}>{t('back')}</Link>
      <MergeLink id={school.id} mayNot={mayNotMerge} />
      <Button disabled={gone ?? mayNotAct} onClick={() => setDoing('visit')}>
        {t('act')}
      </Button>
      <Button
        kind={school.active ? 'danger' : 'secondary'}
        disabled={mayNot}
        onClick={() => setDoing('standing')}
      >
        {t(school.active ? 'switchOff' : 'switchOn')}
      </Button>
      <Button kind="primary" icon="edit" disabled={mayNot} onClick={() => setDoing('edit')}>
        {t('edit')}
      </Button>
      <Suspense>
        {doing === 'edit' && <EditDialog school={school} onClose={close} />}
        {doing === 'visit' && <VisitDialog school={school} onClose={close} />}
        {doing === 'standing' && <StatusDialog school={school} onClose={close} />}
      </Suspense>
    </>
  )
}

/** All details on record, to read and to copy. */
function Details({ one: { school, can } }: { one: SchoolOne }) {
  const t = words.use()
  const mayNot = can.write === true ? undefined : t('mayNotWrite')
  return (
    <Panel title={t('details')}>
      <div className="halves record-details">
        <KeyValues>
          <Told label={t('code')} value={school.schCode} copies />
          <Told label={t('name')} value={school.schName} copies />
          <Told label={t('address')} value={school.schAddress} copies />
          <Told label={t('city')} value={school.city} />
          <Told label={t('district')} value={translateSentence(school.district)} />
          <Told label={t('state')} value={translateSentence(school.state)} />
          <Told label={t('zone')} value={translateSentence(school.zone)} />
          <Told label={t('country')} value={school.country} />
          <Told label={t('pinCode')} value={school.pinCode} copies />
        </KeyValues>
        <KeyValues>
          <Told label={t('phone')} value={school.mobile} copies>
            {school.whatsAppNo === '' ? (
              <Numbers of={[school.mobile]} name={school.schName} />
            ) : (
              school.mobile
            )}
          </Told>
          <Told label={t('whatsapp')} value={school.whatsAppNo} copies>
            <Numbers of={[school.whatsAppNo]} name={school.schName} />
          </Told>
          <Told label={t('landline')} value={school.landLineNo} />
          <Told label={t('fax')} value={school.schFaxNo} />
          <Told label={t('email')} value={school.schEmail} copies>
            <Returned schoolId={school.id} email={school.schEmail} mark={school.bounced} mayNot={mayNot}>
              <Mail address={school.schEmail} />
            </Returned>
          </Told>
          <Told label={t('website')} value={school.schWebSite}>
            <Website address={school.schWebSite} newTab={t('newTab')} />
          </Told>
          <Told label={t('udise')} value={school.udiseCode} copies />
          <Told label={t('affiliation')} value={school.affiliationNo} copies />
          <Told label={t('group')} value={school.schGroupId} />
        </KeyValues>
      </div>
    </Panel>
  )
}

function Told(props: Omit<DetailProps, 'unknown'>) {
  return <Detail {...props} unknown={words.use()('unknown')} />
}
