import { type BankItem, bankItems, type SchoolCredit } from '@podium/contract/bank/calls'
import { formatRupees } from '@podium/contract/money'
import { useDeferredValue, useState } from 'react'
import { useEndpoint } from '#shell/query.ts'
import { SearchField } from '#ui/text-field.tsx'
import { kindName } from './reasons.tsx'
import { words } from './words.ts'

interface FinderProps {
  onFound: (more: { items: BankItem[]; schools: SchoolCredit[] }) => void
}

/** Looks for what a line may be for by hand: a school, a payment, an amount. What is chosen stands in the list above. */
export function Finder({ onFound }: FinderProps) {
  const t = words.use()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const found = useEndpoint(bankItems, { query: { search }, enabled: search.length >= 3 })
  const data = search.length >= 3 && !found.isPlaceholderData ? found.data : undefined
  const take = (more: { items: BankItem[]; schools: SchoolCredit[] }) => {
    onFound(more)
    setTyped('')
  }
  return (
    <div className="finder">
      <SearchField
        label={t('find')}
        placeholder={t('findHint')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {data?.schools.length === 0 && <p className="hint">{t('foundNothing')}</p>}
      {data && data.schools.length > 0 && (
        <ul>
          {data.schools.map((school) => {
            const its = data.items.filter(({ schoolId }) => schoolId === school.schoolId)
            return (
              <li key={school.schoolId}>
                <button type="button" className="lk" onClick={() => take({ items: its, schools: [school] })}>
                  {school.schName}, {school.schCode}
                </button>
                {its.map((item) => (
                  <button
                    key={item.key}
                    type="button"
                    className="lk"
                    onClick={() => take({ items: [item], schools: [school] })}
                  >
                    {kindName(t, item)} {formatRupees(item.amount)}
                  </button>
                ))}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
