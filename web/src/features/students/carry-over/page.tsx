import type { Season } from '@podium/contract/season'
import { Link } from '@tanstack/react-router'
import { CallError } from '#shell/call.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useSeason } from '#shell/season.ts'
import { buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { EntriesClosed } from '../entry/students-filters.tsx'
import { ImportOutcome } from '../import/progress-outcome.tsx'
import {
  type ImportProgress,
  isImportRunning,
  rememberImport,
  useImportProgress,
  useStartedImport,
} from '../import/progress-state.ts'
import { CarryList } from './list.tsx'
import { useCarry } from './state.ts'
import { carryWords } from './words.ts'
import '../import/desk.css'
import './carry-over.css'

/**
 * Last season's students, one class higher: reviewed as a list of differences, corrected in place, entered at once.
 */
export function CarryPage() {
  const season = useSeason()
  return <Carry key={season} season={season} />
}

function Carry({ season }: { season: Season }) {
  const t = carryWords.use()
  const started = useStartedImport()
  const { progress } = useImportProgress(started)
  const running = started !== '' && (progress === undefined || progress.source === 'carry-over')
  const carry = useCarry(season, !running)
  const { preview, error } = carry
  return (
    <>
      <PageHeader
        title={t('title')}
        fact={preview && !running ? t('fact', { from: preview.fromSeason, season }) : '\u00a0'}>
        {!running && (
          <Link to={paths.studentEntry} className={buttonClass('secondary')}>
            <Icon name="left" small />
            {t('back')}
          </Link>
        )}
      </PageHeader>
      {running ? (
        <CarryRunning importId={started} progress={progress} />
      ) : error && !preview ? (
        error instanceof CallError && error.code === 'enrolment.season_closed' ? (
          <EntriesClosed season={season} />
        ) : (
          <Panel padded={false}>
            <LoadProblem error={error} retry={carry.reload} />
          </Panel>
        )
      ) : !preview ? (
        <Panel>
          <Skeleton shape="table" rows={8} />
        </Panel>
      ) : preview.rows.length === 0 ? (
        <Panel padded={false}>
          <EmptyState icon="users" title={t('emptyTitle')}>
            {t('emptyText', { from: preview.fromSeason })}
          </EmptyState>
        </Panel>
      ) : (
        <CarryList season={season} carry={carry} preview={preview} />
      )}
    </>
  )
}

/** The progress and outcome of carrying over, which continues when the user leaves the page. */
function CarryRunning({ importId, progress }: { importId: string; progress: ImportProgress | undefined }) {
  const t = carryWords.use()
  const moving = isImportRunning(progress?.state)
  return (
    <Panel>
      <div className="cy-run stack gap-4">
        <ImportOutcome importId={importId}>
          {!moving && progress && (
            <button
              type="button"
              className={buttonClass('secondary')}
              onClick={() => rememberImport(undefined)}>
              {t(progress.undone ? 'afresh' : 'again')}
            </button>
          )}
        </ImportOutcome>
        {moving && (
          <Link to={paths.studentEntry} className="lk">
            {t('to')}
          </Link>
        )}
      </div>
    </Panel>
  )
}
