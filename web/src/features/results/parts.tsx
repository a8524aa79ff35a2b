/** Renders a translated sentence with its `**strong**` words. */
export function BoldText({ text }: { text: string }) {
  return text.split('**').map((part, n) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
    n % 2 === 1 ? <b key={n}>{part}</b> : <span key={n}>{part}</span>,
  )
}

/** Formats a final score with four decimals, like the weights that break ties. */
export const finalScore = (marks: number): string => marks.toFixed(4)

/** Formats a raw score with as many decimals as it has. */
export const rawScore = (marks: number): string => String(marks)
