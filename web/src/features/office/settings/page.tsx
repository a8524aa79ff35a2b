import {
  brandTones,
  builtInColour,
  type ColourCheck,
  colourChecks,
  readColour,
  type Tones,
} from '@podium/contract/brand'
import {
  colourForm,
  foundationSettings,
  identityForm,
  limitsForm,
  saveColour,
  saveIdentity,
  saveLimits,
  saveSupport,
  supportForm,
} from '@podium/contract/office/calls-settings'
import {
  adjustableLimits,
  type FoundationLimits,
  type LimitKey,
  limitKeys,
} from '@podium/contract/office/rules-limits'
import { useEffect, useId, useRef } from 'react'
import { applyBranding } from '#shell/branding.ts'
import type { Answer } from '#shell/call.ts'
import { count } from '#shell/format.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { PageProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { IconButton } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Note } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { portalName } from '#ui/portal.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { Fold, SectionForm, SettingsSection, useSection, useWriteRefusal } from './section-form.tsx'
import { LogoSection, ReasonsSection } from './sections.tsx'
import { words } from './words.ts'
import './settings.css'

const checkWords = {
  label: 'checkLabel',
  light: 'checkLight',
  dark: 'checkDark',
  darkLabel: 'checkDarkLabel',
} as const

/** The brand colour: picked or typed, checked for contrast and previewed. */
function ColourSection({
  known: { version, colour },
}: {
  known: Answer<typeof foundationSettings>['colour']
}) {
  const t = words.use()
  const disabledReason = useWriteRefusal()
  const picker = useId()
  const of = useSection({ schema: colourForm, endpoint: saveColour, known: { colour }, version })
  const typed = of.values.colour
  const shown = typed.trim() === '' ? builtInColour : readColour(typed)
  const checks = shown === undefined ? [] : colourChecks(shown)
  const bad = checks.filter(({ enough }) => !enough).length
  return (
    <SettingsSection id="colour" title={t('colour')} description={t('colourDescription')}>
      <SectionForm
        of={of}
        onSave={() => void of.save(of.values)}
        builtIn={{
          label: t('colourBuiltIn'),
          is: colour === '',
          reason: t('isBuiltIn'),
          onBack: () => void of.save({ colour: '' }),
        }}>
        <div className="set-colour">
          <div className="f">
            <label htmlFor={picker}>{t('colourPick')}</label>
            <input
              id={picker}
              type="color"
              className="set-picker"
              value={shown ?? builtInColour}
              disabled={disabledReason !== undefined}
              onChange={(event) => of.set('colour', event.currentTarget.value)}
            />
          </div>
          <TextField
            label={t('colourHex')}
            hint={t('colourHint', { colour: builtInColour })}
            placeholder={builtInColour}
            spellCheck={false}
            autoComplete="off"
            readOnly={disabledReason !== undefined}
            {...(of.changed.length > 0 ? { aside: <span className="set-changed">{t('changed')}</span> } : {})}
            {...of.text('colour')}
          />
        </div>
        {shown === undefined ? (
          <p className="quiet">{t('colourNone')}</p>
        ) : (
          <>
            <Fold summary={bad === 0 ? t('checksGood') : t('checksBad', { n: bad })} wrong={bad > 0}>
              <ul className="set-checks stack gap-2" aria-live="polite">
                {checks.map((check) => (
                  <Check key={check.kind} of={check} />
                ))}
              </ul>
            </Fold>
            <div className="set-samples">
              <Sample label={t('lightPages')} tones={brandTones(shown).light} ground="light" />
              <Sample label={t('darkPages')} tones={brandTones(shown).dark} ground="dark" />
            </div>
          </>
        )}
      </SectionForm>
    </SettingsSection>
  )
}

function Check({ of: { kind, ink, ground, ratio, enough } }: { of: ColourCheck }) {
  const t = words.use()
  // Round down: 4.46 must not show as 4.5.
  const shown = (Math.floor(ratio * 10) / 10).toFixed(1)
  return (
    <li className={enough ? '' : 'bad'}>
      <span className="set-aa" style={{ color: ink, background: ground }} aria-hidden="true">
        {t('letters')}
      </span>
      <span>{t(checkWords[kind])}</span>
      <span className="num">{t('ratio', { ratio: shown })}</span>
      <span>
        <Icon name={enough ? 'ok' : 'warning'} />
        <span className="sr">{enough ? t('enough') : t('tooLittle')}</span>
      </span>
    </li>
  )
}

