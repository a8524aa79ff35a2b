import {
  deleteBookOrder,
  getBookOrder,
  type OrderFields,
  type OrderLine,
  orderFields,
  saveBookOrder,
} from '@podium/contract/books/calls'
import { getBook, getSubject } from '@podium/contract/catalogue/calls'
import { offerOf } from '@podium/contract/catalogue/rules-fee'
import { type BookKind, bookKindsOf, classes } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import { formatRupees, paise, rupees } from '@podium/contract/money'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { CallError, call } from '#shell/call.ts'
import { FormFrame, useCloseQuestion, usePortalForm } from '#shell/form-frame.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Figure, Sums } from '#ui/money-sum.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { useNames, words } from '../figure.ts'
import { nextValues, nothingOrdered, type OrderValues, valuesOf } from './table.tsx'

interface OrderDialogProps {
  season: string
  /** The line to change; undefined for a new one. */
  line?: OrderLine | undefined
  onClose: () => void
}

/** Add Books (specification, 2.11, 5): copies of a book for the library, with price and total while typing. */
export function OrderDialog({ season, line, onClose }: OrderDialogProps) {
  const t = words.use()
  const translate = useSentences()
  const { ofClass } = useNames()
  const save = useSaveOrder(season, line)
  const shown = useRef<ReturnType<typeof priceOf>>(undefined)
  const f = usePortalForm({
    schema: orderFields,
    initialValues: line ? valuesOf(line) : nothingOrdered,
    draftKey: line ? `book-order.${line.id}` : `book-order.${season}`,
    save: async (fields, { again }) => {
      await save(fields, shown.current && rupees(shown.current.gross))
      toast.success(translate(messages.saved))
      if (!again || line) return onClose()
      startNext(nextValues(f.form.getValues()))
    },
  })
  const { form } = f
  const { leave, question } = useCloseQuestion(form.isDirty, onClose, true)
  const classId = form.useWatchValue('classId')
  const letter = form.useWatchValue('subjectName')
  const kind = form.useWatchValue('bookCategory')
  const quantity = form.useWatchValue('quantity')
  const { offered, error, reload } = useBooksOffered(season, classId)
  const subject = offered?.find((candidate) => candidate.letter === letter)
  const book = subject?.books[kind as BookKind]
  const sums = book && priceOf(book, quantity)
  shown.current = sums

  const startNext = (values: OrderValues) => {
    form.setInitialValues(values)
    form.setValues(values)
    form.clearErrors()
    form.resetTouched()
    requestAnimationFrame(() => form.getInputNode('bookCategory')?.focus())
  }
  const close = () => {
    if (!f.saving) leave()
  }
  // Choosing a class resets the subject and category (specification).
  const forget = (...paths: ('subjectName' | 'bookCategory')[]) => {
    for (const path of paths) {
      form.setFieldValue(path, '')
      form.clearFieldError(path)
    }
  }
  const classField = form.field('classId')
  const subjectField = form.field('subjectName')
  return (
    <Dialog opened onClose={close} title={line ? t('changeBooks') : t('addBooks')} fact={season}>
      <FormFrame of={f}>
        <DialogBody>
          <div className="grid">
            <SelectField
              className="c6"
              label={t('class')}
              empty={t('chooseClass')}
              choices={classes.map((schoolClass) => ({
                value: String(schoolClass.classId),
                label: ofClass(schoolClass.classId),
              }))}
              {...classField}
              onChange={(event) => {
                classField.onChange(event)
                forget('subjectName', 'bookCategory')
              }}
            />
            <SelectField
              className="c6"
              label={t('subject')}
              empty={classId === '' ? t('classFirst') : t('chooseSubject')}
              choices={(offered ?? []).map((option) => ({
                value: option.letter,
                label: option.closed
                  ? t('subjectClosed', { subject: option.name })
                  : translateSentence(option.name),
                disabled: option.closed,
              }))}
              {...subjectField}
              onChange={(event) => {
                subjectField.onChange(event)
                const { books } =
                  offered?.find((candidate) => candidate.letter === event.currentTarget.value) ?? {}
                if (!books?.[kind as BookKind]) forget('bookCategory')
              }}
            />
            {error && (
              <div className="c12">
                <LoadProblem error={error} retry={reload} />
              </div>
            )}
            <SelectField
              className="c6"
              label={t('category')}
              empty={letter === '' ? t('subjectFirst') : t('chooseCategory')}
              choices={bookKindsOf(Number(classId)).flatMap((bookKind) => {
                const price = subject?.books[bookKind]?.price
                if (!subject) return []
                return price === undefined
                  ? [{ value: bookKind, label: t('notOffered', { book: t(bookKind) }), disabled: true }]
                  : [{ value: bookKind, label: t(bookKind) }]
              })}
              {...form.field('bookCategory')}
            />
            <TextField
              className="c6"
              label={t('quantity')}
              inputMode="numeric"
              autoComplete="off"
              maxLength={7}
              hint={book && t('eachCosts', { price: formatRupees(rupees(book.price)) })}
              {...form.field('quantity')}
            />
          </div>
        </DialogBody>
        <DialogFoot
          sums={
            <Sums>
              <Figure label={t('price')}>{formatRupees(rupees(sums?.gross ?? paise(0)))}</Figure>
              <Figure label={t('keeps')}>
                {sums && sums.retained > 0 && '−'}
                {formatRupees(rupees(sums?.retained ?? paise(0)))}
              </Figure>
              <Figure label={t('payable')} className="pay">
                {formatRupees(rupees(sums?.payable ?? paise(0)))}
              </Figure>
            </Sums>
          }
          onCancel={close}>
          <Button
            type="submit"
            kind="primary"
            busy={f.saving}
            title={line ? undefined : t('saveNextHint')}
            aria-keyshortcuts={line ? undefined : 'Control+Enter'}>
            {sums ? t('orderAmount', { amount: formatRupees(rupees(sums.gross)) }) : t('order')}
          </Button>
        </DialogFoot>
      </FormFrame>
      {question}
    </Dialog>
  )
}

