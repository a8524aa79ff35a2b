import './notices.css'
import { linkParts, type SchoolNotice } from '@podium/contract/notices/calls'
import type { ReactNode } from 'react'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { defineWords } from '#shell/language/words.ts'
import { Badge } from '#ui/badge.tsx'
import { Icon } from '#ui/icon.tsx'
import type en from '#words/en/notices.json'

/** The words of the notices that a school sees. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/notices.json'))

export type NoticeContent = Pick<SchoolNotice, 'title' | 'text' | 'titleHi' | 'textHi' | 'important'>

/**
 * Returns a notice's title and text in the language of the page if the office wrote them in it, otherwise in English.
 */
export function useNoticeWords(notice: NoticeContent, hindi = useWrittenLanguage() === 'hi') {
  const translated = hindi && notice.titleHi !== ''
  return {
    title: translated ? notice.titleHi : notice.title,
    text: translated ? notice.textHi : notice.text,
    lang: translated ? 'hi' : 'en',
  }
}

interface ViewProps {
  notice: NoticeContent
  read?: boolean
  /** Initially expanded. */
  open?: boolean
  /** The language of a preview; by default the page's own. */
  hindi?: boolean
  /** Actions on the notice. */
  children?: ReactNode
}

/** One notice, collapsed to a line; important ones are marked and coloured. */
export function NoticeView({ notice, read = false, open = true, hindi, children }: ViewProps) {
  const t = words.use()
  const { title, text, lang } = useNoticeWords(notice, hindi)
  const kind = read ? ' read' : notice.important ? ' important' : ''
  return (
    <details className={`notice${kind}`} open={open}>
      <summary>
        <Icon name={read ? 'check' : notice.important ? 'warning' : 'info'} small />
        <span lang={lang}>{title}</span>
        {read ? <small>{t('read')}</small> : notice.important && <Badge kind="doubt">{t('important')}</Badge>}
        <Icon name="down" small />
      </summary>
      <NoticeText text={text} lang={lang} />
      {children && <div className="acts">{children}</div>}
    </details>
  )
}

/** Plain text with its line breaks; https addresses become links. */
function NoticeText({ text, lang }: { text: string; lang: string }) {
  return (
    <p className="text" lang={lang}>
      {linkParts(text).map((part, index) =>
        part.link ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name
          <a key={index} href={part.text} target="_blank" rel="noopener noreferrer">
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </p>
  )
}
