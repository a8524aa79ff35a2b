import '../results.css'
import '../office.css'
import { classCode, classes } from '@podium/contract/classes'
import { resultActions } from '@podium/contract/results/calls'
import {
  explainResultForOffice,
  previewCorrections,
  previewSchools,
  type ResultSet,
  schoolPreview,
} from '@podium/contract/results/calls-office'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { Moment, placeText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { ListTable } from '#shell/list-table.tsx'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { buttonClass } from '#ui/button.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import { SearchField } from '#ui/text-field.tsx'
import type en from '#words/en/results-preview.json'
import {
  eventName,
  hasResults,
  type OfficeEvent,
  shownState,
  useOfficeEvent,
  workingSet,
} from '../office-event.ts'
import { previewFilters } from '../office-filters.ts'
import { ResultActions, ResultFiles } from '../result-files.tsx'
import { Corrections, ResultsView, resultsPageSize } from '../results-view.tsx'
import { WhyPanel } from '../why/panel.tsx'
import { words } from '../words.ts'

const previewWords = defineWords<typeof en>(import.meta.glob('#words/*/results-preview.json'))

interface PreviewProps {
  event: OfficeEvent['event']
  set: ResultSet
}

const lists = ['all', 'medal', 'award', 'prize'] as const
const actionOf = (list: (typeof lists)[number]) => {
  const action = resultActions[list]
  return action === undefined ? undefined : (`${action}` as const)
}

/** One school's four result pages before the release: the school's own screens, without downloads or links. */
function PreviewPages({ event, set }: PreviewProps) {
  const t = previewWords.use()
  const common = words.use()
  const { values, change } = useFilters(previewFilters)
  const [opened, setOpened] = useState<string>()
  const { school: schCode, list, classId, page } = values
  const ofSchool = { setId: String(set.setId), schCode }
  const preview = useEndpoint(schoolPreview, {
    query: {
      ...ofSchool,
      classId: String(classId),
      action: actionOf(list),
      offset: String((Math.max(page, 1) - 1) * resultsPageSize),
      limit: String(resultsPageSize),
    },
  })
  const corrections = useEndpoint(previewCorrections, { query: ofSchool, enabled: set.version > 1 })
  const data = preview.data?.school.schCode === schCode ? preview.data : undefined
  const { error, refetch, isPlaceholderData } = preview
  const name = data?.school.schName ?? schCode
  return (
    <>
      <Banner event={event} set={set} name={name} schCode={schCode} />
      <div className="rpv-pages">
        <ResultsView
          list={list}
          event={{ ...event, leadsOn: data?.leadsOn ?? false }}
          season={event.season}
          classId={classId}
          page={page}
          found={{ data, error, refetch, isPlaceholderData }}
          onPage={(next) => change({ page: next })}
          files={
            <ResultFiles
              search={{ fyear: event.season, eventYearId: event.eventYearId, eventLetter: event.eventLetter }}
              total={0}
              onPrint={() => undefined}
              locked={t('locked')}
            />
          }
          opened={opened}
          onOpen={setOpened}
          below={(row) => (
            <>
              <WhyPanel resultId={row.resultId} endpoint={explainResultForOffice} />
              <ResultActions row={row} locked={t('locked')} />
            </>
          )}
          toAll={
            <Link
              to="."
              search={previewFilters.validate({ ...values, list: 'all' })}
              className={buttonClass()}>
              {common('toAll')}
            </Link>
          }>
          <LinkTabs label={common('lists')}>
            {lists.map((item) => (
              <Link
                key={item}
                to="."
                search={previewFilters.validate({ ...values, list: item, page: 1 })}
                aria-current={item === list ? 'page' : undefined}>
                {common(item)}
              </Link>
            ))}
          </LinkTabs>
          <PreviewForm event={event} classId={classId} onClass={(next) => change({ classId: next })} />
          {data?.state === 'withheld' && <Note kind="info">{t('withheld')}</Note>}
          {data?.state === 'released' && <Corrections rows={corrections.data?.data ?? []} />}
        </ResultsView>
      </div>
    </>
  )
}

function Banner({ event, set, name, schCode }: PreviewProps & { name: string; schCode: string }) {
  const t = previewWords.use()
  return (
    <>
      <section className="rpv-banner head-bar row between gap-4" aria-label={t('banner')}>
        <p>
          <strong>{t('banner')}</strong>
          <span>
            {t('of', { n: set.version, event: eventName(event), name, code: schCode })}{' '}
            {set.releaseAt && (
              <>
                {t('scheduled')} <Moment value={set.releaseAt} />.
              </>
            )}
          </span>
        </p>
        <span className="rpv-pages-nav no-print">
          <Link to="." search={{}}>
            {t('other')}
          </Link>
          <Link to={officePaths.resultEvent} params={{ eventYearId: String(event.eventYearId) }}>
            {t('back')}
          </Link>
        </span>
      </section>
      <p className="rpv-paper" aria-hidden="true">
        {t('paper')}
      </p>
    </>
  )
}

interface FormProps {
  event: OfficeEvent['event']
  classId: number
  onClass: (classId: number) => void
}

/** The search form of the school's pages. Level, season and subject are the event's; only the class can be chosen. */
function PreviewForm({ event, classId, onClass }: FormProps) {
  const t = words.use()
  const level = String(event.examLevel)
  return (
    <div className="filters">
      <SelectField
        label={t('examLevel')}
        disabled
        choices={[{ value: level, label: t('level', { level }) }]}
        value={level}
      />
      <SelectField
        label={t('fyear')}
        disabled
        choices={[{ value: event.season, label: event.season }]}
        value={event.season}
      />
      <SelectField
        label={t('subject')}
        className="mid"
        disabled
        choices={[{ value: event.eventLetter, label: translateSentence(event.subjectName) }]}
        value={event.eventLetter}
      />
      <SelectField
        label={t('class')}
        choices={[
          { value: '0', label: t('allClasses') },
          ...classes.map((schoolClass) => ({
            value: String(schoolClass.classId),
            label: translateSentence(classCode(schoolClass.classId)),
          })),
        ]}
        value={String(classId)}
        onChange={(changed) => onClass(Number(changed.currentTarget.value))}
      />
    </div>
  )
}

const shownAtOnce = 20

/** Chooses the school to preview, among those with results in the version. */
function PreviewChoice({ event, set }: { event: OfficeEvent['event']; set: ResultSet }) {
  const t = previewWords.use()
  const filters = useFilters(previewFilters)
  const { values, change } = filters
  const schools = useEndpoint(previewSchools, {
    query: { setId: String(set.setId), search: values.search.trim().slice(0, 100) },
  })
  return (
    <>
      <PageHeader
        title={t('chooseTitle')}
        fact={t('chooseFact', { event: eventName(event), n: set.version })}>
        <Link to={officePaths.resultEvent} params={{ eventYearId: String(event.eventYearId) }}>
          {t('back')}
        </Link>
      </PageHeader>
      <FilterRow
        search={<SearchField label={t('search')} maxLength={100} {...filters.field('search')} />}
        set={0}
        onClear={values.search === '' ? undefined : () => change({ search: '' })}
      />
      <ListTable
        list={schools}
        caption={t('caption')}
        rowKey={(row) => row.schCode}
        empty={<EmptyState icon="search">{t('noSchool')}</EmptyState>}
        columns={[
          {
            key: 'school',
            label: t('school'),
            title: true,
            cell: (row) => (
              <Link to="." search={previewFilters.validate({ school: row.schCode })}>
                {row.schName}
              </Link>
            ),
          },
          { key: 'code', label: t('code'), cell: (row) => row.schCode },
          { key: 'place', label: t('place'), cell: (row) => placeText(row.district, row.state) },
        ]}
      />
      {schools.data?.data.length === shownAtOnce && <p className="hint">{t('first', { n: shownAtOnce })}</p>}
    </>
  )
}

/** Previews an unreleased version: the office chooses a school, then looks at its four result pages. */
export function SchoolPreviewPage() {
  const t = previewWords.use()
  const { eventYearId = '' } = useParams({ strict: false })
  const { values } = useFilters(previewFilters)
  const { data, error, refetch } = useOfficeEvent(Number(eventYearId))
  if (error && !data) return <PageProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="table" rows={6} />
  const set = workingSet(data)
  const back = (
    <Link to={officePaths.resultEvent} params={{ eventYearId }} className={buttonClass()}>
      {t('back')}
    </Link>
  )
  if (!set || !hasResults(set) || shownState(set) === 'released') {
    const over = set && shownState(set) === 'released'
    return (
      <>
        <PageHeader title={t('chooseTitle')} fact={eventName(data.event)} />
        <Panel padded={false}>
          <EmptyState
            icon={over ? 'medal' : 'clock'}
            title={over ? t('overTitle', { n: set.version }) : t('noResultsTitle')}
            actions={back}>
            {t(over ? 'over' : 'noResults')}
          </EmptyState>
        </Panel>
      </>
    )
  }
  return values.school === '' ? (
    <PreviewChoice event={data.event} set={set} />
  ) : (
    <PreviewPages event={data.event} set={set} />
  )
}
