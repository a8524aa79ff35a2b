import { lazyPart } from '#ui/lazy-part.ts'
import '../import/desk.css'
import './grid.css'
import type { Season } from '@podium/contract/season'
import { Link } from '@tanstack/react-router'
import { Suspense, startTransition, useState } from 'react'
import { LateNote } from '#shell/late/late-note.tsx'
import { PanelProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useSeason } from '#shell/season.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { hideAfterSkeleton, Skeleton } from '#ui/skeleton.tsx'
import { LikelyNote, type SavedStudent } from '../entry/likely-note.tsx'
import { EntriesClosed } from '../entry/students-filters.tsx'
import { useEntryOffers } from '../entry/use-entry-offers.ts'
import { ImportOutcome } from '../import/progress-outcome.tsx'
import { rememberImport, useImportProgress, useStartedImport } from '../import/progress-state.ts'
import { GridEditor } from './editor.tsx'
import { gridWords } from './words.ts'

const StudentDialog = lazyPart(() => import('../entry/student-dialog.tsx'), 'StudentDialog')

/** Students typed or pasted into a grid, corrected in the cells, entered at once. */
export function GridPage() {
  const season = useSeason()
  return <GridEntry key={season} season={season} />
}

function GridEntry({ season }: { season: Season }) {
  const t = gridWords.use()
  const started = useStartedImport()
  const { catalogue, open, error, retry } = useEntryOffers(season)
  const [adding, setAdding] = useState(false)
  const [saved, setSaved] = useState<SavedStudent>()
  const add = () => startTransition(() => setAdding(true))
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact', { season })}>
        <Link to={paths.studentEntry} className={buttonClass('secondary')}>
          <Icon name="left" small />
          {t('back')}
        </Link>
        <Button icon="plus" disabled={open === false ? t('closedText', { season }) : undefined} onClick={add}>
          {t('oneByOne')}
        </Button>
      </PageHeader>
      {saved && <LikelyNote saved={saved} onDismiss={() => setSaved(undefined)} />}
      <div ref={hideAfterSkeleton}>
        <LateNote season={season} />
        <GridRunning importId={started} />
        {error && !catalogue ? (
          <PanelProblem error={error} retry={retry} />
        ) : !catalogue ? (
          <Panel>
            <Skeleton shape="table" rows={8} />
          </Panel>
        ) : open === false ? (
          <EntriesClosed season={season} />
        ) : (
          <GridEditor season={season} catalogue={catalogue} importId={started} refresh={retry} />
        )}
      </div>
      <Suspense>
        {adding && (
          <StudentDialog
            season={season}
            start={{ classId: '', section: '' }}
            onSaved={setSaved}
            onClose={() => setAdding(false)}
          />
        )}
      </Suspense>
    </>
  )
}

/**
 * The progress and outcome of an entry, above the grid. It continues when the user leaves the page. Other imports of this
 * tab have pages of their own.
 */
function GridRunning({ importId }: { importId: string }) {
  const t = gridWords.use()
  const { progress } = useImportProgress(importId)
  if (progress?.source !== 'grid' || progress.state === 'checked') return null
  return (
    <div className="row mb-3">
      <ImportOutcome importId={importId}>
        <Button kind="text" onClick={() => rememberImport(undefined)}>
          {t('dismiss')}
        </Button>
      </ImportOutcome>
    </div>
  )
}
