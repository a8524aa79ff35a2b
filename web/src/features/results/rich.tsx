/** A sentence of the catalogue with its `**strong**` words. */
export function Rich({ text }: { text: string }) {
  return text.split('**').map((part, n) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
    n % 2 === 1 ? <b key={n}>{part}</b> : <span key={n}>{part}</span>,
  )
}
