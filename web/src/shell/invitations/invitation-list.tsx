import type { Invitation } from '@podium/contract/accounts/calls-invitations'
import { lazy, Suspense, useState } from 'react'
import { dayText, Moment } from '#shell/format.tsx'
import { defineWords } from '#shell/language/words.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import type en from '#words/en/accounts-invite.json'

/** Words for inviting users to a school, in the school's portal and in the office. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/accounts-invite.json'))

const ConfirmDialog = lazy(() => import('#ui/dialog.tsx').then((m) => ({ default: m.ConfirmDialog })))

/** Acts on an invitation and then shows `done`. */
type Act = (invitation: Invitation, done: string) => Promise<unknown>

interface InvitationListProps {
  invitations: readonly Invitation[]
  /** Why they can't be changed here; undefined if they can */
  mayNot: string | undefined
  resend: Act
  withdraw: Act
}

/** Open invitations: sent when, valid until when; to resend or withdraw. */
export function InvitationList({ invitations, mayNot, resend, withdraw }: InvitationListProps) {
  const t = words.use()
  const [busy, setBusy] = useState<number>()
  const [asked, ask] = useState<Invitation>()
  const during = async (invitation: Invitation, act: () => Promise<unknown>) => {
    setBusy(invitation.id)
    await act().finally(() => setBusy(undefined))
  }
  const columns: Column<Invitation>[] = [
    {
      key: 'name',
      label: t('name'),
      title: true,
      cell: (one) => (
        <>
          {one.name}
          <span className="under long">{one.emailId}</span>
        </>
      ),
    },
    {
      key: 'sent',
      label: t('invited'),
      card: 'wide',
      cell: (one) => (
        <>
          <Moment value={one.sentAt} />
          <span className="under">
            {one.invitedBy !== '' && `${t('by', { name: one.invitedBy })}, `}
            {t('times', { n: one.timesSent })}
          </span>
        </>
      ),
    },
    {
      key: 'state',
      label: t('state'),
      cell: (one) =>
        one.over ? (
          <Badge kind="inactive">{t('over')}</Badge>
        ) : (
          <Badge kind="waiting">{t('open', { day: dayText(one.until) })}</Badge>
        ),
    },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (one) => (
        <span className="row inline gap-2">
          <Button
            kind="text"
            disabled={mayNot}
            busy={busy === one.id}
            aria-label={t('resendOf', { name: one.name })}
            onClick={() => void during(one, () => resend(one, t('resent', { email: one.emailId })))}
          >
            {t('resend')}
          </Button>
          <Button
            kind="text"
            disabled={mayNot}
            aria-label={t('withdrawOf', { name: one.name })}
            onClick={() => ask(one)}
          >
            {t('withdraw')}
          </Button>
        </span>
      ),
    },
  ]
  return (
    <>
      <DataTable
        caption={t('caption')}
        columns={columns}
        rows={[...invitations]}
        rowKey={(one) => String(one.id)}
        gone={(one) => one.over}
        empty={null}
        cardColumns={2}
      />
      <Suspense>
        {asked && (
          <ConfirmDialog
            opened
            title={t('withdrawTitle', { name: asked.name })}
            action={t('withdraw')}
            danger
            busy={busy === asked.id}
            onConfirm={() =>
              void during(asked, () => withdraw(asked, t('withdrawn', { name: asked.name }))).then(() =>
                ask(undefined),
              )
            }
            onCancel={() => ask(undefined)}
          >
            {t('withdrawSays')}
          </ConfirmDialog>
        )}
      </Suspense>
    </>
  )
}
