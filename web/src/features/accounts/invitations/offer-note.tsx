import {
  answerOffer,
  type CoordinatorOffer,
  withdrawOffer,
} from '@podium/contract/accounts/calls-invitations'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { dayText } from '#shell/format.tsx'
import { useAct } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { shownOfColleagues } from './shown.ts'
import { words } from './words.ts'

interface OfferNoteProps {
  offer: CoordinatorOffer
  mayWithdraw: boolean
}

/** The coordinator's part on offer: for who is asked with the answer beside it, for the others as a fact. */
export function OfferNote({ offer, mayWithdraw }: OfferNoteProps) {
  const t = words.use()
  const { act } = useAct(shownOfColleagues)
  const [busy, setBusy] = useState<'accept' | 'decline' | 'withdraw'>()
  const { id, fromName: from, toName: to } = offer
  const day = dayText(offer.until)
  const answerWith = async (what: NonNullable<typeof busy>, send: () => Promise<unknown>, done: string) => {
    setBusy(what)
    await act(send, done)
    setBusy(undefined)
  }
  if (!offer.mine)
    return (
      <Note>
        <div className="colleagues-offer">
          <span>{t('offerOther', { from, to, day })}</span>
          {mayWithdraw && (
            <Button
              busy={busy === 'withdraw'}
              onClick={() =>
                void answerWith(
                  'withdraw',
                  () => call(withdrawOffer, { body: { id } }),
                  t('withdrawn', { to }),
                )
              }
            >
              {t('withdraw')}
            </Button>
          )}
        </div>
      </Note>
    )
  const answer = (accept: boolean) => () => call(answerOffer, { body: { id, accept } })
  return (
    <Note kind="due">
      <div className="colleagues-offer">
        <span>
          <b>{t('offerMine', { from, day })}</b> {t('noteCoordinator')}
        </span>
        <span className="colleagues-acts">
          <Button
            kind="primary"
            busy={busy === 'accept'}
            onClick={() => void answerWith('accept', answer(true), t('accepted'))}
          >
            {t('accept')}
          </Button>
          <Button
            busy={busy === 'decline'}
            onClick={() => void answerWith('decline', answer(false), t('declined', { from }))}
          >
            {t('decline')}
          </Button>
        </span>
      </div>
    </Note>
  )
}
