import { brandTones } from '@podium/contract/brand'
import {
  type foundationSettings,
  mostLogoBytes,
  removeLogo,
  saveLogo,
  specimen,
} from '@podium/contract/office/calls-settings'
import { useEffect, useRef, useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'
import { openFile } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { LogoMark } from '#shell/logo.tsx'
import { useInvalidate } from '#shell/query.ts'
import { tellRefusal } from '#shell/tell-refusal.ts'
import { Button } from '#ui/button.tsx'
import { FileField } from '#ui/file-field.tsx'
import { portalName } from '#ui/portal.ts'
import { toast } from '#ui/toast.tsx'
import { shownOfSettings } from './section.ts'
import { SectionForm, SettingsSection, useMayNot } from './section-form.tsx'
import { words } from './words.ts'

/** The address of a chosen file's picture, until another is chosen. */
function usePicture(file: File | null): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!file) return setAddress(undefined)
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}

/** Saving and removing, with their refusals in words. */
function useLogo(version: number) {
  const t = words.use()
  const say = useSentences()
  const renew = useInvalidate(shownOfSettings)
  const element = useRef<HTMLFormElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [fields, setFields] = useState(0)
  const [error, setError] = useState<string>()
  const [saving, setSaving] = useState(false)
  const choose = (chosen: File | null) => {
    setFile(chosen)
    setError(undefined)
  }
  const clear = () => {
    choose(null)
    setFields((before) => before + 1)
  }
  const send = async (sending: () => Promise<unknown>, done: string) => {
    setSaving(true)
    setError(undefined)
    try {
      await sending()
      clear()
      await renew()
      toast.success(done)
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      const meanwhile = cause.code === 'changed_meanwhile'
      if (meanwhile) await renew()
      setError(meanwhile ? t('meanwhileLogo') : say(cause.message))
    } finally {
      setSaving(false)
    }
  }
  return {
    file,
    fields,
    error,
    choose,
    section: {
      changed: file ? ['logo'] : [],
      errors: {},
      problem: undefined,
      saving,
      element,
      discard: clear,
    },
    save: () => {
      if (file && file.size > mostLogoBytes) return setError(t('logoTooLarge'))
      if (file) void send(() => call(saveLogo, { query: { version: String(version) }, file }), t('saved'))
    },
    remove: () => void send(() => call(removeLogo, { body: { version } }), t('logoRemoved')),
  }
}

/** The logo, as it is and as the chosen one would be: on light and dark pages and on paper. */
export function LogoSection({
  known,
  colour,
}: {
  known: Answer<typeof foundationSettings>['logo']
  /** The foundation's own; '' for the built-in one */
  colour: string
}) {
  const t = words.use()
  const mayNot = useMayNot()
  const of = useLogo(known.version)
  const chosen = usePicture(of.file)
  const shown = chosen ?? (known.address || undefined)
  const tones = colour === '' ? undefined : brandTones(colour)
  const print = () => openFile(specimen).catch(tellRefusal)
  return (
    <SettingsSection id="logo" title={t('logo')} says={t('logoSays')}>
      <SectionForm
        of={of.section}
        onSave={of.save}
        builtIn={{
          label: t('logoBuiltIn'),
          is: known.address === '',
          says: t('isBuiltInMark'),
          onBack: of.remove,
        }}
      >
        <div className="set-logos">
          <LogoSample label={t('lightPages')} ground="light" src={shown} head={tones?.light.header} />
          <LogoSample label={t('darkPages')} ground="dark" src={shown} head={tones?.dark.header} />
          <LogoSample label={t('onPaper')} ground="printed" src={shown} />
        </div>
        {mayNot === undefined && (
          <FileField
            key={of.fields}
            label={t('logoFile')}
            hint={t('logoHint')}
            accept="image/png,image/jpeg,image/webp"
            onChange={of.choose}
            error={of.error}
          />
        )}
        <p>
          <Button kind="text" icon="print" onClick={() => void print()}>
            {t('specimen')}
          </Button>
        </p>
      </SectionForm>
    </SettingsSection>
  )
}

function LogoSample({
  label,
  ground,
  src,
  head,
}: {
  label: string
  ground: 'light' | 'dark' | 'printed'
  src: string | undefined
  /** The ground of a page's head in the foundation's own colour */
  head?: string | undefined
}) {
  const t = words.use()
  return (
    <figure className={`set-logo ${ground}`}>
      <figcaption>{label}</figcaption>
      <div style={{ background: head }}>
        <span className="logo">
          {src ? <img src={src} alt={t('logoOf', { where: label })} /> : <LogoMark />}
          <span>{portalName()}</span>
        </span>
      </div>
    </figure>
  )
}
