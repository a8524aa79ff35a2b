import type { OfficeNotice } from '@podium/contract/notices/calls'
import { count, dayText } from '#shell/format.tsx'
import { Button } from '#ui/button.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Preview } from './office-preview.tsx'
import { type Act, audienceOf, daysOf, lockOf } from './office-table.tsx'
import { words } from './words-office.ts'

interface Props {
  notice: OfficeNotice
  onClose: () => void
  onAct: (act: Act) => void
}

/** A notice as a school sees it, with its readers; any role may look. */
export function OpenDialog({ notice, onClose, onAct }: Props) {
  const t = words.use()
  const lock = lockOf(t, notice)
  return (
    <Dialog opened onClose={onClose} title={notice.title} fact={t(notice.state)}>
      <DialogBody>
        <Preview notice={notice} />
        <div className="mt-4">
          <KeyValues>
            <KeyValue label={t('for')}>{audienceOf(t, notice)}</KeyValue>
            <KeyValue label={t('days')}>{daysOf(t, notice)}</KeyValue>
            <KeyValue label={t('readAt')}>
              {t('readOf', { read: count(notice.schoolsRead), n: notice.schools })}
            </KeyValue>
            <KeyValue label={t('changed')}>
              {t('changedBy', { name: notice.changedBy, day: dayText(notice.changedAt) })}
            </KeyValue>
          </KeyValues>
        </div>
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>{t('close')}</Button>
        {notice.state !== 'over' && (
          <Button kind="primary" disabled={lock} onClick={() => onAct('edit')}>
            {t('edit')}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  )
}
