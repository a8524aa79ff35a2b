import type { ClockName, Incident } from '@podium/contract/incidents'
import { lazy, Suspense, useState } from 'react'
import { useReason } from '#shell/allowance.ts'
import { Moment } from '#shell/format.tsx'
import { Button } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import { ClockBadge } from './clock.tsx'
import { words } from './words.ts'

const ReportDialog = lazy(() => import('./report-dialog.tsx').then((m) => ({ default: m.ReportDialog })))

/** The two clocks of the law, with what became of each report. */
export function Clocks({ incident }: { incident: Incident }) {
  const t = words.use()
  const reason = useReason(t('mayNotWrite'))
  const [noting, setNoting] = useState<ClockName>()
  return (
    <Panel title={t('clocks')} padded={false}>
      <ul className="incident-clocks">
        {incident.clocks.map((clock) => (
          <li key={clock.name}>
            <div>
              <h3>{t(`clock_${clock.name}`)}</h3>
              <p className="hint">{t(`clockSays_${clock.name}`)}</p>
            </div>
            <p>
              <ClockBadge clock={clock} />
              <span className="under">
                {t('dueBy')} <Moment value={clock.dueAt} />
              </span>
            </p>
            <div>
              {clock.outcome !== '' && (
                <p className="incident-note">
                  {clock.note}
                  <span className="under">
                    {clock.by}, <Moment value={clock.at} />
                  </span>
                </p>
              )}
              <Button
                disabled={reason(incident.can.change)}
                aria-label={`${t(clock.outcome === '' ? 'noteReport' : 'noteAgain')}: ${t(`clock_${clock.name}`)}`}
                onClick={() => setNoting(clock.name)}
              >
                {t(clock.outcome === '' ? 'noteReport' : 'noteAgain')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Suspense>
        {noting && <ReportDialog incident={incident} clock={noting} onClose={() => setNoting(undefined)} />}
      </Suspense>
    </Panel>
  )
}
