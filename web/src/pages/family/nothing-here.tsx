import { defineWords } from '#shell/language/words.ts'
import { EmptyState } from '#ui/note.tsx'
import type en from '#words/en/family.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/family.json'))

/** Shown at an address without a page, e.g. a link that was cut off or mistyped. */
export function NothingHere() {
  const t = words.use()
  return (
    <EmptyState icon="search" level={1} title={t('nothingTitle')}>
      {t('nothingText')}
    </EmptyState>
  )
}
