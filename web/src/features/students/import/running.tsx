import type { ImportPreview } from '@podium/contract/students/calls-import-preview'
import { Panel } from '#ui/panel.tsx'
import { FaultsButton } from './faults-button.tsx'
import { ImportOutcome } from './progress-outcome.tsx'
import { type ImportProgress, isMoving } from './progress-state.ts'
import { ImportStop } from './progress-stop.tsx'

interface DeskRunningProps {
  importId: string
  progress: ImportProgress
  preview: ImportPreview | undefined
}

/** How far a confirmed import is, and what came of it: the way to stop it, to take it back, to the rows that stayed behind. */
export function DeskRunning({ importId, progress, preview }: DeskRunningProps) {
  const behind = (preview?.badCount ?? 0) + (preview?.askedCount ?? 0) + progress.refused.length
  return (
    <Panel>
      <div className="stack">
        <ImportOutcome importId={importId} />
        {isMoving(progress.state) ? (
          <div>
            <ImportStop importId={importId} />
          </div>
        ) : (
          preview && behind > 0 && <FaultsButton importId={importId} n={behind} />
        )}
      </div>
    </Panel>
  )
}
