import { messages } from '@podium/contract/messages'
import { formatRupees } from '@podium/contract/money'
import { type PaymentItem, savePayment } from '@podium/contract/payments/calls'
import { normaliseUtr, utrLooksRight } from '@podium/contract/payments/rules'
import { paymentSubmission } from '@podium/contract/payments/schemas'
import { istDay, type Season, seasonYear } from '@podium/contract/season'
import { useState } from 'react'
import * as z from 'zod/mini'
import { callOnce } from '#shell/call-once.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { useClosing } from '#shell/use-action.ts'
import { proofKinds, useProof } from '#shell/use-proof.ts'
import { FileField } from '#ui/file-field.tsx'
import { Figure, Sums } from '#ui/money-sum.tsx'
import { Note } from '#ui/note.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { paymentKind, words } from './fee-card.tsx'

const { paymentDate, remarks, utr } = paymentSubmission.shape
/**
 * The schema of the form. Here `attechment` is the file's name; the file itself is sent separately. A draft restores
 * only the name, so the check is about the file chosen.
 */
const buildSchema = (fileCheck: z.core.$ZodCheck<string>) =>
  z.object({ paymentDate, remarks, utr, attechment: z.string().check(fileCheck) })

interface Props {
  item: PaymentItem
  season: Season
  onClose: () => void
}

/** Reports a payment to the foundation. The input is saved as a draft until sent; a refusal leaves the dialog open. */
export function PaymentDialog({ item, season, onClose }: Props) {
  const t = words.use()
  const proof = useProof()
  const { close, closeAfter } = useClosing(onClose)
  const translate = useSentences()
  // One key for all attempts of this dialog: a refused attempt stores nothing, a saved one is not saved twice.
  const [key] = useState(() => crypto.randomUUID())
  // As the dialog opened: it must not lose its proof while the answer to the payment comes in.
  const [{ previous, rejected }] = useState(item)
  const storedProof = previous && previous.attechment !== '' ? previous : undefined
  const [schema] = useState(() =>
    buildSchema(proof.check(storedProof ? undefined : messages.attachmentRequired)),
  )
  const startsWith = rejected
    ? 'startsWithRejected'
    : storedProof
      ? 'startsWithWithdrawn'
      : 'startsWithoutProof'
  const amount = formatRupees(item.payableAmount)

  const f = useFormDialog({
    schema,
    initialValues: {
      paymentDate: previous?.paymentDate ?? istDay(new Date()),
      remarks: previous?.remarks ?? '',
      utr: previous?.utr ?? '',
      attechment: '',
    },
    draftKey: `payment.${season}.${item.paymentFor}`,
    save: async ({ attechment: _, ...fields }) => {
      const file =
        storedProof && !proof.isChosen()
          ? { attechment: '', proofOf: storedProof.id }
          : await proof.take(messages.attachmentRequired)
      return callOnce(savePayment, {
        idempotencyKey: key,
        body: {
          ...fields,
          mode: 3,
          payableAmount: item.payableAmount,
          ...file,
          individualRegIdList: item.individualRegIdList,
          paymentFor: item.paymentFor,
          FYear: season,
        },
      })
    },
    // Also after a refusal: the amount or the students may have changed, and the card and this dialog must show that.
    invalidates: 'all',
    done: ({ message }) => translate(message),
    onDone: () => {
      closeAfter()
      // The button that opened this dialog is gone, so focus the heading.
      requestAnimationFrame(() => document.querySelector('h1')?.focus())
    },
    onRefused: ({ code, message }) => {
      if (!/^payments\.(already|order)_sent$/.test(code)) return false
      toast.error(translate(message))
      closeAfter()
      return true
    },
    onClose: close,
  })
  const utrNow = normaliseUtr(f.form.useWatchValue('utr') ?? '')
  const { field } = f.form
  return (
    <FormDialog
      of={f}
      title={t('dialogTitle')}
      fact={t('dialogFact', { paymentFor: paymentKind(t, item.paymentFor), amount })}
      save={t('send', { amount })}
      sums={
        <Sums>
          <Figure label={t('payable')}>{amount}</Figure>
        </Sums>
      }
      asksBeforeLeaving>
      {previous && <Note>{t(startsWith)}</Note>}
      <div className="grid">
        <DateField
          label={t('paymentDate')}
          className="c4"
          min={`${seasonYear(season) - 1}-04-01`}
          max={istDay(new Date())}
          {...field('paymentDate')}
        />
        <TextField
          label={t('utrLabel')}
          className="c8"
          optional
          autoComplete="off"
          spellCheck={false}
          hint={utrLooksRight(utrNow) ? t('utrHint') : t('utrOdd')}
          {...field('utr')}
        />
        <TextArea label={t('remarks')} className="c12" hint={t('remarksHint')} {...field('remarks')} />
        <FileField
          label={t('attachment')}
          className="c12"
          accept={proofKinds}
          hint={proof.doubtful ? t('attachmentSmall') : t('attachmentHint', { n: proof.megabytes })}
          error={f.form.errors.attechment}
          stored={storedProof?.proofName}
          onChange={(file) => void proof.choose(f.form, file)}
          data-path="attechment"
        />
      </div>
    </FormDialog>
  )
}
