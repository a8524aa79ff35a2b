import { Button } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import { ImportOutcome } from '../import/progress-outcome.tsx'
import { isMoving, rememberImport, useImportProgress } from '../import/progress-state.ts'
import { ImportStop } from '../import/progress-stop.tsx'
import { gridWords } from './words.ts'

/** How far an entry is and what came of it, above the grid; it goes on when the page is left. */
export function GridRunning({ importId }: { importId: string }) {
  const t = gridWords.use()
  const { progress } = useImportProgress(importId)
  if (importId === '' || !progress || progress.state === 'checked') return null
  const moving = isMoving(progress.state)
  return (
    <div className="gr-running">
      <Panel>
        <div className="gr-run">
          <ImportOutcome importId={importId} />
          <div className="acts">
            {moving ? (
              <ImportStop importId={importId} />
            ) : (
              <Button onClick={() => rememberImport(undefined)}>{t('next')}</Button>
            )}
          </div>
        </div>
      </Panel>
    </div>
  )
}
