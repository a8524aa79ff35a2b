import { replaceClassNames } from '@podium/contract/classes'
import { text } from '@podium/contract/fields'
import {
  askDataRequest,
  askForm,
  carryOutRequest,
  checkDataRequest,
  checkForm,
  checkMethods,
  type DataRequest,
  dataFile,
  dataRequests,
  declineRequest,
  erasedKinds,
  reasonRequired,
  requestKinds,
} from '@podium/contract/privacy/calls'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { DialogForm, FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { FormFrame, usePortalForm } from '#shell/form-frame.tsx'
import { count, Day, Moment } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { useInvalidate } from '#shell/query.ts'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { focusReturn } from '#ui/list-arrows.ts'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import type en from '#words/en/privacy-requests.json'
import { RequestState, words } from './request-columns.tsx'

interface Props {
  request: DataRequest
  onClose: () => void
}

const shown = [dataRequests]

/** One request: what was asked, what was checked, and what comes next. */
export function RequestDialog({ request, onClose }: Props) {
  const t = words.use()
  const [declining, setDeclining] = useState(false)
  return (
    <Dialog opened onClose={onClose} title={t(`title_${request.kind}`)}>
      {request.state === 'asked' && !declining ? (
        <CheckPart request={request} onClose={onClose} onDecline={() => setDeclining(true)} />
      ) : declining ? (
        <DeclinePart request={request} onClose={onClose} onBack={() => setDeclining(false)} />
      ) : (
        <CarryOutPart request={request} onClose={onClose} onDecline={() => setDeclining(true)} />
      )}
    </Dialog>
  )
}

const checkSchema = z.object({ method: checkForm.shape.method, note: checkForm.shape.note })

function CheckPart({ request, onClose, onDecline }: Props & { onDecline: () => void }) {
  const t = words.use()
  const translate = useSentences()
  const invalidate = useInvalidate(shown)
  const { id, version, can } = request
  const refusal = can.check === true ? undefined : translate(can.check)
  const f = usePortalForm({
    schema: checkSchema,
    initialValues: {
      method: request.requestedThrough === 'family' ? ('family-code' as const) : ('call-back' as const),
      note: '',
    },
    draftKey: `request.${id}`,
    save: async (values) => {
      const back = focusReturn()
      await call(checkDataRequest, { body: { id, version, ...values } }).finally(invalidate)
      toast.success(t('checkedDone'))
      setTimeout(back)
    },
  })
  return (
    <FormFrame of={f} asksBeforeLeaving={false}>
      <DialogBody>
        <div className="stack">
          <RequestFacts request={request} />
          <SelectField
            label={t('method')}
            choices={checkMethods.map((value) => ({ value, label: t(`method_${value}`) }))}
            {...f.form.field('method')}
          />
          <TextArea label={t('note')} hint={t('noteHint')} rows={3} {...f.form.field('note')} />
        </div>
      </DialogBody>
      <DialogFoot onClose={onClose}>
        <Button
          kind="danger"
          disabled={can.decline === true ? undefined : translate(can.decline)}
          onClick={onDecline}>
          {t('decline')}
        </Button>
        <Button type="submit" kind="primary" busy={f.saving} disabled={refusal}>
          {t('check')}
        </Button>
      </DialogFoot>
    </FormFrame>
  )
}

const declineSchema = z.object({ reason: text(reasonRequired, 500) })

function DeclinePart({ request, onClose, onBack }: Props & { onBack: () => void }) {
  const t = words.use()
  const { id, version } = request
  const f = useFormDialog({
    schema: declineSchema,
    initialValues: { reason: '' },
    draftKey: `request.${id}.decline`,
    save: ({ reason }) => call(declineRequest, { body: { id, version, reason } }),
    invalidates: shown,
    done: t('declinedDone'),
    onDone: onClose,
    onClose: onBack,
  })
  return (
    <DialogForm of={f} save={t('decline')} danger back={t('back')}>
      <TextArea
        label={t('reason')}
        hint={t('reasonHint')}
        rows={4}
        data-autofocus
        {...f.form.field('reason')}
      />
    </DialogForm>
  )
}

function CarryOutPart({ request, onClose, onDecline }: Props & { onDecline: () => void }) {
  const t = words.use()
  const translate = useSentences()
  const { busy, act } = useAction(shown)
  const { id, version, kind, state, can } = request
  const reasonOf = (may: true | string) => (may === true ? undefined : translate(may))
  const file = (format: 'json' | 'pdf') => act(() => download(dataFile, { body: { id, format } }))
  return (
    <>
      <DialogBody>
        <div className="stack">
          <RequestFacts request={request} />
          {state === 'checked' && <Note kind={kind === 'erase' ? 'due' : 'info'}>{t(`effect_${kind}`)}</Note>}
        </div>
      </DialogBody>
      <DialogFoot onClose={onClose}>
        {state === 'checked' && (
          <>
            <Button kind="danger" disabled={reasonOf(can.decline)} onClick={onDecline}>
              {t('decline')}
            </Button>
            <Button
              kind={kind === 'erase' ? 'danger-filled' : 'primary'}
              busy={busy}
              disabled={reasonOf(can.carryOut)}
              onClick={() =>
                void act(() => call(carryOutRequest, { body: { id, version } }), t(`done_${kind}`))
              }>
              {t(`do_${kind}`)}
            </Button>
          </>
        )}
        {kind === 'export' && state === 'done' && (
          <>
            <Button
              icon="download"
              busy={busy}
              disabled={reasonOf(can.file)}
              onClick={() => void file('json')}>
              {t('json')}
            </Button>
            <Button
              kind="primary"
              icon="download"
              busy={busy}
              disabled={reasonOf(can.file)}
              onClick={() => void file('pdf')}>
              {t('pdf')}
            </Button>
          </>
        )}
      </DialogFoot>
    </>
  )
}

/** The facts of a request. */
export function RequestFacts({ request }: { request: DataRequest }) {
  const t = words.use()
  const erasedText = erasedKinds
    .filter((kind) => request.outcome[kind] !== undefined)
    .map((kind) => `${t(`deleted_${kind}`)}: ${count(request.outcome[kind] ?? 0)}`)
    .join(' · ')
  return (
    <KeyValues>
      <KeyValue label={t('child')}>
        {request.studentName === '' ? t('erasedChild') : request.studentName},{' '}
        {replaceClassNames(request.place, translateSentence)}
      </KeyValue>
      <KeyValue label={t('school')}>{request.schName}</KeyValue>
      <KeyValue label={t('asked')}>
        <Moment value={request.requestedAt} />
      </KeyValue>
      <KeyValue label={t('due')}>
        <Day value={request.dueOn} />
      </KeyValue>
      <KeyValue label={t('state')}>
        <RequestState request={request} />
      </KeyValue>
      {request.message !== '' && <KeyValue label={t('details')}>{request.message}</KeyValue>}
      {request.contact !== '' && <KeyValue label={t('contact')}>{request.contact}</KeyValue>}
      {request.checkedBy !== '' && (
        <KeyValue label={t('checked')}>
          {t(`method_${request.checkMethod}` as keyof typeof en)}, {request.checkedBy},{' '}
          <Moment value={request.checkedAt} />
          {request.checkNote !== '' && <span className="under">{request.checkNote}</span>}
        </KeyValue>
      )}
      {request.records > 0 && <KeyValue label={t('records')}>{count(request.records)}</KeyValue>}
      {request.decidedBy !== '' && (
        <KeyValue label={t('decided')}>
          {request.decidedBy}, <Moment value={request.decidedAt} />
          {request.decision !== '' && <span className="under">{request.decision}</span>}
        </KeyValue>
      )}
      {erasedText !== '' && <KeyValue label={t('outcome')}>{erasedText}</KeyValue>}
    </KeyValues>
  )
}

const { kind, message, contact } = askForm.shape
const schema = z.object({ kind, message, contact })

/** Records a request received by phone, letter or e-mail. */
export function AskDialog({ studentId, onClose }: { studentId: number; onClose: () => void }) {
  const t = words.use()
  const f = useFormDialog({
    schema,
    initialValues: { kind: 'export' as const, message: '', contact: '' },
    draftKey: `request.of.${studentId}`,
    save: (values) => call(askDataRequest, { body: { studentId, ...values } }),
    invalidates: [dataRequests],
    done: t('entered'),
    onClose,
  })
  return (
    <FormDialog of={f} title={t('enterTitle')} size="small" save={t('enter')}>
      <SelectField
        label={t('kind')}
        choices={requestKinds.map((value) => ({ value, label: t(value) }))}
        {...f.form.field('kind')}
      />
      <TextArea label={t('details')} hint={t('detailsHint')} rows={3} {...f.form.field('message')} />
      <TextField
        label={t('contact')}
        hint={t('contactHint')}
        optional
        autoComplete="off"
        {...f.form.field('contact')}
      />
    </FormDialog>
  )
}
