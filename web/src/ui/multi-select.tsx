import './filters.css'
import './multi-select.css'
import { Combobox, useCombobox } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { FieldFrame, type FieldProps, resetsWithControl, useFieldIds } from './field.tsx'
import { Icon } from './icon.tsx'
import { KitProvider } from './kit-provider.tsx'
import { fill, useKitWords } from './kit-words.ts'
import type { Choice } from './select-field.tsx'

/** Most selected items shown as chips (specification, sections 2.9 and 9); the rest is a number. */
export const maxChips = 10

interface ChipChoice extends Choice {
  /** What the chip says, if less than the list */
  chip?: string | undefined
}

interface MultiSelectProps extends FieldProps {
  /** Undefined while loading: «select all» takes effect once they are loaded. */
  choices: readonly ChipChoice[] | undefined
  value?: readonly string[]
  defaultValue?: readonly string[]
  onChange?: (value: string[]) => void
  onFocus?: () => void
  onBlur?: () => void
  placeholder?: string
  'data-path'?: string
}

/** Several choices from a list: search, select all, unselect all. Takes @mantine/form's props; keeps list order. */
export const MultiSelect = resetsWithControl(function MultiSelect(all: MultiSelectProps) {
  const words = useKitWords()
  const {
    choices: loadedChoices,
    value,
    defaultValue,
    onChange,
    onFocus,
    onBlur,
    placeholder,
    ...field
  } = all
  const { id, describedBy } = useFieldIds(field.error, field.hint)
  const [ownValue, setOwnValue] = useState<readonly string[]>(defaultValue ?? [])
  const [search, setSearch] = useState('')
  const [allWanted, setAllWanted] = useState(false)
  const choices = loadedChoices ?? []
  const list = useCombobox({ onDropdownClose: () => list.resetSelectedOption() })
  const chosen = value ?? ownValue
  const set = (values: readonly string[]) => {
    setAllWanted(false)
    const ordered = choices.filter((choice) => values.includes(choice.value)).map((choice) => choice.value)
    setOwnValue(ordered)
    onChange?.(ordered)
  }
  const toggle = (value: string) => {
    set(chosen.includes(value) ? chosen.filter((item) => item !== value) : [...chosen, value])
    setSearch('')
  }
  const matching = (text: string) => choices.filter((choice) => choice.label.toLowerCase().includes(text))
  const typed = search.trim().toLowerCase()
  const exact = matching(typed)
  // Mathematics is «Maths» to most.
  const matches = exact.length > 0 ? exact : matching(typed.replace(/(.)s$/, '$1'))
  /** What Enter selects unless the arrow keys have moved to another one. */
  const first = search.trim() === '' ? undefined : matches.find((choice) => !choice.disabled)
  const picked = choices.filter((choice) => chosen.includes(choice.value))
  const usable = choices.filter((choice) => !choice.disabled).map((choice) => choice.value)
  const chooseAll = () => {
    if (loadedChoices) set(usable)
    else setAllWanted(true)
  }
  const isLoaded = loadedChoices !== undefined
  const keepWish = useEffectEvent(() => {
    if (allWanted) set(usable)
  })
  useEffect(() => {
    if (isLoaded) keepWish()
  }, [isLoaded])
  const aside = (
    <>
      <button type="button" className="lk" onClick={chooseAll}>
        {words.selectAll}
      </button>
      <button type="button" className="lk" onClick={() => set([])}>
        {words.unselectAll}
      </button>
    </>
  )
  const count = fill(words.chosen, { n: picked.length, total: choices.length })
  const label = (
    <>
      {field.label}
      <span className="opt" aria-live="polite">
        , {count}
      </span>
    </>
  )
  return (
    <KitProvider>
      <FieldFrame id={id} props={{ ...field, label, aside }}>
        <Combobox store={list} onOptionSubmit={toggle} withinPortal={false}>
          <Combobox.DropdownTarget>
            <div className="chips">
              {picked.slice(0, maxChips).map((choice) => (
                <span className="chip" key={choice.value}>
                  {choice.chip ?? choice.label}
                  <button
                    type="button"
                    aria-label={fill(words.remove, { name: choice.chip ?? choice.label })}
                    onClick={() => toggle(choice.value)}>
                    <Icon name="close" />
                  </button>
                </span>
              ))}
              {picked.length > maxChips && (
                <span className="chip plain">{fill(words.more, { n: picked.length - maxChips })}</span>
              )}
              <Combobox.EventsTarget withExpandedAttribute>
                <input
                  id={id}
                  role="combobox"
                  aria-expanded={list.dropdownOpened}
                  aria-controls={list.listId ?? undefined}
                  aria-autocomplete="list"
                  data-path={all['data-path']}
                  autoComplete="off"
                  value={search}
                  placeholder={placeholder ?? words.search}
                  aria-describedby={describedBy}
                  aria-invalid={field.error ? true : undefined}
                  onFocus={() => {
                    list.openDropdown()
                    onFocus?.()
                  }}
                  onClick={() => list.openDropdown()}
                  onBlur={() => {
                    list.closeDropdown()
                    onBlur?.()
                  }}
                  onChange={(event) => {
                    setSearch(event.currentTarget.value)
                    list.openDropdown()
                    list.updateSelectedOptionIndex()
                  }}
                  onKeyDown={(event) => {
                    const last = picked.at(-1)
                    if (event.key === 'Backspace' && search === '' && last) toggle(last.value)
                    if (event.key === 'Enter' && search.trim() !== '' && !event.nativeEvent.isComposing) {
                      // Enter selects and never submits the form.
                      event.preventDefault()
                      if (list.getSelectedOptionIndex() === -1 && first) toggle(first.value)
                    }
                    if (event.key === 'Escape' && list.dropdownOpened) event.stopPropagation()
                  }}
                />
              </Combobox.EventsTarget>
            </div>
          </Combobox.DropdownTarget>
          <Combobox.Dropdown className="drop">
            <Combobox.Options aria-label={String(field.label)} aria-multiselectable="true">
              {matches.map((choice) => (
                <Combobox.Option
                  key={choice.value}
                  value={choice.value}
                  className={choice === first ? 'first' : ''}
                  disabled={choice.disabled}
                  active={chosen.includes(choice.value)}
                  aria-selected={chosen.includes(choice.value)}>
                  {chosen.includes(choice.value) ? <Icon name="check" small /> : <span className="i s" />}
                  {choice.label}
                </Combobox.Option>
              ))}
              {matches.length === 0 && <div className="none">{words.noMatch}</div>}
            </Combobox.Options>
          </Combobox.Dropdown>
        </Combobox>
        {/* Announces the selection to screen readers, which can't see the chips. */}
        <span className="sr" role="status">
          {picked.map((choice) => choice.label).join(', ')}
        </span>
      </FieldFrame>
    </KitProvider>
  )
})
