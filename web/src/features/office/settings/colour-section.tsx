import {
  brandTones,
  builtInColour,
  type ColourCheck,
  colourChecks,
  readColour,
  type Tones,
} from '@podium/contract/brand'
import { colourForm, type foundationSettings, saveColour } from '@podium/contract/office/calls-settings'
import { useId } from 'react'
import type { Answer } from '#shell/call.ts'
import { Icon } from '#ui/icon.tsx'
import { portalName } from '#ui/portal.ts'
import { TextField } from '#ui/text-field.tsx'
import { useSection } from './section.ts'
import { SectionForm, SettingsSection, useMayNot } from './section-form.tsx'
import { words } from './words.ts'

const checkWords = {
  label: 'checkLabel',
  light: 'checkLight',
  dark: 'checkDark',
  darkLabel: 'checkDarkLabel',
} as const

/** The one colour: picked or typed, held against what it must be read on, and shown as it will be. */
export function ColourSection({
  known: { version, colour },
}: {
  known: Answer<typeof foundationSettings>['colour']
}) {
  const t = words.use()
  const mayNot = useMayNot()
  const picker = useId()
  const of = useSection({ schema: colourForm, endpoint: saveColour, known: { colour }, version })
  const typed = of.values.colour
  const shown = typed.trim() === '' ? builtInColour : readColour(typed)
  const checks = shown === undefined ? [] : colourChecks(shown)
  return (
    <SettingsSection id="colour" title={t('colour')} says={t('colourSays')}>
      <SectionForm
        of={of}
        onSave={() => void of.save(of.values)}
        builtIn={{
          label: t('colourBuiltIn'),
          is: colour === '',
          says: t('isBuiltIn'),
          onBack: () => void of.save({ colour: '' }),
        }}
      >
        <div className="set-colour">
          <div className="f">
            <label htmlFor={picker}>{t('colourPick')}</label>
            <input
              id={picker}
              type="color"
              className="set-picker"
              value={shown ?? builtInColour}
              disabled={mayNot !== undefined}
              onChange={(event) => of.set('colour', event.currentTarget.value)}
            />
          </div>
          <TextField
            label={t('colourHex')}
            hint={t('colourHint', { colour: builtInColour })}
            placeholder={builtInColour}
            spellCheck={false}
            autoComplete="off"
            readOnly={mayNot !== undefined}
            {...(of.changed.length > 0 ? { aside: <span className="set-changed">{t('changed')}</span> } : {})}
            {...of.text('colour')}
          />
        </div>
        {shown === undefined ? (
          <p className="quiet">{t('colourNone')}</p>
        ) : (
          <>
            <ul className="set-checks" aria-live="polite">
              {checks.map((check) => (
                <Check key={check.kind} of={check} />
              ))}
            </ul>
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
  // Rounded down: 4.46 is not 4.5.
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

/** A head, a button and a link in the tones of a colour. */
function Sample({ label, tones, ground }: { label: string; tones: Tones; ground: 'light' | 'dark' }) {
  const t = words.use()
  return (
    <figure className={`set-sample ${ground}`}>
      <figcaption>{label}</figcaption>
      <div aria-hidden="true">
        <div className="set-sample-head" style={{ background: tones.header }}>
          {portalName()}
        </div>
        <div className="set-sample-page">
          <span
            className="set-sample-button"
            style={{ background: tones.primary, color: tones['on-primary'] }}
          >
            {t('sampleButton')}
          </span>
          <span style={{ color: tones.link, textDecoration: 'underline' }}>{t('sampleLink')}</span>
          <span
            className="set-sample-chip"
            style={{ background: tones['primary-tint'], color: tones['on-tint'] }}
          >
            {t('sampleChip')}
          </span>
        </div>
      </div>
    </figure>
  )
}
