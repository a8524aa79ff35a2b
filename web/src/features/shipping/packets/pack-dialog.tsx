import { className } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import {
  type DueChild,
  type DueContents,
  type DueItem,
  type DueSchool,
  officeDueOfSchool,
  packAll,
  packSchool,
} from '@podium/contract/shipping/calls-orders'
import { useEffect, useRef, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { canRepeat } from '#shell/call-once.ts'
import { useLeaveQuestion } from '#shell/form-dialog.tsx'
import { count } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useFreshQuery, useInvalidate } from '#shell/query.ts'
import { useAttempt } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { isCount, type TypedNumber } from '#ui/numbers.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/toast.tsx'
import { type Due, dispatchCalls, words } from '../data.tsx'

type Line = Pick<DueItem, 'eventYearId' | 'classId' | 'kind'>

const isOf = (child: DueChild, line: Line) =>
  child.eventYearId === line.eventYearId && child.classId === line.classId && child.kind === line.kind

const placeOf = ({ section, rollNo }: DueChild) => `${section === '-' ? '' : `${section} `}${rollNo}`

/** Names the students who get the awards of a line, with the title for kinds that have several. */
function Winners({ of }: { of: readonly DueChild[] }) {
  if (of.length === 0) return null
  return (
    <small>
      {of
        .map((child) =>
          child.kind === 'prize' || child.kind === 'gift' || child.kind === 'award'
            ? `${child.studentName} (${child.title})`
            : child.studentName,
        )
        .join(', ')}
    </small>
  )
}

/** Lists awards that were sent and then withdrawn by a correction, so that the school can be told. */
function WithdrawnAwards({ of }: { of: readonly DueChild[] }) {
  const t = words.use()
  if (of.length === 0) return null
  return (
    <Note kind="due">
      <p>{t('outdatedHint', { n: of.length })}</p>
      <ul className="bullets mt-2">
        {of.map((child) => (
          <li
            key={`${child.eventYearId} ${child.kind} ${child.studentName} ${placeOf(child)} ${child.title}`}>
            {child.studentName}, {translateSentence(className(child.classId))} {placeOf(child)}: {child.title}
          </li>
        ))}
      </ul>
    </Note>
  )
}

interface PackDialogProps {
  contents: DueContents
  season: string
  school: DueSchool
  onClose: () => void
}

const keyOf = (line: DueItem) => `${line.eventYearId}.${line.classId}.${line.kind}`

/** Packs the items due to one school: all of them, or the quantities typed. */
export function PackDialog({ contents, season, school, onClose }: PackDialogProps) {
  const t = words.use()
  const FYear = season
  const query = { FYear, contents, schoolId: String(school.schoolId) }
  const lines = useFreshQuery(officeDueOfSchool, { query })
  const isTyped = useRef(false)
  const { leave, question } = useLeaveQuestion(() => isTyped.current, onClose)
  return (
    <Dialog opened onClose={leave} title={t('packTitle')} fact={school.schName}>
      {question}
      {lines.data ? (
        <Lines
          all={lines.data.data}
          winners={lines.data.children}
          address={lines.data.school.address}
          {...{ contents, season, school, onClose }}
          refresh={() => lines.refetch()}
          onTyped={() => (isTyped.current = true)}
        />
      ) : (
        <DialogBody>
          {lines.isError ? (
            <LoadProblem error={lines.error} retry={() => lines.refetch()} />
          ) : (
            <Skeleton shape="table" rows={4} />
          )}
        </DialogBody>
      )}
    </Dialog>
  )
}

interface LinesProps extends PackDialogProps {
  all: readonly DueItem[]
  /** For awards: the students they are for, and those who lost an award that was sent */
  winners: readonly DueChild[]
  address: string
  refresh: () => unknown
  onTyped: () => void
}

