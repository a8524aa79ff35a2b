import { type foundationSettings, limitsForm, saveLimits } from '@podium/contract/office/calls-settings'
import {
  type FoundationLimits,
  type LimitKey,
  limitKeys,
  movableLimits,
} from '@podium/contract/office/rules-limits'
import type { Answer } from '#shell/call.ts'
import { count } from '#shell/format.tsx'
import { IconButton } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useSection } from './section.ts'
import { SectionForm, SettingsSection, useMayNot } from './section-form.tsx'
import { words } from './words.ts'

const asTexts = (limits: Readonly<FoundationLimits>) =>
  Object.fromEntries(limitKeys.map((key) => [key, String(limits[key])])) as Record<LimitKey, string>

const builtIn = asTexts(
  Object.fromEntries(limitKeys.map((key) => [key, movableLimits[key].builtIn])) as FoundationLimits,
)

/** Limits that may be moved, each with its bounds and what it does. */
export function LimitsSection({
  known: { version, ...known },
}: {
  known: Answer<typeof foundationSettings>['limits']
}) {
  const t = words.use()
  const mayNot = useMayNot()
  const of = useSection({ schema: limitsForm, endpoint: saveLimits, known: asTexts(known), version })
  const { theirs } = of
  return (
    <SettingsSection id="limits" title={t('limits')} says={t('limitsSays')}>
      <SectionForm
        of={of}
        onSave={() => void of.save(of.values)}
        builtIn={{
          label: t('limitsBuiltIn'),
          is: limitKeys.every((key) => String(known[key]) === builtIn[key]),
          says: t('isBuiltInLimits'),
          onBack: () => void of.save(builtIn),
        }}
      >
        <ul className="set-limits">
          {limitKeys.map((key) => {
            const { least, most } = movableLimits[key]
            const other = theirs[key]
            const bounds = t('bounds', {
              least: count(least),
              most: count(most),
              builtIn: count(movableLimits[key].builtIn),
            })
            return (
              <li key={key}>
                <TextField
                  label={t(`limit_${key}`)}
                  hint={
                    <>
                      {t(`limit_${key}_says`)} <span className="nowrap">{bounds}</span>
                      {other !== undefined && ` ${t('theirs', { value: other })}`}
                    </>
                  }
                  inputMode="numeric"
                  autoComplete="off"
                  readOnly={mayNot !== undefined}
                  {...(of.changed.includes(key)
                    ? { aside: <span className="set-changed">{t('changed')}</span> }
                    : {})}
                  {...of.text(key)}
                />
                {of.values[key] !== builtIn[key] && mayNot === undefined && (
                  <IconButton
                    icon="undo"
                    label={t('limitBack', { what: t(`limit_${key}`), value: builtIn[key] })}
                    onClick={() => of.set(key, builtIn[key])}
                  />
                )}
              </li>
            )
          })}
        </ul>
      </SectionForm>
    </SettingsSection>
  )
}
