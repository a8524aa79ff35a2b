import { downloadForm, type FormKind } from '@podium/contract/dashboard'
import { useMutation } from '@tanstack/react-query'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { useSeason } from '#shell/season.ts'
import { IconButton } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Panel } from '#ui/panel.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

const forms = [
  ['school', 'formSchool'],
  ['books', 'formBooks'],
  ['students', 'formStudents'],
] as const satisfies ReadonlyArray<readonly [FormKind, string]>

/** The three forms as PDF, filled with the school's data. */
export function DownloadsPanel() {
  const t = words.use()
  const say = useSentences()
  const season = useSeason()
  const load = useMutation({
    mutationFn: (form: FormKind) => download(downloadForm, { query: { FYear: season, form } }),
    onError: (error) => toast.error(say(error instanceof CallError ? error.message : String(error))),
  })
  return (
    <Panel title={t('downloads')} padded={false}>
      <ul className="downloads">
        {forms.map(([form, name]) => (
          <li key={form}>
            <Icon name="file" />
            <span>
              {t(name)}
              <small>{t('formFact')}</small>
            </span>
            <IconButton
              icon="download"
              label={t('download', { name: t(name) })}
              onClick={() => load.mutate(form)}
              disabled={load.isPending && load.variables === form}
            />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
