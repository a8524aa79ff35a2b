import type { MergeExample } from '@podium/contract/schools/calls-merge'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import type { Preview } from './data.ts'
import { words } from './words.ts'

/** What both have and one can have only once, each with its rule; or, `blocking`, what no rule settles. */
export function Clashes({ preview, blocking }: { preview: Preview; blocking?: boolean }) {
  const t = words.use()
  const { clashes, blocks } = preview
  if (blocking) {
    if (blocks.length === 0) return null
    return (
      <Panel title={t('blocksTitle')}>
        <Note kind="bad">{t('blocksSays')}</Note>
        <ul className="merge-clashes">
          {blocks.map(({ kind, count, examples }) => (
            <li key={kind}>
              <strong>{t(`block_${kind}`, { n: count })}</strong>
              <span>{t(`todo_${kind}`)}</span>
              <Examples of={examples} />
            </li>
          ))}
        </ul>
      </Panel>
    )
  }
  return (
    <Panel title={t('clashesTitle')}>
      {clashes.length === 0 ? (
        <p>{t('noClashes')}</p>
      ) : (
        <ul className="merge-clashes">
          {clashes.map(({ kind, count, examples }) => (
            <li key={kind}>
              <strong>{t(`clash_${kind}`, { n: count })}</strong>
              <span>{t(`rule_${kind}`)}</span>
              <Examples of={examples} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Examples({ of }: { of: readonly MergeExample[] }) {
  const t = words.use()
  const telling = of.filter(({ what, stays, leaves }) => what !== '' || stays !== '' || leaves !== '')
  if (telling.length === 0) return null
  return (
    <details>
      <summary>{t('examples')}</summary>
      <table className="merge-examples">
        <thead>
          <tr>
            <th>{t('what')}</th>
            <th>{t('stays')}</th>
            <th>{t('leaves')}</th>
          </tr>
        </thead>
        <tbody>
          {telling.map(({ what, stays, leaves }) => (
            <tr key={`${what} ${stays} ${leaves}`}>
              <td>{what}</td>
              <td>{stays}</td>
              <td>{leaves}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