/** A sample page head, button and link in the tones of a colour. */
function Sample({ label, tones, ground }: { label: string; tones: Tones; ground: 'light' | 'dark' }) {
  const t = words.use()
  return (
    <figure className={`set-sample ${ground}`}>
      <figcaption>{label}</figcaption>
      <div aria-hidden="true">
        <div className="set-sample-head" style={{ background: tones.header }}>
          {portalName()}
        </div>
        <div className="set-sample-page row">
          <span
            className="set-sample-button"
            style={{ background: tones.primary, color: tones['on-primary'] }}>
            {t('sampleButton')}
          </span>
          <span style={{ color: tones.link, textDecoration: 'underline' }}>{t('sampleLink')}</span>
          <span
            className="set-sample-chip"
            style={{ background: tones['primary-tint'], color: tones['on-tint'] }}>
            {t('sampleChip')}
          </span>
        </div>
      </div>
    </figure>
  )
}

const asTexts = (limits: Readonly<FoundationLimits>) =>
  Object.fromEntries(limitKeys.map((key) => [key, String(limits[key])])) as Record<LimitKey, string>

const builtIn = asTexts(
  Object.fromEntries(limitKeys.map((key) => [key, adjustableLimits[key].builtIn])) as FoundationLimits,
)

/** The adjustable limits, each with its bounds and effect. */
function LimitsSection({
  known: { version, ...known },
}: {
  known: Answer<typeof foundationSettings>['limits']
}) {
  const t = words.use()
  const disabledReason = useWriteRefusal()
  const of = useSection({ schema: limitsForm, endpoint: saveLimits, known: asTexts(known), version })
  const { savedMeanwhile } = of
  const moved = limitKeys.filter((key) => String(known[key]) !== builtIn[key]).length
  const wrong =
    Object.keys(of.errors).length + Object.keys(savedMeanwhile).length > 0 || of.problem !== undefined
  return (
    <SettingsSection id="limits" title={t('limits')} description={t('limitsHint')}>
      <Fold summary={moved === 0 ? t('isBuiltInLimits') : t('limitsMoved', { n: moved })} wrong={wrong}>
        <SectionForm
          of={of}
          onSave={() => void of.save(of.values)}
          builtIn={{
            label: t('limitsBuiltIn'),
            is: moved === 0,
            reason: t('isBuiltInLimits'),
            onBack: () => void of.save(builtIn),
          }}>
          <ul className="set-limits stack">
            {limitKeys.map((key) => {
              const { least, most } = adjustableLimits[key]
              const theirValue = savedMeanwhile[key]
              const bounds = t('bounds', {
                least: count(least),
                most: count(most),
                builtIn: count(adjustableLimits[key].builtIn),
              })
              return (
                <li key={key}>
                  <TextField
                    label={t(`limit_${key}`)}
                    hint={
                      <>
                        {t(`limit_${key}_hint`)} <span className="nowrap">{bounds}</span>
                        {theirValue !== undefined && ` ${t('nowSaved', { value: theirValue })}`}
                      </>
                    }
                    inputMode="numeric"
                    autoComplete="off"
                    readOnly={disabledReason !== undefined}
                    {...(of.changed.includes(key)
                      ? { aside: <span className="set-changed">{t('changed')}</span> }
                      : {})}
                    {...of.text(key)}
                  />
                  {of.values[key] !== builtIn[key] && disabledReason === undefined && (
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
      </Fold>
    </SettingsSection>
  )
}

type Settings = Answer<typeof foundationSettings>

/** Applies changes of name, logo and colour to the open page at once. */
function useBrandingPreview(settings: Settings | undefined): void {
  const before = useRef<string>(undefined)
  useEffect(() => {
    if (!settings) return
    const { identity, logo, colour } = settings
    const now = JSON.stringify([identity.version, logo.version, colour.version])
    if (before.current !== undefined && before.current !== now)
      applyBranding({ name: identity.shortName || identity.name, logo })
    before.current = now
  }, [settings])
}

/** The settings page: name, branding and contacts of the foundation, and its limits. */
export function SettingsPage() {
  const t = words.use()
  const disabledReason = useWriteRefusal()
  const settings = useEndpoint(foundationSettings)
  useBrandingPreview(settings.data)
  if (settings.error && !settings.data)
    return <PageProblem title={t('settings')} error={settings.error} retry={settings.refetch} />
  return (
    <>
      <PageHeader title={t('settings')} fact={t('settingsFact')} />
      {settings.data ? (
        <div className="settings">
          <div className="set-sections stack gap-6">
            {disabledReason && <Note>{disabledReason}</Note>}
            <IdentitySection known={settings.data.identity} />
            <LogoSection known={settings.data.logo} colour={settings.data.colour.colour} />
            <ColourSection known={settings.data.colour} />
            <SupportSection known={settings.data.support} />
            <LimitsSection known={settings.data.limits} />
            <ReasonsSection />
          </div>
          <RecordHistory kind="foundation" id={1} />
        </div>
      ) : (
        <Skeleton shape="form" />
      )}
    </>
  )
}

/** Returns a field's marks: that it is changed, and the value that someone else has saved in the meantime. */
function useMarks({
  changed,
  savedMeanwhile,
}: {
  changed: readonly string[]
  savedMeanwhile: Readonly<Record<string, string | undefined>>
}) {
  const t = words.use()
  const readOnly = useWriteRefusal() !== undefined
  return (name: string, hint?: string) => {
    const theirValue = savedMeanwhile[name]
    const note = theirValue === undefined ? hint : t('nowSaved', { value: theirValue || t('nothing') })
    return {
      readOnly,
      autoComplete: 'off',
      ...(note ? { hint: note } : {}),
      ...(changed.includes(name) ? { aside: <span className="set-changed">{t('changed')}</span> } : {}),
    }
  }
}

/** The names and the location of the foundation. */
function IdentitySection({ known: { version, ...known } }: { known: Settings['identity'] }) {
  const t = words.use()
  const of = useSection({ schema: identityForm, endpoint: saveIdentity, known, version })
  const mark = useMarks(of)
  return (
    <SettingsSection id="foundation" title={t('foundation')} description={t('foundationHint')}>
      <SectionForm of={of} onSave={() => void of.save(of.values)}>
        <TextField label={t('name')} maxLength={120} {...mark('name', t('nameHint'))} {...of.text('name')} />
        <TextField
          label={t('shortName')}
          optional
          maxLength={30}
          {...mark('shortName', t('shortNameHint'))}
          {...of.text('shortName')}
        />
        <TextArea
          label={t('postalAddress')}
          optional
          rows={4}
          {...mark('postalAddress', t('postalAddressHint'))}
          {...of.text('postalAddress')}
        />
        <TextField
          label={t('website')}
          optional
          type="url"
          placeholder={t('websiteStart')}
          {...mark('website')}
          {...of.text('website')}
        />
      </SectionForm>
    </SettingsSection>
  )
}

/** The contacts for schools and families. */
function SupportSection({ known: { version, ...known } }: { known: Settings['support'] }) {
  const t = words.use()
  const of = useSection({ schema: supportForm, endpoint: saveSupport, known, version })
  const mark = useMarks(of)
  return (
    <SettingsSection id="support" title={t('support')} description={t('supportHint')}>
      <SectionForm of={of} onSave={() => void of.save(of.values)}>
        <TextField label={t('phone')} type="tel" {...mark('phone')} {...of.text('phone')} />
        <TextField label={t('email')} type="email" {...mark('email')} {...of.text('email')} />
        <TextField
          label={t('hours')}
          maxLength={120}
          {...mark('hours', t('hoursHint'))}
          {...of.text('hours')}
        />
        <TextField
          label={t('hoursHi')}
          optional
          lang="hi"
          maxLength={120}
          {...mark('hoursHi', t('hoursHiHint'))}
          {...of.text('hoursHi')}
        />
      </SectionForm>
    </SettingsSection>
  )
}
