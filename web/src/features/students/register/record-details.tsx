import { showStudentContact } from '@podium/contract/students/calls-record'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { officePaths } from '#shell/paths.ts'
import { useAct } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { Panel } from '#ui/panel.tsx'
import { type StudentOne, shownOfStudents } from './use-record.ts'
import { words } from './words-record.ts'

type Contact = Answer<typeof showStudentContact>

/** What is on record of the child; its parents' contact on demand, and each look at it is recorded. */
export function Details({ one }: { one: StudentOne }) {
  const t = words.use()
  const { student, seasons } = one
  const [contact, setContact] = useState<Contact & { version: number }>()
  const shown = contact?.version === student.version ? contact : undefined
  return (
    <Panel
      title={t('details')}
      aside={<ShowContact one={one} shown={shown !== undefined} onShow={setContact} />}
    >
      <div className="halves record-details">
        <KeyValues>
          <Fact label={t('school')} value={`${student.schName}, ${student.city}`} />
          <Fact label={t('code')} value={student.schCode} copies />
          <Fact
            label={t('class')}
            value={`${translateSentence(student.className)}${student.section === '-' ? '' : ` ${student.section}`}`}
          />
          <Fact label={t('rollNo')} value={String(student.rollNo)} />
          <Fact label={t('examRollNo')} value={student.examRollNo} copies />
        </KeyValues>
        <KeyValues>
          <Fact label={t('parent')} value={student.parentName} />
          <Fact
            label={t('mobile')}
            value={shown ? shown.parentMobile : student.parentMobile}
            copies={shown !== undefined}
          />
          <Fact
            label={t('email')}
            value={shown ? shown.parentEmail : student.parentEmail}
            copies={shown !== undefined}
          />
          {seasons.length > 0 && (
            <KeyValue label={t('otherSeasons')}>
              {seasons.map((other) => (
                <span key={other.id} className="block">
                  <Link to={officePaths.student} params={{ id: String(other.id) }}>
                    {other.FYear}
                  </Link>{' '}
                  {translateSentence(other.className)}
                </span>
              ))}
            </KeyValue>
          )}
        </KeyValues>
      </div>
    </Panel>
  )
}

interface ShowProps {
  one: StudentOne
  shown: boolean
  onShow: (contact: Contact & { version: number }) => void
}

function ShowContact({ one: { student, can }, shown, onShow }: ShowProps) {
  const t = words.use()
  const { busy, act } = useAct(shownOfStudents)
  if (shown || (student.parentMobile === '' && student.parentEmail === '')) return null
  const { id, version } = student
  const show = () =>
    act(async () => onShow({ ...(await call(showStudentContact, { body: { id } })), version }))
  return (
    <Button
      icon="eye"
      busy={busy}
      disabled={can.contact === true ? undefined : t('mayNotContact')}
      onClick={() => void show()}
    >
      {t('showContact')}
    </Button>
  )
}

interface FactProps {
  label: string
  value: string
  copies?: boolean
  children?: ReactNode
}

function Fact({ label, value, copies, children }: FactProps) {
  const t = words.use()
  if (value === '')
    return (
      <KeyValue label={label}>
        <span className="quiet">{t('unknown')}</span>
      </KeyValue>
    )
  return (
    <KeyValue label={label} {...(copies ? { copy: value } : {})}>
      {children ?? <span className="long">{value}</span>}
    </KeyValue>
  )
}
