import { type OfficeSeason, saveSeason } from '@podium/contract/catalogue/calls-seasons'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { useInvalidate } from '#shell/query.ts'
import { Note } from '#ui/note.tsx'
import { toast } from '#ui/toast.tsx'
import { shownOfCatalogue } from '../shown.ts'
import { words } from '../words.ts'
import { SeasonFields } from './season-fields.tsx'
import { seasonSchema, shareOf, typedOf } from './season-values.ts'

/** Changes a season's days and what schools keep. */
export function SeasonDialog({ season, onClose }: { season: OfficeSeason; onClose: () => void }) {
  const t = words.use()
  const renew = useInvalidate(shownOfCatalogue)
  const { FYear, version, enrolments } = season
  const f = usePortalForm({
    schema: seasonSchema,
    initialValues: typedOf(season),
    draftKey: `season.${FYear}`,
    save: async ({ kind, percent, slabs, ...days }) => {
      const body = { FYear, version, ...days, share: shareOf({ kind, percent, slabs }) }
      await call(saveSeason, { body }).finally(renew)
      toast.success(t('saved'))
      onClose()
    },
  })
  const kind = f.form.useWatchValue('kind')
  const slabs = f.form.useWatchValue('slabs') ?? []
  return (
    <FormDialog
      of={f}
      onClose={onClose}
      title={t('changeSeason', { season: FYear })}
      size="small"
      save={t('save')}
    >
      <SeasonFields
        kind={kind}
        field={(name) => ({ key: f.form.key(name), ...f.form.getInputProps(name) })}
        slabs={slabs}
        slabsError={f.form.errors.slabs}
        onAddSlab={() => f.form.insertListItem('slabs', { from: '', share: '' })}
        onRemoveSlab={(at) => f.form.removeListItem('slabs', at)}
      />
      <Note>{enrolments === 0 ? t('nobodyYet') : t('shareKept', { n: enrolments })}</Note>
    </FormDialog>
  )
}