function Lines({ all, winners, address, contents, season, school, onClose, refresh, onTyped }: LinesProps) {
  const t = words.use()
  const translate = useSentences()
  const invalidate = useInvalidate(dispatchCalls)
  const due = all.filter((line) => line.due > 0)
  const [typed, setTyped] = useState<Record<string, TypedNumber>>({})
  const [most, setMost] = useState<TypedNumber>(0)
  const { busy, problem, attempt } = useAttempt()
  const form = useRef<HTMLFormElement>(null)
  // The lines have loaded after the dialog opened, whose Close button has the focus.
  useEffect(() => {
    if (document.activeElement?.matches('.dlg, .dlg-close')) form.current?.querySelector('input')?.focus()
  }, [])
  const copiesOf = (line: DueItem) => typed[keyOf(line)] ?? line.due
  const fault = (line: DueItem) => {
    const copies = copiesOf(line)
    if (!isCount(copies)) return translate(messages.copiesWhole)
    return copies > line.due ? translate(messages.copiesMore) : undefined
  }
  const mostFault = !isCount(most) || most > 10_000 ? translate(messages.mostCopies) : undefined
  const faults = due.some(fault) || mostFault !== undefined
  const copies = due
    .map(copiesOf)
    .filter(isCount)
    .reduce((sum, n) => sum + n, 0)
  const pack = () =>
    attempt(async () => {
      const body = {
        ...{ FYear: season, contents, schoolId: school.schoolId, most: Number(most) },
        lines: due.map((line) => ({
          eventYearId: line.eventYearId,
          classId: line.classId,
          kind: line.kind,
          quantity: Number(copiesOf(line)),
        })),
      }
      const { packetIds } = await call(packSchool, { body }).catch((cause) => {
        // What only has to be sent again stays as it is: it may be packed already, and gets that answer.
        if (!(cause instanceof CallError && canRepeat(cause))) void refresh()
        throw cause
      })
      toast.success(t('packetsMade', { n: packetIds.length, ids: packetIds.join(', ') }))
      await invalidate()
      onClose()
    })
  return (
    <form
      ref={form}
      className="od-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!faults && copies > 0) void pack()
      }}>
      <DialogBody>
        <div className="stack">
          <p className="quiet">{address}</p>
          {problem && <Note kind="bad">{problem}</Note>}
          <ul className="od-lines">
            {due.map((line) => (
              <li key={keyOf(line)}>
                <span>
                  <b>
                    {translateSentence(line.className)}, {translateSentence(line.subjectName)}
                  </b>
                  <small>
                    {translateSentence(line.bookCategory)} ·{' '}
                    {t('ofWanted', { due: count(line.due), wanted: count(line.wanted) })}
                    {line.spare > 0 && `, ${t('spareOf', { n: count(line.spare) })}`}
                  </small>
                  <Winners of={winners.filter((child) => child.state === 'due' && isOf(child, line))} />
                </span>
                <NumberField
                  label={t('copiesOf', {
                    what: `${translateSentence(line.className)}, ${translateSentence(line.subjectName)}, ${translateSentence(line.bookCategory)}`,
                  })}
                  labelHidden
                  value={copiesOf(line)}
                  error={fault(line)}
                  onChange={(value) => {
                    setTyped({ ...typed, [keyOf(line)]: value })
                    onTyped()
                  }}
                />
              </li>
            ))}
          </ul>
          {due.length === 0 && <p>{t('nothingDue')}</p>}
          <WithdrawnAwards of={winners.filter(({ state }) => state === 'gone')} />
          <NumberField
            className="od-most"
            label={t('most')}
            hint={t('mostHint')}
            value={most}
            error={mostFault}
            onChange={setMost}
          />
        </div>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button
          type="submit"
          kind="primary"
          busy={busy}
          disabled={faults ? t('checkCopies') : copies === 0 ? t('nothingChosen') : undefined}>
          {t(contents === 'awards' ? 'packAwards' : 'packCopies', { n: copies })}
        </Button>
      </DialogFoot>
    </form>
  )
}

/** Packs for every school that matches the filters. The job goes on if the user leaves the page. */
export function PackAllDialog({ due, onClose }: { due: Due; onClose: () => void }) {
  const t = words.use()
  const translate = useSentences()
  const { busy, problem, attempt } = useAttempt(dispatchCalls)
  const [most, setMost] = useState<TypedNumber>(0)
  const { sums, asked, set } = due
  const fault = !isCount(most) || most > 10_000 ? translate(messages.mostCopies) : undefined
  return (
    <Dialog opened onClose={onClose} title={t('packAllTitle')} size="small">
      <DialogBody>
        <div className="stack">
          <p>{t('packAllHint', { copies: count(sums?.due ?? 0), n: sums?.schools ?? 0 })}</p>
          <p className="quiet">{t(set > 0 ? 'packAllFiltered' : 'packAllWhole')}</p>
          <NumberField label={t('most')} hint={t('mostHint')} value={most} error={fault} onChange={setMost} />
          {problem && <Note kind="bad">{problem}</Note>}
        </div>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button
          kind="primary"
          busy={busy || due.list.isPlaceholderData || due.items.isPlaceholderData}
          disabled={fault}
          onClick={() =>
            void attempt(() => call(packAll, { body: { ...asked, most: Number(most) } }), onClose)
          }>
          {t('packAllNow')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
