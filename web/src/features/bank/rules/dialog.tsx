import '../statements/statements.css'
import {
  addBankRule,
  type BankRule,
  bankRules,
  previewBankRule,
  revokeBankRule,
} from '@podium/contract/bank/calls-statements'
import { formatRupees } from '@podium/contract/money'
import { useDeferredValue, useState } from 'react'
import { call } from '#shell/call.ts'
import { ListProblem, useLeaveQuestion } from '#shell/form-dialog.tsx'
import { dayText } from '#shell/format.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { words } from '../statements/lines.tsx'

/** Rules for lines that are always ignored. A rule is tried on the open lines before it is saved and can be revoked. */
export function RulesDialog({ onClose }: { onClose: () => void }) {
  const t = words.use()
  const rules = useEndpoint(bankRules)
  const { data } = rules
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const { leave, question } = useLeaveQuestion(() => typed !== '' || reason !== '', onClose)
  return (
    <Dialog opened onClose={leave} title={t('rulesTitle')}>
      {question}
      <DialogBody>
        <div className="stack">
          <p>{t('rulesHint')}</p>
          <ListProblem error={rules.data ? null : rules.error} retry={rules.refetch} />
          {data?.can.decide === true && <NewRule {...{ typed, setTyped, reason, setReason }} />}
          {data?.data.length === 0 && <p className="quiet">{t('noRules')}</p>}
          <ul className="bank-rules stack gap-3">
            {data?.data.map((rule) => (
              <Rule key={rule.id} rule={rule} decides={data.can.decide === true} />
            ))}
          </ul>
        </div>
      </DialogBody>
    </Dialog>
  )
}

interface NewRuleProps {
  typed: string
  setTyped: (typed: string) => void
  reason: string
  setReason: (reason: string) => void
}

function NewRule({ typed, setTyped, reason, setReason }: NewRuleProps) {
  const t = words.use()
  const { busy, act } = useAction('all')
  const contains = useDeferredValue(typed.trim())
  const long = contains.length >= 4
  const preview = useEndpoint(previewBankRule, { query: { contains }, enabled: long })
  const matches = long && !preview.isPlaceholderData ? preview.data : undefined
  const add = () =>
    act(
      async () => {
        const created = await call(addBankRule, { body: { contains: typed.trim(), reason: reason.trim() } })
        setTyped('')
        setReason('')
        return created
      },
      ({ ignored }) => t('doneRule', { n: ignored }),
    )
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (matches && reason.trim() !== '' && !busy) void add()
      }}>
      <TextField
        label={t('ruleContains')}
        hint={t('ruleContainsHint')}
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <ListProblem error={matches ? null : preview.error} retry={preview.refetch} />
      {matches && (
        <div className="bank-preview" aria-live="polite">
          <p>{t('rulePreview', { n: matches.lines, amount: formatRupees(matches.amount) })}</p>
          {matches.left > 0 && <p>{t('ruleLeft', { n: matches.left })}</p>}
          <ul>
            {matches.first.map((line) => (
              <li key={line.id}>
                {dayText(line.day)} · {line.narration} · {formatRupees(line.amount)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <TextField
        label={t('reason')}
        hint={t('reasonHint')}
        maxLength={300}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div className="acts">
        <Button type="submit" kind="primary" busy={busy} disabled={!matches || reason.trim() === ''}>
          {t('ruleAdd')}
        </Button>
      </div>
    </form>
  )
}

function Rule({ rule, decides }: { rule: BankRule; decides: boolean }) {
  const t = words.use()
  const { busy, act } = useAction([bankRules])
  const { id, contains, reason, lines, createdBy, createdAt, revokedBy, revokedAt } = rule
  return (
    <li>
      <span>
        <b>{contains}</b>
        <small className="under">{`${reason} · ${t('ruleLines', { n: lines })}`}</small>
        <small className="under">
          {revokedAt === null
            ? t('ruleBy', { name: createdBy, day: dayText(createdAt) })
            : t('ruleRevoked', { name: revokedBy, day: dayText(revokedAt) })}
        </small>
      </span>
      {decides && revokedAt === null && (
        <Button
          busy={busy}
          onClick={() => void act(() => call(revokeBankRule, { body: { id } }), t('doneRevoked'))}>
          {t('ruleRevoke')}
        </Button>
      )}
    </li>
  )
}
