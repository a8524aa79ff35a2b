import { downloadForm, type FormKind } from '@podium/contract/dashboard/calls'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, startTransition, useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { useSeason } from '#shell/season.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Panel } from '#ui/panel.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

const forms = [
  ['students', 'formStudents'],
  ['books', 'formBooks'],
  ['school', 'formSchool'],
] as const satisfies ReadonlyArray<readonly [FormKind, string]>

const openDialog = () => import('./family-form-dialog.tsx').then((m) => ({ default: m.FamilyFormDialog }))
const FamilyFormDialog = lazy(openDialog)

/** The forms as PDF: the school's three, filled with its data or blank, and the blank one of a class for its families. */
export function DownloadsPanel() {
  const t = words.use()
  const say = useSentences()
  const season = useSeason()
  const [asking, setAsking] = useState(false)
  const load = useMutation({
    mutationFn: ({ form, blank }: { form: FormKind; blank: '0' | '1' }) =>
      download(downloadForm, { query: { FYear: season, form, blank } }),
    onError: (error) => toast.error(say(error instanceof CallError ? error.message : String(error))),
  })
  const busy = (form: FormKind, blank: string) =>
    load.isPending && load.variables?.form === form && load.variables.blank === blank
  return (
    <Panel title={t('downloads')} padded={false}>
      <ul className="downloads">
        {forms.map(([form, name]) => (
          <li key={form}>
            <Icon name="file" />
            <span>{t(name)}</span>
            {(['0', '1'] as const).map((blank) => (
              <button
                key={blank}
                type="button"
                className="lk"
                onClick={() => load.mutate({ form, blank })}
                disabled={busy(form, blank)}
              >
                {t(blank === '1' ? 'blank' : 'filled')}
                <span className="sr">, {t(name)}</span>
              </button>
            ))}
          </li>
        ))}
        <li>
          <Icon name="users" />
          <span>
            {t('formFamily')}
            <small>{t('formFamilyFact')}</small>
          </span>
          <Button
            onClick={() => startTransition(() => setAsking(true))}
            onPointerEnter={() => void openDialog()}
          >
            {t('choose')}
          </Button>
        </li>
      </ul>
      <Suspense>{asking && <FamilyFormDialog season={season} onClose={() => setAsking(false)} />}</Suspense>
    </Panel>
  )
}
