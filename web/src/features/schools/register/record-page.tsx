import { lazyDialog, lazyPart } from '#ui/lazy-part.ts'
import '#shell/record.css'
import '../office.css'
import { officeSchoolHistory } from '@podium/contract/schools/calls-record'
import { Link } from '@tanstack/react-router'
import { Fragment, Suspense, useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { dayText, Mail, placeText } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { History } from '#shell/history/record-history.tsx'
import { countryName } from '#shell/language/country.ts'
import { useLanguage } from '#shell/language/language.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Detail, type DetailProps, KeyValues, Website } from '#ui/copyable.tsx'
import { Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import { type RecordTab, recordFilters, recordTabs } from '../filters.ts'
import { BouncedEmail, PhoneNumbers, type SchoolAnswer, useRecord, words } from './parts.tsx'

const EditDialog = lazyDialog(() => import('./record-dialogs.tsx'), 'EditDialog')
const StatusDialog = lazyDialog(() => import('./record-dialogs.tsx'), 'StatusDialog')
const ActAsSchoolDialog = lazyDialog(() => import('./record-dialogs.tsx'), 'ActAsSchoolDialog')
const People = lazyPart(() => import('./record-people.tsx'), 'People')
const Years = lazyPart(() => import('./record-years.tsx'), 'Years')
const SeasonGlance = lazyPart(() => import('./record-years.tsx'), 'SeasonGlance')
const Notes = lazyPart(() => import('../notes/notes.tsx'), 'Notes')
const Emails = lazyPart(() => import('../notes/emails.tsx'), 'Emails')
const SchoolLink = lazyPart(() => import('./record-link.tsx'), 'SchoolLink')

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
  return <SchoolRecordView record={data} />
}

function SchoolRecordView({ record }: { record: SchoolAnswer }) {
  const t = words.use()
  const { school } = record
  const { tab } = useFilters(recordFilters).values
  const mayMails = useMay('mails.read')
  const tabs = recordTabs.filter((name) => name !== 'emails' || mayMails)
  const unconfirmedContacts = record.contacts.filter(({ confirmed, active }) => active && !confirmed).length
  return (
    <>
      <PageHeader title={school.schName} fact={<HeaderFact record={record} />}>
        <RecordActions record={record} />
      </PageHeader>
      <MergeNotes school={school} />
      {!school.active && school.mergedInto === null && (
        <Note className="mb-4" kind="bad">
          {t('inactiveSince', { day: dayText(school.inactiveSince), reason: school.inactiveReason })}
        </Note>
      )}
      <Suspense fallback={<Skeleton shape="text" rows={2} />}>
        <SeasonGlance record={record} />
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
            aria-current={name === tab ? 'page' : undefined}>
            {t(tabWords[name])}
            {name === 'notes' && record.followUps > 0 && <Badge kind="waiting">{record.followUps}</Badge>}
            {name === 'people' && unconfirmedContacts > 0 && (
              <Badge kind="waiting">{unconfirmedContacts}</Badge>
            )}
          </Link>
        ))}
      </LinkTabs>
      <div className="with-aside">
        <div className="stack">
          <Suspense fallback={<Skeleton shape="table" rows={5} />}>
            <TabContent tab={tab} record={record} />
          </Suspense>
        </div>
        <History endpoint={officeSchoolHistory} query={{ id: String(school.id) }} />
      </div>
    </>
  )
}

function TabContent({ tab, record }: { tab: RecordTab; record: SchoolAnswer }) {
  if (tab === 'people') return <People record={record} />
  if (tab === 'notes') return <Notes school={record.school} />
  if (tab === 'emails') return <Emails id={record.school.id} />
  if (tab === 'link') return <SchoolLink record={record} />
  if (tab === 'details') return <Details record={record} />
  return <Years record={record} part={tab} />
}

