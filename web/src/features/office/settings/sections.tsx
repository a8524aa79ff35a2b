import { brandTones } from '@podium/contract/brand'
import type { WrittenLanguage } from '@podium/contract/languages'
import {
  type foundationSettings,
  maxLogoBytes,
  maxReasons,
  type ReasonKind,
  reasonsForm,
  removeLogo,
  type StandardReason,
  saveLogo,
  saveReasons,
  specimen,
  standardReasons,
} from '@podium/contract/office/calls-settings'
import { useEffect, useRef, useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'
import { openFile } from '#shell/download.ts'
import { focusFirstError } from '#shell/field-focus.ts'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { LogoMark } from '#shell/logo.tsx'
import { useEndpoint, useInvalidate } from '#shell/query.ts'
import { fetchFile } from '#shell/use-downloads.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { FileField } from '#ui/file-field.tsx'
import { portalName } from '#ui/portal.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { Fold, SectionForm, SettingsSection, settingsCalls, useWriteRefusal } from './section-form.tsx'
import { words } from './words.ts'

/** Returns an object URL of the chosen picture, revoked when another is chosen. */
function usePicture(file: File | null): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!file) return setAddress(undefined)
    const objectUrl = URL.createObjectURL(file)
    setAddress(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [file])
  return address
}

/** Saves and removes the logo, with error messages. */
function useLogo(version: number) {
  const t = words.use()
  const translate = useSentences()
  const invalidate = useInvalidate(settingsCalls)
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
      await invalidate()
      toast.success(done)
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      const meanwhile = cause.code === 'changed_meanwhile'
      if (meanwhile) await invalidate()
      setError(meanwhile ? t('meanwhileLogo') : translate(cause.message))
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
      if (file && file.size > maxLogoBytes) return setError(t('logoTooLarge'))
      if (file) void send(() => call(saveLogo, { query: { version: String(version) }, file }), t('saved'))
    },
    remove: () => void send(() => call(removeLogo, { body: { version } }), t('logoRemoved')),
  }
}

