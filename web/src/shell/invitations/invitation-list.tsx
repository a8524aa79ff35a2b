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
  const [invitationToWithdraw, setInvitationToWithdraw] = useState<Invitation>()
  const during = async (invitation: Invitation, act: () => Promise<unknown>) => {
    setBusy(invitation.id)
    await act().finally(() => setBusy(undefined))
  }
  const columns: Column<Invitation>[] = [
    {
      key: 'name',
      label: t('name'),
      title: true,
      cell: (invitation) => (
        <>
          {invitation.name}
          <span className="under long">{invitation.emailId}</span>
        </>
      ),
    },
    {
      key: 'sent',
      label: t('invited'),
      card: 'wide',
      cell: (invitation) => (
        <>
          <Moment value={invitation.sentAt} />
          <span className="under">
            {invitation.invitedBy !== '' && `${t('by', { name: invitation.invitedBy })}, `}
            {t('times', { n: invitation.timesSent })}
          </span>
        </>
      ),
    },
    {
      key: 'state',
      label: t('state'),
      cell: (invitation) =>
        invitation.over ? (
          <Badge kind="inactive">{t('over')}</Badge>
        ) : (
          <Badge kind="waiting">{t('open', { day: dayText(invitation.until) })}</Badge>
        ),
    },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (invitation) => (
        <span className="row inline gap-2">
          <Button
            kind="text"
            disabled={mayNot}
            busy={busy === invitation.id}
            aria-label={t('resendOf', { name: invitation.name })}
            onClick={() =>
              void during(invitation, () => resend(invitation, t('resent', { email: invitation.emailId })))
            }
          >
            {t('resend')}
          </Button>
          <Button
            kind="text"
            disabled={mayNot}
            aria-label={t('withdrawOf', { name: invitation.name })}
            onClick={() => setInvitationToWithdraw(invitation)}
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
        rowKey={(invitation) => String(invitation.id)}
        gone={(invitation) => invitation.over}
        empty={null}
        cardColumns={2}
      />
      <Suspense>
        {invitationToWithdraw && (
          <ConfirmDialog
            opened
            title={t('withdrawTitle', { name: invitationToWithdraw.name })}
            action={t('withdraw')}
            danger
            busy={busy === invitationToWithdraw.id}
            onConfirm={() =>
              void during(invitationToWithdraw, () =>
                withdraw(invitationToWithdraw, t('withdrawn', { name: invitationToWithdraw.name })),
              ).then(() => setInvitationToWithdraw(undefined))
            }
            onCancel={() => setInvitationToWithdraw(undefined)}
          >
            {t('withdrawSays')}
          </ConfirmDialog>
        )}
      </Suspense>
    </>
  )
}