function HeaderFact({ record: { school } }: { record: SchoolAnswer }) {
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
function useActRefusal({ school, staff }: SchoolAnswer): string | undefined {
  const t = words.use()
  if (!useMay('schools.act')) return t('mayNotAct')
  if (!school.active) return t('offToAct')
  return staff.some(({ disabled }) => !disabled) ? undefined : t('nobodyToAct')
}

/** Which school this one was merged into, or which were merged into it. */
function MergeNotes({ school: { mergedInto, merged } }: Pick<SchoolAnswer, 'school'>) {
  const t = words.use()
  if (!mergedInto && merged.length === 0) return null
  const mergedSchools = mergedInto ? [mergedInto] : merged
  return (
    <Note className="mb-4" kind={mergedInto ? 'due' : 'info'}>
      {t(mergedInto ? 'mergedInto' : 'mergedFrom')}{' '}
      {mergedSchools.map(({ id, schCode, schName, at }, place) => (
        <Fragment key={id}>
          {place > 0 && ', '}
          <Link to={officePaths.school} params={{ id: String(id) }}>
            {schName} ({schCode})
          </Link>{' '}
          {t('mergedOn', { day: dayText(at) })}
        </Fragment>
      ))}
    </Note>
  )
}

function MergeLink({ id, refusal }: { id: number; refusal: string | undefined }) {
  const t = words.use()
  if (refusal !== undefined) return <Button disabled={refusal}>{t('mergeWith')}</Button>
  return (
    <Link to={officePaths.schoolMerge} params={{ id: String(id) }} className={buttonClass('secondary')}>
      {t('mergeWith')}
    </Link>
  )
}

function RecordActions({ record }: { record: SchoolAnswer }) {
  const t = words.use()
  const [openDialog, setOpenDialog] = useState<'edit' | 'status' | 'acting'>()
  const { school, can } = record
  const mergedReason = school.mergedInto === null ? undefined : t('mergedAway')
  const refusal = mergedReason ?? (can.write === true ? undefined : t('mayNotWrite'))
  const mayNotAct = useActRefusal(record)
  const mayNotMerge = mergedReason ?? (can.merge === true ? undefined : t('mayNotMerge'))
  const close = () => setOpenDialog(undefined)
  return (
    <>
      <Link to={officePaths.schools}>{t('back')}</Link>
      <MergeLink id={school.id} refusal={mayNotMerge} />
      <Button disabled={mergedReason ?? mayNotAct} onClick={() => setOpenDialog('acting')}>
        {t('act')}
      </Button>
      <Button
        kind={school.active ? 'danger' : 'secondary'}
        disabled={refusal}
        onClick={() => setOpenDialog('status')}>
        {t(school.active ? 'switchOff' : 'switchOn')}
      </Button>
      <Button kind="primary" icon="edit" disabled={refusal} onClick={() => setOpenDialog('edit')}>
        {t('edit')}
      </Button>

      {openDialog === 'edit' && <EditDialog school={school} onClose={close} />}
      {openDialog === 'acting' && <ActAsSchoolDialog school={school} onClose={close} />}
      {openDialog === 'status' && <StatusDialog school={school} onClose={close} />}
    </>
  )
}

/** All details on record, to read and to copy. */
function Details({ record: { school, can } }: { record: SchoolAnswer }) {
  const t = words.use()
  const language = useLanguage()
  const refusal = can.write === true ? undefined : t('mayNotWrite')
  return (
    <Panel title={t('details')}>
      <div className="halves record-details">
        <KeyValues>
          <OptionalDetail label={t('code')} value={school.schCode} copies />
          <OptionalDetail label={t('name')} value={school.schName} copies />
          <OptionalDetail label={t('address')} value={school.schAddress} copies />
          <OptionalDetail label={t('city')} value={school.city} />
          <OptionalDetail label={t('district')} value={translateSentence(school.district)} />
          <OptionalDetail label={t('state')} value={translateSentence(school.state)} />
          <OptionalDetail label={t('zone')} value={translateSentence(school.zone)} />
          <OptionalDetail label={t('country')} value={countryName(language, school.country)} />
          <OptionalDetail label={t('pinCode')} value={school.pinCode} copies />
        </KeyValues>
        <KeyValues>
          <OptionalDetail label={t('phone')} value={school.mobile} copies>
            {school.whatsAppNo === '' ? (
              <PhoneNumbers numbers={[school.mobile]} name={school.schName} />
            ) : (
              school.mobile
            )}
          </OptionalDetail>
          <OptionalDetail label={t('whatsapp')} value={school.whatsAppNo} copies>
            <PhoneNumbers numbers={[school.whatsAppNo]} name={school.schName} />
          </OptionalDetail>
          <OptionalDetail label={t('landline')} value={school.landLineNo} />
          <OptionalDetail label={t('fax')} value={school.schFaxNo} />
          <OptionalDetail label={t('email')} value={school.schEmail} copies>
            <BouncedEmail
              schoolId={school.id}
              email={school.schEmail}
              mark={school.bounced}
              refusal={refusal}>
              <Mail address={school.schEmail} />
            </BouncedEmail>
          </OptionalDetail>
          <OptionalDetail label={t('website')} value={school.schWebSite}>
            <Website address={school.schWebSite} newTab={t('newTab')} />
          </OptionalDetail>
          <OptionalDetail label={t('udise')} value={school.udiseCode} copies />
          <OptionalDetail label={t('affiliation')} value={school.affiliationNo} copies />
          <OptionalDetail label={t('group')} value={school.schGroupId} />
        </KeyValues>
      </div>
    </Panel>
  )
}

function OptionalDetail(props: Omit<DetailProps, 'unknown'>) {
  return <Detail {...props} unknown={words.use()('unknown')} />
}