/** The logo, current or newly chosen, shown on light and dark pages and on paper. */
export function LogoSection({
  known,
  colour,
}: {
  known: Answer<typeof foundationSettings>['logo']
  /** The foundation's colour; '' for the built-in one */
  colour: string
}) {
  const t = words.use()
  const disabledReason = useWriteRefusal()
  const of = useLogo(known.version)
  const chosen = usePicture(of.file)
  const shown = chosen ?? (known.address || undefined)
  const tones = colour === '' ? undefined : brandTones(colour)
  const print = () => fetchFile(specimen, undefined, openFile)
  return (
    <SettingsSection id="logo" title={t('logo')} description={t('logoDescription')}>
      <SectionForm
        of={of.section}
        onSave={of.save}
        builtIn={{
          label: t('logoBuiltIn'),
          is: known.address === '',
          reason: t('isBuiltInMark'),
          onBack: of.remove,
        }}>
        <div className="set-logos">
          <LogoSample label={t('lightPages')} ground="light" src={shown} head={tones?.light.header} />
          <LogoSample label={t('darkPages')} ground="dark" src={shown} head={tones?.dark.header} />
        </div>
        {disabledReason === undefined && (
          <FileField
            key={of.fields}
            label={t('logoFile')}
            hint={t('logoHint')}
            accept="image/png,image/jpeg,image/webp"
            onChange={of.choose}
            error={of.error}
          />
        )}
        <Fold summary={t('onPaper')} wrong={false}>
          <div className="stack">
            <LogoSample label={t('onPaper')} ground="printed" src={shown} />
            <p>
              <Button kind="text" icon="print" onClick={() => void print()}>
                {t('specimen')}
              </Button>
            </p>
          </div>
        </Fold>
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
  /** Background of the page head in the foundation's colour */
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

/** The standard reasons that dialogs offer: a collapsed list for each kind of decision. */
export function ReasonsSection() {
  const t = words.use()
  const lists = useEndpoint(standardReasons)
  return (
    <SettingsSection id="reasons" title={t('reasons')} description={t('reasonsHint')}>
      <div className="set-reasons">
        {lists.data?.data.map((list) => (
          <ReasonList key={list.kind} known={list} />
        ))}
        {lists.isPending && <Skeleton shape="text" rows={5} />}
        {lists.isError && !lists.data && <LoadProblem error={lists.error} retry={lists.refetch} />}
      </div>
    </SettingsSection>
  )
}

type SavedReasons = Answer<typeof standardReasons>['data'][number]
type Row = StandardReason & { key: number }

let keys = 0
const rowsOf = (reasons: readonly StandardReason[]): Row[] =>
  reasons.map((reason) => ({ ...reason, key: keys++ }))
const plain = (rows: readonly StandardReason[]) => rows.map(({ en, hi }) => ({ en, hi }))
const differ = (a: readonly StandardReason[], b: readonly StandardReason[]) =>
  JSON.stringify(plain(a)) !== JSON.stringify(plain(b))

const shown = [standardReasons]

/** Edits and saves the rows of a list. Takes over what someone else saves, or says so if there are changes here. */
function useReasons(known: SavedReasons) {
  const t = words.use()
  const invalidate = useInvalidate(shown)
  const element = useRef<HTMLFormElement>(null)
  const [base, setBase] = useState(known)
  const [rows, setRows] = useState(() => rowsOf(known.reasons))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<string>()
  const [saving, setSaving] = useState(false)
  const dirty = differ(rows, base.reasons)
  if (known.version > base.version) {
    setBase(known)
    if (dirty) setProblem(t('meanwhile'))
    else setRows(rowsOf(known.reasons))
  }
  const change = (next: Row[]) => {
    setRows(next)
    setErrors({})
    setProblem(undefined)
  }
  const refuse = (issues: readonly { path: PropertyKey[] | string; message: string }[]) => {
    const problems = issues.map(({ path, message }) => ({
      place: typeof path === 'string' ? path : path.join('.'),
      message: translateSentence(message),
    }))
    setErrors(Object.fromEntries(problems.map(({ place, message }) => [place, message])))
    setProblem(problems.find(({ place }) => place === 'reasons')?.message)
    requestAnimationFrame(() => focusFirstError(element.current))
  }
  const save = async () => {
    const parsed = reasonsForm.safeParse({ reasons: plain(rows) })
    if (!parsed.success) return refuse(parsed.error.issues)
    setSaving(true)
    try {
      const { reasons } = parsed.data
      await call(saveReasons, { body: { kind: known.kind, reasons, version: base.version } })
      // Keep what was typed since the request.
      setRows((now) => (now === rows ? rowsOf(reasons) : now))
      setBase({ ...base, reasons, version: base.version + 1 })
      await invalidate()
      toast.success(t('saved'))
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      refuse(cause.issues)
      if (cause.code === 'changed_meanwhile') {
        await invalidate()
        setProblem(t('meanwhile'))
      } else if (cause.issues.length === 0) setProblem(translateSentence(cause.message))
    } finally {
      setSaving(false)
    }
  }
  const form = {
    ...{ errors, problem, saving, element },
    changed: dirty ? ['reasons'] : [],
    discard: () => change(rowsOf(base.reasons)),
  }
  return { rows, change, save, form }
}

function ReasonList({ known }: { known: SavedReasons }) {
  const t = words.use()
  const disabledReason = useWriteRefusal()
  const { rows, change, save, form } = useReasons(known)
  const inHindi = known.kind !== ('bank' satisfies ReasonKind)
  const write = (at: number, typed: Partial<StandardReason>) =>
    change(rows.map((row, index) => (index === at ? { ...row, ...typed } : row)))
  const move = (at: number, by: 1 | -1) => {
    const next = [...rows]
    next.splice(at + by, 0, ...next.splice(at, 1))
    change(next)
  }
  return (
    <details>
      <summary>{t('reasonsCount', { name: t(`reasonsOf_${known.kind}`), n: known.reasons.length })}</summary>
      <SectionForm of={form} onSave={() => void save()}>
        {inHindi && <p className="hint">{t('reasonsHi')}</p>}
        <ol className="stack gap-3">
          {rows.map((row, index) => {
            const n = index + 1
            const field = (language: WrittenLanguage, label: string) => (
              <TextArea
                rows={2}
                label={label}
                optional={language === 'hi'}
                lang={language}
                maxLength={200}
                autoComplete="off"
                readOnly={disabledReason !== undefined}
                value={row[language]}
                error={form.errors[`reasons.${index}.${language}`]}
                onChange={(event) =>
                  write(index, { [language]: event.currentTarget.value.replaceAll('\n', ' ') })
                }
              />
            )
            return (
              <li key={row.key} className="stack gap-1">
                {field('en', t('reasonN', { n }))}
                {inHindi && field('hi', t('reasonHiN', { n }))}
                {disabledReason === undefined && (
                  <span className="set-moves">
                    <IconButton
                      icon="up"
                      label={t('reasonUp', { n })}
                      disabled={index === 0}
                      onClick={() => move(index, -1)}
                    />
                    <IconButton
                      icon="down"
                      label={t('reasonDown', { n })}
                      disabled={n === rows.length}
                      onClick={() => move(index, 1)}
                    />
                    <IconButton
                      icon="delete"
                      label={t('reasonDelete', { n })}
                      onClick={() => change(rows.filter((item) => item !== row))}
                    />
                  </span>
                )}
              </li>
            )
          })}
        </ol>
        {disabledReason === undefined && (
          <Button
            icon="plus"
            disabled={rows.length >= maxReasons && t('reasonsFull')}
            onClick={() => {
              change([...rows, ...rowsOf([{ en: '', hi: '' }])])
              requestAnimationFrame(() =>
                form.element.current?.querySelector<HTMLElement>('li:last-child textarea')?.focus(),
              )
            }}>
            {t('reasonAdd')}
          </Button>
        )}
      </SectionForm>
    </details>
  )
}
