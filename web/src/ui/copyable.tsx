import './money-sum.css'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { fill, useKitWords } from './kit-words.ts'
import { toast } from './toast.tsx'

interface CopyButtonProps {
  /** What it is, for speech and the message: «Account no.». */
  name: string
  value: string
}

/** Copies a value and confirms it, or says that the browser does not allow it. */
export function CopyButton({ name, value }: CopyButtonProps) {
  const words = useKitWords()
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => toast.success(fill(words.copied, { name })),
      () => toast.error(fill(words.notCopied, { name })),
    )
  return <IconButton icon="copy" label={fill(words.copy, { name })} onClick={() => void copy()} />
}

/** Pairs of name and value, separated by hairlines. */
export function KeyValues({ children }: { children: ReactNode }) {
  return <dl className="kv">{children}</dl>
}

interface KeyValueProps {
  label: string
  children: ReactNode
  /** The text to copy; without it there is no button. Account numbers without spaces. */
  copy?: string
  /** Whose it is, if the page has several values of this kind to copy */
  of?: string
}

export function KeyValue({ label, children, copy, of }: KeyValueProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span>{children}</span>
        {copy !== undefined && <CopyButton name={of ? `${label}, ${of}` : label} value={copy} />}
      </dd>
    </div>
  )
}

export interface DetailProps {
  label: string
  value: string
  /** Shown if the value is empty */
  unknown: string
  copies?: boolean
  /** The value as elements, if it is more than text */
  children?: ReactNode
}

export function Detail({ label, value, unknown, copies, children }: DetailProps) {
  return (
    <KeyValue label={label} {...(copies && value !== '' ? { copy: value } : {})}>
      {value === '' ? <span className="quiet">{unknown}</span> : (children ?? value)}
    </KeyValue>
  )
}

/** A link only if it is https: addresses in records are typed by users. */
export function Website({ address, newTab }: { address: string; newTab: string }) {
  if (!/^https:\/\/[^\s/]+/i.test(address)) return address
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {address.replace(/^https:\/\//i, '').replace(/\/$/, '')}
      <span className="sr"> ({newTab})</span>
    </a>
  )
}

/** A WhatsApp link beside a number, from `whatsAppLink`; nothing is loaded from WhatsApp before it is pressed. */
export function WhatsApp({ href, name, newTab }: { href: string; name: string; newTab: string }) {
  if (href === '') return null
  const label = `WhatsApp: ${name} (${newTab})`
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="nowrap" aria-label={label}>
      WhatsApp
    </a>
  )
}

/** An account number in groups of four; copied without spaces. */
export function AccountNumber({ value }: { value: string }) {
  const groups = value.match(/.{1,4}/g) ?? []
  return (
    <span className="acc">
      {groups.map((group, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups repeat and never move
        <span key={n}>{group}</span>
      ))}
    </span>
  )
}
