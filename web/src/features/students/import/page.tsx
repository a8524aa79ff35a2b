import './progress.css'
import './desk.css'
import { Link } from '@tanstack/react-router'
import { useFilters } from '#shell/filters.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useSeason } from '#shell/season.ts'
import { buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useDesk } from './data.ts'
import { deskFilters } from './filters.ts'
import { ImportOutcome } from './progress-outcome.tsx'
import { useImportProgress } from './progress-state.ts'
import { DeskStart } from './start.tsx'
import { DeskSteps, FaultsButton } from './steps.tsx'
import { deskWords } from './words.ts'

/** The import desk: a file of students from choosing it to taking it back, and the history of all. */
export function DeskPage() {
  const t = deskWords.use()
  const season = useSeason()
  const { values } = useFilters(deskFilters)
  return (
    <>
      {values.import === '' ? (
        <>
          <PageHeader title={t('title')} fact={t('factStart', { season })}>
            <BackToStudents />
          </PageHeader>
          <DeskStart key={season} season={season} />
        </>
      ) : (
        <OneImport key={values.import} importId={values.import} />
      )}
    </>
  )
}

function BackToStudents() {
  const t = deskWords.use()
  return (
    <Link to={paths.studentEntry} className={buttonClass('secondary')}>
      <Icon name="left" small />
      {t('back')}
    </Link>
  )
}

function OneImport({ importId }: { importId: string }) {
  const t = deskWords.use()
  const { progress, error } = useImportProgress(importId)
  const open = progress?.state === 'checked'
  const rest = progress?.rest ?? ''
  // Of an import that has ended the rows that it left behind are corrected here, in the import in which they wait.
  const desk = useDesk(progress?.source === 'file' ? rest || importId : '')
  const { preview } = desk
  return (
    <>
      <PageHeader
        title={t('title')}
        fact={
          preview
            ? t('fact', { name: preview.fileName, n: preview.rowCount, season: preview.season })
            : '\u00a0'
        }
      >
        <Link to={paths.importDesk} className={buttonClass('secondary')}>
          {t('another')}
        </Link>
        <BackToStudents />
      </PageHeader>
      {error || (open && desk.error) ? (
        <Panel padded={false}>
          <LoadProblem error={error ?? desk.error ?? new Error()} retry={desk.reload} />
        </Panel>
      ) : progress && !open ? (
        <div className="stack">
          <Panel>
            <div className="stack">
              <ImportOutcome importId={importId}>
                {rest === '' && preview && preview.badCount + preview.askedCount > 0 && (
                  <FaultsButton importId={importId} n={preview.badCount + preview.askedCount} />
                )}
              </ImportOutcome>
            </div>
          </Panel>
          {rest !== '' && preview?.importId === rest && (
            <section className="stack">
              <h2>{t('restTitle', { n: preview.rowCount })}</h2>
              <DeskSteps desk={desk} preview={preview} />
            </section>
          )}
        </div>
      ) : preview && open ? (
        <DeskSteps desk={desk} preview={preview} />
      ) : (
        <Panel>
          <Skeleton shape="table" rows={6} />
        </Panel>
      )}
    </>
  )
}
