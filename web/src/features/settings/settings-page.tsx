import './settings.css'
import { recordHistory } from '@podium/contract/changes'
import { foundationForm, foundationSettings, saveFoundation } from '@podium/contract/settings'
import { useQueryClient } from '@tanstack/react-query'
import { type Answer, call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

/** The foundation's name and how it is reached. */
export function SettingsPage() {
  const t = words.use()
  const settings = useEndpoint(foundationSettings)
  if (settings.error && !settings.data) return <LoadProblem error={settings.error} retry={settings.refetch} />
  return (
    <>
      <PageHeader title={t('settings')} fact={t('settingsFact')} />
      {settings.data ? (
        <div className="settings">
          <FoundationForm key={settings.data.version} known={settings.data} />
          <RecordHistory kind="foundation" id={1} />
        </div>
      ) : (
        <Skeleton shape="form" />
      )}
    </>
  )
}

function FoundationForm({ known }: { known: Answer<typeof foundationSettings> }) {
  const t = words.use()
  const client = useQueryClient()
  const mayNot = useSession()?.permissions?.includes('settings.write') ? undefined : t('mayNot')
  const { name, supportPhone, supportEmail, supportHours, version } = known
  const f = usePortalForm({
    schema: foundationForm,
    initialValues: { name, supportPhone, supportEmail, supportHours },
    draftKey: `foundation.${version}`,
    save: async (values) => {
      await call(saveFoundation, { body: { ...values, version } })
      toast.success(t('saved'))
      const stale = [foundationSettings, recordHistory]
      await Promise.all(stale.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
    },
  })
  const field = (of: keyof typeof foundationForm.shape) => ({
    key: f.form.key(of),
    readOnly: mayNot !== undefined,
    ...f.form.getInputProps(of),
  })
  return (
    <Panel title={t('foundation')}>
      <FormFrame of={f}>
        <div className="stack">
          <TextField label={t('name')} hint={t('nameHint')} autoComplete="off" {...field('name')} />
          <TextField label={t('phone')} type="tel" autoComplete="off" {...field('supportPhone')} />
          <TextField label={t('email')} type="email" autoComplete="off" {...field('supportEmail')} />
          <TextField label={t('hours')} autoComplete="off" {...field('supportHours')} />
          <div>
            <Button type="submit" kind="primary" busy={f.saving} disabled={mayNot}>
              {t('save')}
            </Button>
          </div>
        </div>
      </FormFrame>
    </Panel>
  )
}
