import type { EventRules, EventSection } from '@podium/contract/results/schemas'

const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)

/** The names of a tie-break that the event has; its own order where none of them is left. */
function tieBreakFor(wanted: readonly string[], own: readonly string[], sections: readonly EventSection[]) {
  const known = wanted.filter((name) => sections.some((section) => section.name === name))
  return known.length > 0 ? known : [...own]
}

/**
 * The rules with which another event is tried: its own, with what `edited` changes of `current`. A way to the next level
 * is tried only where the event has one: which subjects lead on is decided for each of them.
 */
export function rulesTried(
  own: EventRules,
  sections: readonly EventSection[],
  current: EventRules,
  edited: EventRules,
): EventRules {
  const changed = (key: keyof EventRules) => differs(current[key], edited[key])
  return {
    tieBreak: changed('tieBreak') ? tieBreakFor(edited.tieBreak, own.tieBreak, sections) : own.tieBreak,
    medals: changed('medals') ? edited.medals : own.medals,
    ladders: changed('ladders') ? edited.ladders : own.ladders,
    onePrize: changed('onePrize') ? edited.onePrize : own.onePrize,
    nextLevel: changed('nextLevel') && own.nextLevel !== null ? edited.nextLevel : own.nextLevel,
  }
}

/** The same subject's earlier event: the edited rules themselves, with a tie-break that its paper can have. */
export function rulesOfEarlier(
  own: EventRules,
  sections: readonly EventSection[],
  edited: EventRules,
): EventRules {
  return { ...edited, tieBreak: tieBreakFor(edited.tieBreak, own.tieBreak, sections) }
}
