import type { RulesVersion } from '@podium/contract/results/calls-what-if'
import { Moment } from '#shell/format.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import type { RulesOne } from './use-rules.ts'
import { rulesWords } from './words.ts'

/** Every version of the rules: who, when, why; any of them can be put back into the form. */
export function Versions({ of, onTake }: { of: RulesOne; onTake: (version: RulesVersion) => void }) {
  const t = rulesWords.use()
  return (
    <Panel title={t('versions')}>
      <ul className="cat-versions">
        {of.versions.map((version) => (
          <li key={version.version}>
            <span>
              <b>{t('version', { n: version.version })}</b>{' '}
              {version.version === of.rulesVersion && <Badge kind="active">{t('now')}</Badge>}
              <span className="under">
                {version.savedAt ? (
                  <>
                    <Moment value={version.savedAt} /> · {version.savedBy}
                  </>
                ) : (
                  t('first')
                )}
                {version.note !== '' && ` · ${version.note}`}
              </span>
            </span>
            <Button kind="text" onClick={() => onTake(version)}>
              {t('take')}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
