import { classes as allClasses, classSpan, replaceClassNames } from '@podium/contract/classes'
import { formatRupees } from '@podium/contract/money'
import type { RulesVersion } from '@podium/contract/results/calls-what-if'
import { type EligibilityRule, type EventRules, rankScopes } from '@podium/contract/results/schemas'
import type { ReactNode } from 'react'
import { count, Moment } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import { type RulesRecord, rulesWords } from './values.ts'

interface Props {
  rules: EventRules
  version: number
  /** Why they can't be edited */
  disabledReason: string | undefined
  onEdit: () => void
}

/** The current rules of an event as sentences. */
export function RulesAsSentences({ rules, version, disabledReason, onEdit }: Props) {
  const t = rulesWords.use()
  const { tieBreak, medals, ladders, nextLevel, onePrize } = rules
  const least = (n: number | undefined) => (n ? t('ruleMinimumPool', { n }) : '')
  return (
    <Panel
      title={t('version', { n: version })}
      aside={
        <Button icon="edit" disabled={disabledReason} onClick={onEdit}>
          {t('edit')}
        </Button>
      }>
      <dl className="cat-rules-text stack gap-4">
        <RulesSection title={t('tieBreak')}>
          {tieBreak.length === 0 ? t('ruleNoTieBreak') : t('ruleTieBreak', { names: tieBreak.join(', ') })}
        </RulesSection>
        <RulesSection title={t('medals')}>
          {medals.length === 0 && t('nothing')}
          {medals.map(({ medal, classRank, minimumPool }) => (
            <p key={`${medal}.${classRank}`}>
              {t('ruleMedal', { medal: t(medal), rank: count(classRank) })}
              {least(minimumPool)}
            </p>
          ))}
        </RulesSection>
        {ladders.map(({ kind, by, minimumPool, places }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list has no name of its own
          <RulesSection key={index} title={t('ruleLadder', { kind: t(kind), by: t(scopeWords[by]) })}>
            {places.map(({ from, to, title, amount }) => (
              <p key={from}>
                <b>{from === to ? count(from) : `${count(from)}–${count(to)}`}</b> {translateSentence(title)}
                {amount > 0 && !title.includes('₹') && `, ${formatRupees(amount)}`}
              </p>
            ))}
            {minimumPool && <p className="quiet">{t('ruleLadderPool', { n: minimumPool })}</p>}
          </RulesSection>
        ))}
        {ladders.length > 1 && (
          <RulesSection title={t('ladders')}>{t(onePrize ? 'onePrize' : 'ruleManyPrizes')}</RulesSection>
        )}
        <RulesSection title={t('nextLevel')}>
          {nextLevel ? <Next rule={nextLevel} /> : t('ruleNoNextLevel')}
        </RulesSection>
      </dl>
    </Panel>
  )
}

function Next({ rule: { level, classes, clauses } }: { rule: EligibilityRule }) {
  const t = rulesWords.use()
  const all = allClasses.every(({ classId }) => classes.includes(classId))
  return (
    <>
      <p>
        {all
          ? t('ruleNextLevelAll', { level })
          : t('ruleNextLevel', { level, classes: replaceClassNames(classSpan(classes), translateSentence) })}
      </p>
      {clauses.map(({ by, upToRank, percent, minimumPool }) => (
        <p key={`${by}.${upToRank}.${percent}`}>
          {t('ruleClause', { rank: count(upToRank), by: t(scopeWords[by]) })}
          {percent > 0 && t('rulePercent', { percent })}
          {minimumPool > 0 && t('ruleMinimumPool', { n: minimumPool })}
        </p>
      ))}
    </>
  )
}

function RulesSection({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const scopeWords = { class: 'byClass', state: 'byState', zonal: 'byZonal', olympiad: 'byOlympiad' } as const

/** Returns the four rank scopes to choose from. */
export function useScopes() {
  const t = rulesWords.use()
  return rankScopes.map((value) => ({ value, label: t(scopeWords[value]) }))
}

/** Every version of the rules: who, when, why; each can be loaded into the form. */
export function Versions({
  record,
  disabledReason,
  onTake,
}: {
  record: RulesRecord
  disabledReason: string | undefined
  onTake: (version: RulesVersion) => void
}) {
  const t = rulesWords.use()
  return (
    <Panel title={t('versions')}>
      <ul className="cat-versions">
        {record.versions.map((version) => (
          <li key={version.version}>
            <span>
              <b>{t('version', { n: version.version })}</b>{' '}
              {version.version === record.rulesVersion && <Badge kind="active">{t('now')}</Badge>}
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
            <Button kind="text" disabled={disabledReason} onClick={() => onTake(version)}>
              {t('take')}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
