import type { OfferedSubject } from '@podium/contract/catalogue/rules-fee'
import { type BookKind, bookKindsOf } from '@podium/contract/classes'
import { formatRupees, rupees } from '@podium/contract/money'
import type { ReactNode } from 'react'
import { translateSentence } from '#shell/language/sentences.ts'
import { FieldMessage } from '#ui/field.tsx'
import type { StudentValues } from './student-values.ts'
import { words } from './words.ts'

const aClassOf = { littleStar: 13, older: 1 }

interface BookGridProps {
  /** Text Book and Work Book; else the three of the older classes. */
  littleStar: boolean
  offer: readonly OfferedSubject[] | undefined
  values: StudentValues
  choose: (some: Partial<StudentValues>) => void
  errors: Record<string, ReactNode>
}

/** The books of each chosen subject with their prices, to tick. */
export function BookGrid({ littleStar, offer, values, choose, errors }: BookGridProps) {
  const t = words.use()
  const kinds = bookKindsOf(littleStar ? aClassOf.littleStar : aClassOf.older)
  const rows = offer?.filter((subject) => values.subjectName.includes(subject.name)) ?? []
  const chosen = kinds.reduce((sum, kind) => sum + values[kind].length, 0)
  const toggle = (kind: BookKind, name: string) => {
    const wanted = values[kind].includes(name)
      ? values[kind].filter((one) => one !== name)
      : [...values[kind], name]
    choose({ [kind]: wanted })
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
