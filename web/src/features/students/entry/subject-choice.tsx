import type { Subject } from '@podium/contract/catalogue/calls'
import type { OfferedSubject } from '@podium/contract/catalogue/rules-fee'
import { type BookKind, bookKindsOf } from '@podium/contract/classes'
import { formatRupees, rupees } from '@podium/contract/money'
import type { ReactNode } from 'react'
import { dayText } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { FieldMessage } from '#ui/field.tsx'
import { useKitWords } from '#ui/kit-words.ts'
import { MultiSelect } from '#ui/multi-select.tsx'
import { Note } from '#ui/note.tsx'
import { dropUnchosenBooks, type StudentValues } from './student-values.ts'
import { words } from './words.ts'

interface SubjectChoiceProps {
  season: string
  classId: string
  subjects: readonly Subject[] | undefined
  error: Error | null
  reload: () => unknown
  values: StudentValues
  choose: (some: Partial<StudentValues>) => void
  invalid: ReactNode
  onBlur: () => void
}

/**
 * Returns “from 25-Nov-2026 ₹50 more as a late fee”, or that it is included; '' for neither, or if subjects differ.
 */
function useLateHint(): (subjects: readonly Subject[]) => string {
  const t = words.use()
  return (subjects) => {
    const [firstSubject] = subjects
    const same = subjects.every(
      ({ lateFee, late }) =>
        lateFee === firstSubject?.lateFee &&
        late?.from === firstSubject.late?.from &&
        late?.fee === firstSubject.late?.fee,
    )
    if (!firstSubject || !same) return ''
    if (firstSubject.lateFee > 0) return t('lateOfFee', { fee: formatRupees(firstSubject.lateFee) })
    return firstSubject.late
      ? t('lateUpcoming', {
          // Hyphens at which no line breaks
          day: dayText(firstSubject.late.from).replaceAll('-', '-\u2060'),
          fee: formatRupees(firstSubject.late.fee),
        })
      : ''
  }
}

/** The subjects of the class with their fees; a single hint if all cost the same. */
export function SubjectChoice(props: SubjectChoiceProps) {
  const { season, classId, subjects, error, reload, values, choose, invalid, onBlur } = props
  const t = words.use()
  const translate = useSentences()
  const kit = useKitWords()
  const lateHint = useLateHint()
  const fees = new Set(subjects?.map((subject) => subject.eventFee))
  const [fee] = fees
  const hint =
    classId === ''
      ? t('classFirst')
      : subjects === undefined
        ? t('loadingSubjects')
        : fee === undefined
          ? t('noSubjects', { season })
          : fees.size === 1
            ? t('each', { amount: formatRupees(fee) })
            : undefined
  const late = lateHint(subjects ?? [])
  const choices = subjects?.map((subject) => {
    const { subjectName, eventFee, closed, signedOff } = subject
    const name = translateSentence(subjectName)
    const subjectHint = late === '' ? lateHint([subject]) : ''
    const price = (fees.size > 1 || subjectHint !== '') && formatRupees(eventFee)
    const priced = [name, price, subjectHint]
    // A subject that can't be entered any more shows no price.
    const named = closed || signedOff ? name : priced.filter(Boolean).join(', ')
    return {
      value: subjectName,
      // A late fee to come matters while choosing; the sum says what is due.
      chip: closed || signedOff ? undefined : [name, price].filter(Boolean).join(', '),
      label: closed ? t('closedOn', { name: named }) : signedOff ? t('signedOff', { name: named }) : named,
      disabled: (closed || signedOff) && !values.subjectName.includes(subjectName),
    }
  })
  if (error) {
    return (
      <Note kind="bad">
        {translate(error.message)}{' '}
        <button type="button" className="lk" onClick={() => void reload()}>
          {kit.tryAgain}
        </button>
      </Note>
    )
  }
  return (
    <MultiSelect
      // Remounts per class: a pending choice for another class is discarded.
      key={classId}
      label={t('subjects')}
      placeholder={t('searchSubjects')}
      choices={classId === '' ? [] : choices}
      value={values.subjectName}
      onChange={(subjectName) => choose({ subjectName, ...dropUnchosenBooks(values, subjectName) })}
      onBlur={onBlur}
      error={invalid}
      hint={late === '' || hint === undefined ? hint : `${hint}, ${late}`}
      data-path="subjectName"
    />
  )
}

const sampleClass = { littleStar: 13, older: 1 }

interface BookGridProps {
  /** Text Book and Work Book; otherwise the three kinds of the older classes. */
  littleStar: boolean
  offer: readonly OfferedSubject[] | undefined
  values: StudentValues
  choose: (some: Partial<StudentValues>) => void
  errors: Record<string, ReactNode>
}

/** Checkboxes for the books of each chosen subject, with prices. */
export function BookGrid({ littleStar, offer, values, choose, errors }: BookGridProps) {
  const t = words.use()
  const kinds = bookKindsOf(littleStar ? sampleClass.littleStar : sampleClass.older)
  const rows = offer?.filter((subject) => values.subjectName.includes(subject.name)) ?? []
  const chosen = kinds.reduce((sum, kind) => sum + values[kind].length, 0)
  const toggle = (kind: BookKind, name: string) => {
    const books = values[kind].includes(name)
      ? values[kind].filter((chosenName) => chosenName !== name)
      : [...values[kind], name]
    choose({ [kind]: books })
  }
  const problem = kinds.map((kind) => errors[kind]).find(Boolean)
  if (rows.length === 0) {
    return (
      <div>
        <p className="st-lab">{t('books')}</p>
        <p className="hint">{t('booksHint')}</p>
      </div>
    )
  }
  return (
    <section aria-label={t('books')}>
      <div className="labrow">
        <span className="lab">{t('books')}</span>
        <span className="quiet" aria-live="polite">
          {t('booksChosen', { n: chosen })}
        </span>
      </div>
      <div className="st-books tw cards">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('subject')}</th>
              {kinds.map((kind) => (
                <th scope="col" key={kind}>
                  {t(kind)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((subject) => (
              <tr key={subject.letter}>
                <th scope="row" className="ttl">
                  <span className="nm">{translateSentence(subject.name)}</span>
                </th>
                {kinds.map((kind) => {
                  const book = subject.books[kind]
                  return (
                    <td key={kind}>
                      {book ? (
                        <label>
                          <input
                            type="checkbox"
                            aria-label={`${t(kind)}, ${translateSentence(subject.name)}, ${formatRupees(rupees(book.price))}`}
                            checked={values[kind].includes(subject.name)}
                            onChange={() => toggle(kind, subject.name)}
                          />
                          <span className="st-kind">{t(kind)}</span>
                          {formatRupees(rupees(book.price))}
                        </label>
                      ) : (
                        <span className="st-off">
                          <span className="st-kind">{t(kind)}</span>
                          <span className="quiet">{t('notOffered')}</span>
                        </span>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <FieldMessage id="st-books" error={problem} />
    </section>
  )
}
