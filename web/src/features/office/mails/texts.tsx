import { type MailTemplate, mailLanguages, mailTemplates } from '@podium/contract/office/calls-mails'
import { useFilters } from '#shell/filters.ts'
import { dayText } from '#shell/format.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Segmented } from '#ui/button.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/office-mails.json'
import { mailFilters } from './filters.ts'
import { TextForm } from './text-form.tsx'
import { words } from './words.ts'

const names = { en: 'English', hi: 'हिन्दी' } as const

/** The texts that the office can write: one at a time, with its preview and history. */
export function Texts() {
  const t = words.use()
  const filters = useFilters(mailFilters)
  const list = useEndpoint(mailTemplates)
  if (list.error && !list.data) return <LoadProblem error={list.error} retry={list.refetch} />
  const [first] = list.data?.data ?? []
  if (!first) return <Skeleton shape="form" />
  const { text, language } = filters.values
  const one = list.data?.data.find(({ kind }) => kind === text) ?? first
  const written = one[language]
  return (
    <div className="mail-texts">
      <div className="stack">
        <p className="quiet">{t('textsSay')}</p>
        <div className="mail-which">
          <SelectField
            label={t('which')}
            value={one.kind}
            choices={(list.data?.data ?? []).map(({ kind }) => ({ value: kind, label: nameOf(t, kind) }))}
            onChange={(event) => filters.change({ text: event.currentTarget.value })}
          />
          <Segmented
            label={t('language')}
            value={language}
            choices={mailLanguages.map((code) => ({ value: code, label: names[code] }))}
            onChange={(code) => filters.change({ language: code })}
          />
        </div>
        <p className="hint">
          {written.own
            ? t('own', { name: written.changedBy, day: dayText(written.changedAt) })
            : t('original')}
        </p>
        <Placeholders one={one} />
        <TextForm
          key={`${one.kind} ${language} ${written.version}`}
          kind={one.kind}
          language={language}
          written={written}
        />
      </div>
      <RecordHistory kind="mail_text" id={one.kind} />
    </div>
  )
}

function nameOf(t: ReturnType<typeof words.use>, kind: string): string {
  return t(`text_${kind.replaceAll('-', '_')}` as keyof typeof en)
}

function Placeholders({ one }: { one: MailTemplate }) {
  const t = words.use()
  return (
    <dl className="mail-placeholders" aria-label={t('placeholders')}>
      {one.placeholders.map(({ name, example, needed }) => (
        <div key={name}>
          <dt>
            <code>{`{${name}}`}</code>
            {needed && <span className="quiet"> ({t('needed')})</span>}
          </dt>
          <dd className="quiet">{example}</dd>
        </div>
      ))}
    </dl>
  )
}
