import './overview.css'
import { mayUse } from '#shell/guard.ts'
import { useSeason } from '#shell/season.ts'
import { PageHeader } from '#ui/panel.tsx'
import { FewNudges } from './nudges.tsx'
import { Progress } from './progress.tsx'
import { WaitingTiles } from './waiting.tsx'
import { words } from './words.ts'

/** The office's first page: what waits, how the season goes, and which schools need a reminder. */
export function CockpitPage() {
  const t = words.use()
  const season = useSeason()
  return (
    <>
      <PageHeader title={t('overview')} fact={t('overviewFact', { season })} />
      <div className="cockpit in-order">
        <WaitingTiles />
        <Progress key={season} />
        {mayUse('schools.read') && <FewNudges />}
      </div>
    </>
  )
}
