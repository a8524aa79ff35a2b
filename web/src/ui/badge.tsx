import './badge.css'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { useKitWords } from './kit-words.ts'

export type BadgeTone = 'ok' | 'due' | 'bad' | 'info' | 'mute'

/** Tone and icon of the product's states; `tone` and `icon` override them. */
const kinds = {
  paid: ['ok', 'ok'],
  verified: ['ok', 'ok'],
  yes: ['ok', 'check'],
  no: ['mute', 'close'],
  unpaid: ['due', 'dash'],
  pending: ['bad', 'dash'],
  waiting: ['due', 'clock'],
  rejected: ['bad', 'close'],
  deleted: ['mute', 'struck'],
  inactive: ['mute', 'struck'],
  active: ['ok', 'ok'],
  sent: ['info', 'box'],
  underway: ['info', 'clock'],
  none: ['mute', 'circle'],
  doubt: ['due', 'warning'],
} as const satisfies Record<string, readonly [BadgeTone, IconName]>

export type BadgeKind = keyof typeof kinds

interface BadgeProps {
  kind?: BadgeKind
  tone?: BadgeTone
  icon?: IconName
  children: ReactNode
}

/** A state: icon and word, never a bare dot. The caller supplies the word. */
export function Badge({ kind = 'none', tone, icon, children }: BadgeProps) {
  const [ownTone, ownIcon] = kinds[kind]
  return (
    <span className={`bd ${tone ?? ownTone}`}>
      <Icon name={icon ?? ownIcon} />
      {children}
    </span>
  )
}

/** A short form with its full name as a tooltip and, since few screen readers read titles, for speech. */
export function Abbreviation({
  name,
  className,
  children,
}: {
  name: string
  className?: string
  children: string
}) {
  return (
    <abbr className={className} title={name} style={{ textDecoration: 'none' }}>
      <span aria-hidden="true">{children}</span>
      <span className="sr">{name}, </span>
    </abbr>
  )
}

/** Subject letters in boxes. */
export function SubjectCodes({ of }: { of: readonly { letter: string; name: string }[] }) {
  return (
    <span className="subs">
      {of.map(({ letter, name }) => (
        <Abbreviation className="sub" key={letter} name={name}>
          {letter}
        </Abbreviation>
      ))}
    </span>
  )
}

const metals = { gold: '1', silver: '2', bronze: '3' } as const
export type Metal = keyof typeof metals

/** Disc, ribbon, the rank in the disc and the metal in words. `big` only for families. */
export function Medal({ metal, big, label }: { metal: Metal; big?: boolean; label?: ReactNode }) {
  const words = useKitWords()
  return (
    <span className={`medal ${metal}${big ? ' big' : ''}`}>
      <svg viewBox="0 0 20 24" aria-hidden="true">
        <path className="rib" d="M4 0h5l2 8H7zM16 0h-5L9 8h4z" />
        <circle className="disc" cx="10" cy="15.5" r="7.5" strokeWidth="1.5" />
        <text x="10" y="19.4">
          {metals[metal]}
        </text>
      </svg>
      {label ?? words[metal]}
    </span>
  )
}
