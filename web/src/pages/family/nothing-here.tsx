import { EmptyState } from '#ui/note.tsx'
import { words } from './words.ts'

/** An address without a page: the link was cut or misspelt. */
export function NothingHere() {
  const t = words.use()
  return (
    <EmptyState icon="search" level={1} title={t('nothingTitle')}>
      {t('nothingText')}
    </EmptyState>
  )
}
