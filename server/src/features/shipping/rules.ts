/**
 * A courier's address as it may be shown: https and nothing else. Somebody of the office has typed or pasted it, and a
 * school follows it; anything that is no https address becomes empty.
 */
export function safeLink(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined
  return url?.protocol === 'https:' ? url.href : ''
}
