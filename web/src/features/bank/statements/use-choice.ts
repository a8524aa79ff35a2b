import type { BankItem, BankLine, SchoolCredit } from '@podium/contract/bank/calls'
import { fromRupees, rupees, sumPaise } from '@podium/contract/money'
import { useState } from 'react'

/**
 * What is chosen for a line, and whether it comes out even: what is left goes to a school's credit, what is missing
 * comes from one. Amounts in rupees, added in paise.
 */
export function useChoice(line: BankLine) {
  const proposed = line.proposal.parts.map(({ key }) => key)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(proposed))
  const [found, setFound] = useState<{ items: BankItem[]; schools: SchoolCredit[] }>({
    items: [],
    schools: [],
  })
  const first = line.proposal.credits[0]?.schoolId
  const [picked, setPicked] = useState<number>()
  const items = [
    ...new Map([...line.items, ...found.items].map((item) => [item.key, item])).values(),
  ].toSorted((one, other) => place(one, proposed) - place(other, proposed))
  const schools = [...new Map([...line.schools, ...found.schools].map((one) => [one.schoolId, one])).values()]
  const parts = items.filter(({ key }) => chosen.has(key)).map(({ key, amount }) => ({ key, amount }))
  const rest = rupees(sumPaise([fromRupees(line.amount), ...parts.map(({ amount }) => fromRupees(-amount))]))
  const owners = new Set(items.filter(({ key }) => chosen.has(key)).map(({ schoolId }) => schoolId))
  const only = owners.size === 1 ? [...owners][0] : undefined
  const creditSchool = picked ?? (parts.length === 0 ? (first ?? 0) : (only ?? first ?? 0))
  const helper = schools.find(({ schoolId, amount }) => owners.has(schoolId) && amount >= -rest)
  const used = rest < 0 && helper ? [{ schoolId: helper.schoolId, amount: -rest }] : []
  const credits = rest > 0 && creditSchool > 0 ? [{ schoolId: creditSchool, amount: rest }] : []
  return {
    items,
    schools,
    chosen,
    parts,
    rest,
    creditSchool,
    /** As the matcher proposes it, so far as items go */
    asProposed: proposed.length === parts.length && parts.every(({ key }) => proposed.includes(key)),
    credits,
    used,
    problem: problemOf({ rest, parts: parts.length, credits: credits.length, used: used.length }),
    toggle(key: string) {
      const next = new Set(chosen)
      // What is due beside a pending payment is paid together with it.
      const after = items.find((item) => item.key === key)?.after
      if (next.delete(key)) for (const item of items) item.after === key && next.delete(item.key)
      else for (const one of after ? [key, after] : [key]) next.add(one)
      setChosen(next)
    },
    creditTo: setPicked,
    /** What was found by searching stands in the list, to be ticked. */
    add(more: { items: BankItem[]; schools: SchoolCredit[] }) {
      setFound({ items: [...found.items, ...more.items], schools: [...found.schools, ...more.schools] })
      const [item] = more.items
      if (item && more.items.length === 1) setChosen(new Set([...chosen, item.key]))
      const [school] = more.schools
      if (more.items.length === 0 && school) setPicked(school.schoolId)
    },
  }
}

/** What is proposed stands first, then what is owed, then what has been verified already. */
function place(item: BankItem, proposed: readonly string[]): number {
  if (proposed.includes(item.key)) return 0
  return item.state === 'open' ? 1 : 2
}

export type Choice = ReturnType<typeof useChoice>

interface Even {
  rest: number
  parts: number
  credits: number
  used: number
}

/** Why it can't be booked: more is chosen than there is, nobody's credit is named, or nothing is chosen. */
function problemOf({ rest, parts, credits, used }: Even): 'much' | 'school' | 'nothing' | undefined {
  if (rest < 0 && used === 0) return 'much'
  if (rest > 0 && credits === 0) return parts === 0 ? 'nothing' : 'school'
  return undefined
}
