import { Link } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import { ImportOutcome } from '../import/progress-outcome.tsx'
import { type ImportProgress, isMoving, rememberImport } from '../import/progress-state.ts'
import { carryWords } from './words.ts'

interface RunningProps {
  importId: string
  progress: ImportProgress | undefined
}

/** How far the carrying over is and what came of it; it goes on when the page is left. */
export function CarryRunning({ importId, progress }: RunningProps) {
  const t = carryWords.use()
  const moving = isMoving(progress?.state)
  return (
    <Panel>
      <div className="cy-run">
        <ImportOutcome importId={importId}>
          {!moving && progress && (
            <button
              type="button"
              className={buttonClass('secondary')}
              onClick={() => rememberImport(undefined)}
            >
              {t('again')}
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
