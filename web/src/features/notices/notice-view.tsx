import './notices.css'
import { linkParts, type SchoolNotice } from '@podium/contract/notices/calls'
import type { ReactNode } from 'react'
import { dayText } from '#shell/format.tsx'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { Badge } from '#ui/badge.tsx'
import { Icon } from '#ui/icon.tsx'
import { words } from './words.ts'

export type Shown = Pick<
  SchoolNotice,
  'title' | 'text' | 'titleHi' | 'textHi' | 'important' | 'from' | 'until'
>

/** A notice's words in the language of the page where the office wrote them in it, else in English. */
export function useNoticeWords(notice: Shown, hindi = useWrittenLanguage() === 'hi') {
  const translated = hindi && notice.titleHi !== ''
  return {
    title: translated ? notice.titleHi : notice.title,
    text: translated ? notice.textHi : notice.text,
    lang: translated ? 'hi' : 'en',
  }
}

interface ViewProps {
  notice: Shown
  read?: boolean
  /** The language that a preview shows; the page's own unless said. */
  hindi?: boolean
  /** What can be done with it. */
  children?: ReactNode
}

/** One notice: what is important has its mark and colour, what was read folds into its title. */
export function NoticeView({ notice, read = false, hindi, children }: ViewProps) {
  const t = words.use()
  const { title, text, lang } = useNoticeWords(notice, hindi)
  const days = t('since', { from: dayText(notice.from), until: dayText(notice.until) })
  if (read) {
    return (
      <details className="notice read">
        <summary>
          <Icon name="check" small />
          <span lang={lang}>{title}</span>
          <small>{t('read')}</small>
        </summary>
        <Words text={text} lang={lang} />
        <p className="days">{days}</p>
      </details>
    )
  }
  return (
    <article className={notice.important ? 'notice important' : 'notice'}>
      <div className="say">
        <div className="head">
          <h3 lang={lang}>{title}</h3>
          {notice.important && <Badge kind="doubt">{t('important')}</Badge>}
        </div>
        <Words text={text} lang={lang} />
        <p className="days">{days}</p>
      </div>
      {children}
    </article>
  )
}

/** Plain text with its lines; https addresses in it can be followed. */
function Words({ text, lang }: { text: string; lang: string }) {
  return (
    <p className="text" lang={lang}>
      {linkParts(text).map((part, at) =>
        part.link ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name
          <a key={at} href={part.text} target="_blank" rel="noopener noreferrer">
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </p>
  )
}
