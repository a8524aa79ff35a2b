import {
  type foundationSettings,
  identityForm,
  saveIdentity,
  saveSupport,
  supportForm,
} from '@podium/contract/office/calls-settings'
import type { Answer } from '#shell/call.ts'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { useSection } from './section.ts'
import { SectionForm, SettingsSection, useMayNot } from './section-form.tsx'
import { words } from './words.ts'

type Settings = Answer<typeof foundationSettings>

/** Marks of a field: whether it is changed, and what somebody else has saved in it meanwhile. */
function useMarks({
  changed,
  theirs,
}: {
  changed: readonly string[]
  theirs: Readonly<Record<string, string | undefined>>
}) {
  const t = words.use()
  const readOnly = useMayNot() !== undefined
  return (name: string, hint?: string) => {
    const other = theirs[name]
    const said = other === undefined ? hint : t('theirs', { value: other || t('nothing') })
    return {
      readOnly,
      autoComplete: 'off',
      ...(said ? { hint: said } : {}),
      ...(changed.includes(name) ? { aside: <span className="set-changed">{t('changed')}</span> } : {}),
    }
  }
}

/** The names of the foundation and where it is. */
export function IdentitySection({ known: { version, ...known } }: { known: Settings['identity'] }) {
  const t = words.use()
  const of = useSection({ schema: identityForm, endpoint: saveIdentity, known, version })
  const mark = useMarks(of)
  return (
    <SettingsSection id="foundation" title={t('foundation')} says={t('foundationSays')}>
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

/** How schools and families reach the foundation. */
export function SupportSection({ known: { version, ...known } }: { known: Settings['support'] }) {
  const t = words.use()
  const of = useSection({ schema: supportForm, endpoint: saveSupport, known, version })
  const mark = useMarks(of)
  return (
    <SettingsSection id="support" title={t('support')} says={t('supportSays')}>
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
