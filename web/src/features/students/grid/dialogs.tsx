import { formatRupees } from '@podium/contract/money'
import { useState } from 'react'
import { count } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { MoneySum } from '#ui/money-sum.tsx'
import { Note } from '#ui/note.tsx'
import { TextArea } from '#ui/text-field.tsx'
import type { CheckedEntry, Entry } from '../entry/use-entry.ts'
import { gridWords } from './words.ts'

const mostNamed = 5

interface GridFoundProps {
  season: string
  found: CheckedEntry
  entry: Entry
  toFaults: () => void
}

/**
 * What the server found: new rows, rows already in the list, rows with errors; the three sums; and the confirmation.
 */
export function GridFound({ season, found, entry, toFaults }: GridFoundProps) {
  const t = gridWords.use()
  const say = useSentences()
  const { fresh, there, likely } = found
  const faulty = new Set(found.faults.map(({ row }) => row)).size
  const n = fresh.length
  const gross = found.regAmount + found.bookAmount
  const kept = found.school_Expenses + found.book_school_Expenses
  const differing = there.filter(({ differs }) => differs)
  const named = (names: readonly string[]) =>
    [
      ...names.slice(0, mostNamed),
      ...(names.length > mostNamed ? [t('moreNames', { n: names.length - mostNamed })] : []),
    ].join(', ')
  const figures: [string, number, string?][] = [
    [t('fresh', { n }), n],
    [t('there'), there.length],
    [t('faulty', { n: faulty }), faulty, faulty > 0 ? 'bad' : undefined],
  ]
  return (
    <Dialog
      opened
      onClose={entry.close}
      title={n > 0 ? t('foundTitle', { n }) : t('foundNobody')}
      fact={season}
    >
      <DialogBody>
        <dl className="im-counts row gap-6">
          {figures.map(([label, value, kind]) => (
            <div key={label} className={kind}>
              <dt>{label}</dt>
              <dd>{count(value)}</dd>
            </div>
          ))}
        </dl>
        {faulty > 0 && <Note kind="bad">{t('faultyText')}</Note>}
        {there.length > 0 && (
          <Note>
            <p>
              {t('thereText', { n: there.length, names: named(there.map(({ studentName }) => studentName)) })}
            </p>
            {differing.length > 0 && (
              <p>{t('thereDiffers', { names: named(differing.map(({ studentName }) => studentName)) })}</p>
            )}
          </Note>
        )}
        {likely.length > 0 && (
          <Note kind="due">
            <b>{t('likelyTitle', { n: likely.length })}</b>
            {likely.slice(0, mostNamed).map((one) => (
              <p key={one.row}>{t('likely', { row: one.row, message: say(one.message) })}</p>
            ))}
            {likely.length > mostNamed && <p>{t('moreNames', { n: likely.length - mostNamed })}</p>}
          </Note>
        )}
        {n > 0 && (
          <MoneySum
            as="lines"
            collected={formatRupees(gross)}
            kept={formatRupees(kept)}
            payable={formatRupees(gross - kept)}
          />
        )}
      </DialogBody>
      <DialogFoot>
        {faulty > 0 ? (
          <Button onClick={toFaults} data-autofocus={n === 0 || undefined}>
            {t('toFaults')}
          </Button>
        ) : (
          <Button onClick={entry.close}>{t('cancel')}</Button>
        )}
        {n === 0 && there.length > 0 && (
          <Button kind="primary" onClick={entry.drop} data-autofocus={faulty === 0 || undefined}>
            {t('dropThere', { n: there.length })}
          </Button>
        )}
        {n > 0 && (
          <Button kind="primary" busy={entry.busy} onClick={() => void entry.enter()} data-autofocus>
            {t('enter', { n })}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  )
}

interface GridPasteProps {
  onPaste: (text: string) => void
  onClose: () => void
}

/** A text field to paste into, for users without a keyboard. */
export function GridPaste({ onPaste, onClose }: GridPasteProps) {
  const t = gridWords.use()
  const [text, setText] = useState('')
  return (
    <Dialog opened onClose={onClose} title={t('pasteTitle')}>
      <DialogBody>
        <TextArea
          label={t('pasteField')}
          hint={t('pasteText')}
          rows={8}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button
          kind="primary"
          disabled={text.trim() === '' ? t('nothingPasted') : undefined}
          onClick={() => onPaste(text)}
        >
          {t('pasteButton')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
