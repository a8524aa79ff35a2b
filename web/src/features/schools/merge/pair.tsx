import { type MergeField, mergeFields } from '@podium/contract/schools/calls-merge'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { officePaths } from '#shell/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import { Clashes } from './clashes.tsx'
import type { Preview } from './data.ts'
import { mergeFilters } from './filters.ts'
import { Final } from './final.tsx'
import { Moves, Sums } from './moves.tsx'
import { words } from './words.ts'

/** What is empty in the one is taken from the other, until somebody chooses otherwise. */
const filledFrom = ({ stays, leaves }: Preview) =>
  mergeFields.filter((field) => stays[field] === '' && leaves[field] !== '')

/** The two schools: their details to choose from, what moves, what clashes, and the merge. */
export function Pair({ preview }: { preview: Preview }) {
  const [take, setTake] = useState<readonly MergeField[]>(() => filledFrom(preview))
  return (
    <div className="stack">
      <Heads preview={preview} />
      <Clashes preview={preview} blocking />
      <Details preview={preview} take={take} onTake={setTake} />
      <Clashes preview={preview} />
      <Moves preview={preview} />
      {preview.sums && <Sums sums={preview.sums} />}
      <Final preview={preview} take={take} />
    </div>
  )
}

function Heads({ preview: { stays, leaves } }: { preview: Preview }) {
  const t = words.use()
  return (
    <Panel
      foot={
        <span className="merge-acts">
          <Link
            to={officePaths.schoolMerge}
            params={{ id: String(leaves.id) }}
            search={mergeFilters.validate({ other: stays.id })}
            className={buttonClass('secondary')}
          >
            {t('swap')}
          </Link>
          <Link
            to={officePaths.schoolMerge}
            params={{ id: String(stays.id) }}
            search={{}}
            className={buttonClass('text')}
          >
            {t('another')}
          </Link>
        </span>
      }
    >
      <div className="merge-heads">
        {[
          { school: stays, label: t('stays') },
          { school: leaves, label: t('leaves') },
        ].map(({ school, label }) => (
          <div key={school.id}>
            <span className="hint">{label}</span>
            <strong>
              <Link to={officePaths.school} params={{ id: String(school.id) }}>
                {school.schName}
              </Link>
            </strong>
            <span className="under">
              <span className="num">{school.schCode}</span>, {school.city} {school.pinCode}
            </span>
          </div>
        ))}
      </div>
    </Panel>
  )
}

interface DetailsProps {
  preview: Preview
  take: readonly MergeField[]
  onTake: (take: readonly MergeField[]) => void
}

function Details({ preview: { stays, leaves }, take, onTake }: DetailsProps) {
  const t = words.use()
  const differ = mergeFields.filter((field) => stays[field] !== leaves[field])
  const choose = (field: MergeField, fromLeaves: boolean) =>
    onTake([...take.filter((one) => one !== field), ...(fromLeaves ? [field] : [])])
  return (
    <Panel title={t('detailsTitle')}>
      <p className="hint">{t('detailsSays')}</p>
      {differ.map((field) => (
        <fieldset key={field} className="merge-field">
          <legend>{t(field)}</legend>
          {([false, true] as const).map((fromLeaves) => (
            <label key={String(fromLeaves)} className="ck">
              <input
                type="radio"
                name={field}
                checked={take.includes(field) === fromLeaves}
                onChange={() => choose(field, fromLeaves)}
              />
              <span>
                <span className="merge-side quiet">{t(fromLeaves ? 'leaves' : 'stays')}: </span>
                {(fromLeaves ? leaves : stays)[field] || <span className="quiet">{t('empty')}</span>}
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <p className="hint">{t('alike', { n: mergeFields.length - differ.length })}</p>
    </Panel>
  )
}