/**
 * Returns what the copies cost, the school's share and the payable amount; undefined while the quantity is invalid.
 */
function priceOf(book: { price: number; retained: number }, typed: string) {
  const read = orderFields.shape.quantity.safeParse(typed)
  if (!read.success) return undefined
  const gross = paise(book.price * read.data)
  const schoolShare = paise(book.retained * read.data)
  return { gross, retained: schoolShare, payable: paise(gross - schoolShare) }
}

/** Loads the subjects with books for a class in a season, the prices of each kind, and whether orders are closed. */
function useBooksOffered(season: string, classId: string) {
  const enabled = classId !== ''
  const query = { FYear: season, classId }
  const subjects = useEndpoint(getSubject, { query, enabled })
  const books = useEndpoint(getBook, { query, enabled })
  // Earlier answers stay while new ones load, but they may hold another class's books.
  const loaded = enabled && !subjects.isPlaceholderData && !books.isPlaceholderData
  const subjectList = loaded ? subjects.data?.data : undefined
  const bookList = loaded ? books.data?.data : undefined
  const offered = useMemo(() => {
    if (!subjectList || !bookList) return undefined
    const closed = new Set(subjectList.filter((item) => item.closed).map((item) => item.eventLetter))
    return offerOf(subjectList, bookList)
      .filter(({ books }) => Object.keys(books).length > 0)
      .map((subject) => ({ ...subject, closed: closed.has(subject.letter) }))
  }, [subjectList, bookList])
  return {
    offered,
    error: enabled ? (subjects.error ?? books.error) : null,
    reload: () => Promise.all([subjects.refetch(), books.refetch()]),
  }
}

/** Describes what another user changed in a line, as `Quantity 10 → 12`. */
function useChangeText() {
  const t = words.use()
  const { ofClass } = useNames()
  return (before: OrderLine, after: OrderLine): string => {
    const shown: [string, string | number, string | number][] = [
      [t('class'), ofClass(before.classId), ofClass(after.classId)],
      [t('subject'), translateSentence(before.subjectName), translateSentence(after.subjectName)],
      [t('category'), t(before.kind), t(after.kind)],
      [t('quantity'), before.quantity, after.quantity],
    ]
    return shown
      .filter(([, earlier, is]) => earlier !== is)
      .map(([name, earlier, is]) => `${name} ${earlier} → ${is}`)
      .join('; ')
  }
}

/**
 * Saves a line of the library order. Pressing again sends the same key, so nothing is ordered twice. If another user
 * changed the line meanwhile, its latest state is fetched and the next save is based on it. Throws CallError.
 */
function useSaveOrder(season: string, line: OrderLine | undefined) {
  const t = words.use()
  const changes = useChangeText()
  const client = useQueryClient()
  const latest = useRef(line)

  const afterChange = async (refusal: CallError): Promise<never> => {
    const order = await call(getBookOrder, { query: { FYear: season } })
    const before = latest.current
    const after = order.data.find((candidate) => candidate.id === before?.id)
    void client.invalidateQueries({ queryKey: [getBookOrder.path] })
    const problem = (message: string) => new CallError(message, refusal.status, refusal.code, [], refusal.id)
    if (!before || !after) throw problem(t('removedMeanwhile'))
    latest.current = after
    const changeText = changes(before, after)
    throw problem(changeText ? t('changedBy', { what: changeText }) : t('changedSame'))
  }

  return async (fields: OrderFields, bookAmount: number | undefined) => {
    const { id = 0, version } = latest.current ?? {}
    const body = {
      ...fields,
      id,
      FYear: season,
      ...(version === undefined ? {} : { version }),
      ...(bookAmount === undefined ? {} : { bookAmount }),
    }
    try {
      const answer = await call(saveBookOrder, { body })
      // The amount due has changed, too.
      void client.invalidateQueries()
      return answer
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      if (cause.code === 'changed_meanwhile') return afterChange(cause)
      // The new price comes with the catalogue, which all prices here are computed from.
      if (cause.code === 'books.amount_changed') await client.invalidateQueries()
      throw cause
    }
  }
}

/** “Do you want delete book order” (specification, 2.8), with the books in question. */
export function OrderDelete({ line, onClose }: { line: OrderLine; onClose: () => void }) {
  const t = words.use()
  const translate = useSentences()
  const { ofClass } = useNames()
  const { id, version } = line
  const bookName = { subject: line.subjectName, class: ofClass(line.classId), category: t(line.kind) }
  return (
    <ConfirmAction
      danger
      title={t('deleteTitle')}
      act={() => call(deleteBookOrder, { body: { id, version } })}
      invalidates="all"
      done={t('deleted')}
      onClose={onClose}>
      <div className="stack">
        <p>
          <b>{translate(messages.deleteQuestion)}</b>
        </p>
        <p>{t('deleteWhich', { ...bookName, n: line.quantity })}</p>
      </div>
    </ConfirmAction>
  )
}
