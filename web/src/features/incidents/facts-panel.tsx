import type { Incident } from '@podium/contract/incidents'
import { Moment } from '#shell/format.tsx'
import { Panel } from '#ui/panel.tsx'
import { words } from './words.ts'

const texts = ['happened', 'extent', 'consequences', 'measures', 'safety', 'contact'] as const

/** What is known of a breach, in the order in which the law asks for it. */
export function Facts({ incident }: { incident: Incident }) {
  const t = words.use()
  return (
    <Panel title={t('facts')}>
      <dl className="incident-facts">
        <div>
          <dt>{t('nature')}</dt>
          <dd>{t(`nature_${incident.nature}`)}</dd>
        </div>
        <div>
          <dt>{t('found')}</dt>
          <dd>
            <Moment value={incident.foundAt} />
          </dd>
        </div>
        <div>
          <dt>{t('began')}</dt>
          <dd>{incident.beganAt ? <Moment value={incident.beganAt} /> : t('notKnown')}</dd>
        </div>
        {texts.map((name) => (
          <div key={name} className="wide">
            <dt>{t(name)}</dt>
            <dd>{incident[name] || <span className="quiet">{t('notWritten')}</span>}</dd>
          </div>
        ))}
        {incident.state === 'closed' && (
          <div className="wide">
            <dt>{t('conclusion')}</dt>
            <dd>
              {incident.conclusion}
              <span className="under">
                {incident.closedBy}, <Moment value={incident.closedAt} />
              </span>
            </dd>
          </div>
        )}
      </dl>
    </Panel>
  )
}
